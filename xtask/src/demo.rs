//! `demo`: what diya does, on a real program and a real log, in under a minute
//! once it is built.
//!
//! Each command is printed before its output, as a person would type it.

use std::path::Path;
use std::process::Command;

use crate::build::build_diya;
use crate::cargo::quoted;

/// IOR with collective MPI-IO and hints, recorded by Darshan 3.5.0 with DXT.
const LOG: &str = "corpus/logs/ior_mpiio_coll_hints.darshan";

/// How the requests of each layer look: collective buffering shows as fewer and
/// larger requests below MPI-IO.
const REQUESTS_PER_LAYER: &str = "\
select layer, op, sum(calls) as calls, bytes_text(avg(size_bytes)) as mean_size, \
count(distinct rank) as ranks \
from call group by layer, op order by layer, op";

/// When the bytes moved, from the heat map, as it also is in logs without a trace.
const BYTES_OVER_TIME: &str = "\
select floor(bin_start_s) as second, \
bytes_text(sum(case when op = 'write' then bytes end)) as written, \
bytes_text(sum(case when op = 'read' then bytes end)) as read \
from heatmap where layer = 'mpiio' and bytes > 0 group by second order by second";

/// Records a program whose four ranks write interleaved pieces of one file, each
/// for itself and then together.
const RECORDED: [(&str, &str); 2] = [("before", "independent.diya"), ("after", "collective.diya")];

/// The layers of a recording, one below the other.
const LAYERS: &str = "\
select layer, function, sum(calls) as calls, bytes_text(sum(size_bytes)) as bytes, \
bytes_text(avg(size_bytes)) as mean_size, count(call.parent_id) as nested_calls, \
seconds_text(sum(busy_s)) as time_of_all_ranks \
from call join file on call.file_id = file.file_id \
where op = 'write' and path like '%/demo/%' group by layer, function order by layer";

/// What the MPI library really applied.
const HINTS: &str =
    "select hint, value from mpi_hint where hint like 'cb_%' or hint like 'romio_cb_write'";

/// Records a program that writes plotfiles row by row, and its fix, which gathers the rows
/// to a mebibyte; with the places in the source.
const DIAGNOSED: [(&str, &str); 2] = [("before", "rows.diya"), ("after", "gathered.diya")];

/// Where the settings go, and the recording of the unchanged program with them.
const TUNED: [&str; 2] = ["settings", "tuned.diya"];

/// Makes the program write long enough that run times differ clearly.
const SCALE: &str = "20";

/// The same two as pages for a browser.
const PAGES: [&str; 2] = ["before.html", "after.html"];

/// What is shown of Darshan's log: a question, and the arguments that answer it.
const STEPS: &[(&str, &[&str])] = &[
    ("diya also reads Darshan logs. Show the contents of one:", &["info", LOG]),
    ("How does MPI-IO merge the requests of the program?", &["sql", LOG, REQUESTS_PER_LAYER]),
    ("When were the bytes read and written?", &["sql", LOG, BYTES_OVER_TIME]),
];

