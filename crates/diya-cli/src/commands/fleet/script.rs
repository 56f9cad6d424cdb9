//! `diya fleet script slurm|pbs -o DIR --shards N PATH... DATASET`

use super::ingest::How;
use crate::command_line::examples;
use crate::failure::{Done, Failure};
use crate::options::Common;
use crate::output::{Content, to_file, to_stdout};
use clap::{Args, ValueEnum};
use diya_fleet::{BatchPlan, BatchSystem};
use std::ffi::OsString;
use std::io::Write as _;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

#[derive(Debug, Clone, Copy, ValueEnum)]
enum System {
    Slurm,
    Pbs,
}

#[derive(Debug, Args)]
#[command(after_help = examples(&[
    ("diya fleet script slurm /logs jobs/ -o batch/ --shards 64", "Slurm job array"),
    ("diya fleet script pbs /logs jobs/ -o batch/ --shards 64", "of PBS"),
]))]
pub struct ScriptArgs {
    /// The batch system
    #[arg(value_enum)]
    batch: System,
    /// Folders, logs and archives as for `diya fleet ingest`; the last one is the dataset
    #[arg(value_name = "PATH", num_args = 2.., required = true)]
    paths: Vec<PathBuf>,
    /// Folder for the batch files
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// Jobs of the array
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    shards: u32,
    /// Processors of each
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..))]
    cpus: u32,
    /// Option for sbatch or qsub, for example --option=--time=02:00:00 (may be given several times)
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    option: Vec<String>,
    /// The program on the nodes (default: this one)
    #[arg(long, value_name = "FILE")]
    diya: Option<PathBuf>,
    #[command(flatten)]
    how: How,
}

pub fn run(args: &ScriptArgs, _common: &Common) -> Result<Done, Failure> {
    let (paths, dataset) = match args.paths.split_last() {
        Some((dataset, paths)) => (paths, absolute(dataset)?),
        None => return Err(Failure::Input("name the paths and the dataset".to_owned())),
    };
    let folder = absolute(&args.output)?;
    if folder.starts_with(&dataset) {
        let (folder, dataset) = (folder.display(), dataset.display());
        return Err(Failure::Input(format!(
            "{folder} is in the dataset {dataset}; name a folder beside it"
        )));
    }
    let mut ingest = args.how.arguments()?;
    ingest.push("--".into());
    for path in paths {
        ingest.push(located(path)?);
    }
    let diya = match &args.diya {
        Some(path) => absolute(path)?,
        None => crate::program()?,
    };
    let system = match args.batch {
        System::Slurm => BatchSystem::Slurm,
        System::Pbs => BatchSystem::Pbs,
    };
    let plan = BatchPlan {
        system,
        folder,
        diya,
        dataset,
        ingest,
        shards: args.shards,
        cpus: args.cpus,
        options: args.option.clone(),
    };
    let named =
        |path: &Path, e: std::io::Error| Failure::Output(format!("{}: {e}", path.display()));
    std::fs::create_dir_all(&plan.folder).map_err(|e| named(&plan.folder, e))?;
    for (name, content) in plan.files() {
        let path = plan.folder.join(name);
        to_file(&path, Content::Binary, |out| Ok(out.write_all(&content)?))?;
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(&path, mode).map_err(|e| named(&path, e))?;
    }
    let submit = plan.folder.join("submit.sh");
    to_stdout(Content::Text, |out| Ok(writeln!(out, "{}", submit.display())?))?;
    Ok(Done::WHOLE)
}

fn absolute(path: &Path) -> Result<PathBuf, Failure> {
    std::path::absolute(path).map_err(|e| Failure::Input(format!("{}: {e}", path.display())))
}

/// A path of an ingest that means the same from every folder; `@LIST` stays a list.
fn located(path: &Path) -> Result<OsString, Failure> {
    let bytes = path.as_os_str().as_bytes();
    match bytes.strip_prefix(b"@") {
        Some(list) => {
            let list = absolute(Path::new(&OsString::from_vec(list.to_vec())))?;
            Ok(OsString::from_vec([b"@", list.as_os_str().as_bytes()].concat()))
        }
        None => absolute(path).map(PathBuf::into_os_string),
    }
}