/// Builds `diya` and a workload, records it, and runs the steps.
pub fn run(_args: &[String]) -> Result<(), String> {
    let root = crate::root();
    let diya = build_diya(&root)?;
    let folder = diya.parent().and_then(Path::parent).unwrap_or(&root).join("demo");
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let programs = folder.join("programs");
    let program = |name: &str| programs.join(name).to_string_lossy().into_owned();
    let (strided, rows) = (program("strided_shared_file"), program("plotfiles"));
    run_quietly(Command::new("make").args(["--silent", "-C"]).arg(root.join("workloads")).args([
        "MPI=mpich",
        &format!("OUT={}", programs.display()),
        &strided,
        &rows,
    ]))?;
    println!(
        "\n# Four ranks of an MPI program write one file: first independently, then collectively."
    );
    for (variant, log) in RECORDED {
        record(&diya, &folder, &[], log, &[&strided, "--variant", variant])?;
    }
    println!("\n# How do MPI-IO calls become POSIX calls? diya records the parent of each call.");
    for (_, log) in RECORDED {
        step(&diya, &folder, &["sql", log, LAYERS])?;
    }
    println!("\n# With which hints?");
    step(&diya, &folder, &["sql", RECORDED[1].1, HINTS])?;
    for (question, args) in STEPS {
        println!("\n# {question}");
        step(&diya, &root, args)?;
    }
    println!("\n# This program is slow. Is I/O the problem, where, and what is the fix?");
    let scaled = |variant| [rows.as_str(), "--variant", variant, "--scale", SCALE];
    record(&diya, &folder, &["--stacks"], DIAGNOSED[0].1, &scaled(DIAGNOSED[0].0))?;
    step(&diya, &folder, &["report", DIAGNOSED[0].1])?;
    println!("\n# Can settings do it, without a change of the program?");
    let [settings, tuned] = TUNED;
    step(&diya, &folder, &["tune", DIAGNOSED[0].1, "-o", settings])?;
    record(&diya, &folder, &["--apply", settings], tuned, &scaled(DIAGNOSED[0].0))?;
    step(&diya, &folder, &["compare", DIAGNOSED[0].1, tuned])?;
    println!("\n# The fix of the report, in the program itself. Is it faster?");
    record(&diya, &folder, &["--stacks"], DIAGNOSED[1].1, &scaled(DIAGNOSED[1].0))?;
    step(&diya, &folder, &["compare", DIAGNOSED[0].1, DIAGNOSED[1].1])?;
    println!(
        "\n# Write both as pages (no network needed): findings, timeline, files, source lines."
    );
    for ((_, log), page) in DIAGNOSED.into_iter().zip(PAGES) {
        step(&diya, &folder, &["report", log, "--html", page])?;
    }
    println!("\n# Open them in a browser; on a machine without one, copy them home:");
    for (page, when) in PAGES.into_iter().zip(["before the fix", "after the fix"]) {
        println!("#   file://{}   ({when})", folder.join(page).display());
    }
    println!("#   or: {} open {}", diya.display(), folder.join(DIAGNOSED[0].1).display());
    println!("\n# The recordings are in {}.", folder.display());
    println!("# The program is {}; `make install` puts it on your PATH.", diya.display());
    Ok(())
}

/// Records a workload on four ranks into a log in the folder.
fn record(
    diya: &Path,
    folder: &Path,
    options: &[&str],
    log: &str,
    program: &[&str],
) -> Result<(), String> {
    // Each run in a folder of its own: emptying the files of the last one takes time.
    let data = folder.join("data").join(log);
    let _ = std::fs::remove_dir_all(&data);
    std::fs::create_dir_all(&data).map_err(|e| format!("{}: {e}", data.display()))?;
    let data = data.to_string_lossy().into_owned();
    let answer = folder.join("answer.json").to_string_lossy().into_owned();
    let mut args = vec!["run", "--force", "-o", log];
    args.extend(options);
    args.extend(["--", "mpirun.mpich", "-n", "4"]);
    args.extend(program);
    args.extend(["--dir", &data, "--answer", &answer]);
    step(diya, folder, &args)
}

fn step(diya: &Path, folder: &Path, args: &[&str]) -> Result<(), String> {
    let line = args.iter().map(|arg| quoted(arg)).collect::<Vec<_>>().join(" ");
    println!("$ diya {line}");
    let status = Command::new(diya).current_dir(folder).args(args).status();
    let status = status.map_err(|e| format!("{}: {e}", diya.display()))?;
    if status.success() { Ok(()) } else { Err(format!("diya {} ended with {status}", args[0])) }
}

fn run_quietly(command: &mut Command) -> Result<(), String> {
    let status = command.status().map_err(|e| format!("{command:?}: {e}"))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?} ended with {status}")) }
}
