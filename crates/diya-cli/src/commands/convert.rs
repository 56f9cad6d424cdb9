//! `diya convert LOG -o NEW`

use super::{open_options, report_losses};
use crate::entry::{Entry, Group, arguments};
use crate::failure::{Done, Failure};
use crate::options::{Common, key_of};
use crate::output::{Content, to_file, to_stdout};
use crate::progress::Bar;
use clap::{Args, ValueEnum};
use diya::TableSet;
use diya::convert::{
    Compression, ConvertError, ConvertOptions, Converted, FileChoice, Glob, Obfuscation,
    OutputFormat, convert,
};
use serde_json::json;
use std::io::Write as _;
use std::path::{Path, PathBuf};

pub const COMMANDS: &[Entry] = &[Entry {
    name: "convert",
    group: Group::Convert,
    place: 2,
    help: "Convert a log: format, compression, files, anonymised names",
    examples: &[
        ("diya convert app.diya -o app.darshan", "for Darshan's tools"),
        ("diya convert app.darshan --anonymise @key -o anonymous.darshan", "hash names"),
        ("diya convert app.diya --only-files \"*.h5\" -o small.diya", "only some files"),
    ],
    augment: ConvertArgs::augment_args,
    run: |given, common| run(&arguments(given), common),
    ..Entry::USUAL
}];

#[derive(Debug, Args)]
pub struct ConvertArgs {
    /// A log; `-` reads standard input
    #[arg(value_name = "LOG")]
    pub log: PathBuf,
    #[command(flatten)]
    pub output: OutputArgs,
    /// Keep only files whose name matches: `*` any text, `?` any character; a
    /// pattern with a slash has to match the whole path (may be repeated)
    #[arg(long, value_name = "GLOB")]
    pub only_files: Vec<String>,
    /// Leave out files whose name matches (may be repeated)
    #[arg(long, value_name = "GLOB")]
    pub skip_files: Vec<String>,
    /// Keep only the file with this id (may be repeated)
    #[arg(long = "file-id", value_name = "ID")]
    pub file_ids: Vec<u64>,
    /// Leave out the timed calls
    #[arg(long)]
    pub drop_trace: bool,
    /// Write one record instead of one per rank for files that all ranks opened
    #[arg(long)]
    pub reduce: bool,
    /// Replace names of files, programs, hosts, mounts and users by hashes
    /// under this key; @FILE reads the key from a file, so that `ps` does not show it
    #[arg(long, value_name = "KEY|@FILE")]
    pub anonymise: Option<String>,
    /// With --anonymise: keep mount points as they are
    #[arg(long, requires = "anonymise")]
    pub keep_mounts: bool,
    /// Remove the metadata of the job except the version of the recording library
    #[arg(long)]
    pub reset_metadata: bool,
    /// Add a line `annotation=TEXT` to the metadata of the job
    #[arg(long, value_name = "TEXT")]
    pub annotate: Option<String>,
}

/// Where a new log goes, and how.
#[derive(Debug, Args)]
pub struct OutputArgs {
    /// Name of the new log; its ending sets the format: .darshan or .diya
    #[arg(long, short = 'o', value_name = "NEW")]
    pub output: PathBuf,
    /// Compression of the new log, if it is a Darshan log
    #[arg(long, value_enum, default_value_t = CompressionName::Zlib)]
    pub compression: CompressionName,
    /// Keep thread ids of calls in a Darshan log: PyDarshan up to 3.5.0 reads
    /// no timed calls of such logs
    #[arg(long)]
    pub keep_threads: bool,
    /// Overwrite the new log if it exists
    #[arg(long)]
    pub force: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CompressionName {
    Zlib,
    /// Smaller, slower
    Bzip2,
    /// Darshan's own tools read such logs wrongly above 1 MiB
    None,
}

impl From<CompressionName> for Compression {
    fn from(name: CompressionName) -> Self {
        match name {
            CompressionName::Zlib => Self::Zlib,
            CompressionName::Bzip2 => Self::Bzip2,
            CompressionName::None => Self::Stored,
        }
    }
}

pub fn run(args: &ConvertArgs, common: &Common) -> Result<Done, Failure> {
    let format = args.output.format()?;
    let bar = Bar::new(common);
    let inputs = diya::input::logs(&[&args.log])?;
    let [input] = inputs.as_slice() else {
        return Err(Failure::Input(format!(
            "{}: contains {} logs, but convert takes one; `diya merge` merges the logs of one job",
            args.log.display(),
            inputs.len()
        )));
    };
    let globs = |texts: &[String]| texts.iter().map(|text| Glob::new(text)).collect();
    let options = ConvertOptions {
        is_reduced: args.reduce,
        drops_trace: args.drop_trace,
        files: FileChoice {
            only: globs(&args.only_files),
            skip: globs(&args.skip_files),
            ids: args.file_ids.clone(),
        },
        obfuscation: args.obfuscation()?,
        resets_metadata: args.reset_metadata,
        annotation: args.annotate.clone(),
        ..args.output.options()
    };
    let open = open_options(common, None, TableSet::ALL, &bar);
    let converted = bar.during("converting", || convert(input, format, &open, &options))?;
    args.output.store(&converted, input.size_bytes(), common)
}

impl ConvertArgs {
    fn obfuscation(&self) -> Result<Option<Obfuscation>, Failure> {
        let Some(given) = &self.anonymise else { return Ok(None) };
        let key = key_of(given)?;
        Ok(Some(Obfuscation { key, keeps_mounts: self.keep_mounts }))
    }
}

impl OutputArgs {
    /// The format; an error when there is none, or a file that must not be overwritten.
    pub fn format(&self) -> Result<OutputFormat, Failure> {
        let format = OutputFormat::of(&self.output)?;
        if !self.force && self.output.exists() {
            return Err(Failure::Output(format!(
                "{}: is there already; --force overwrites it",
                self.output.display()
            )));
        }
        Ok(format)
    }

    /// How to write, as far as these options say.
    pub fn options(&self) -> ConvertOptions {
        ConvertOptions {
            compression: self.compression.into(),
            has_threads: self.keep_threads,
            ..ConvertOptions::default()
        }
    }

    /// Writes the new log and says what it is, and what it lacks.
    pub fn store(
        &self,
        converted: &Converted,
        old_bytes: u64,
        common: &Common,
    ) -> Result<Done, Failure> {
        let path: &Path = &self.output;
        to_file(path, Content::Binary, |out| Ok(out.write_all(&converted.bytes)?))?;
        let new_bytes = converted.bytes.len() as u64;
        to_stdout(Content::of(common.json), |out| {
            if common.json {
                let report = json!({
                    "path": path,
                    "bytes": new_bytes,
                    "old_bytes": old_bytes,
                    "lost": converted.losses,
                    "records_before": converted.reduced.map(|(before, _)| before),
                    "records_after": converted.reduced.map(|(_, after)| after),
                });
                return Ok(writeln!(out, "{report}")?);
            }
            let size = diya::model::bytes_text;
            let (new, old) = (size(new_bytes), size(old_bytes));
            writeln!(out, "{}: {new}, from {old}", path.display())?;
            if let Some((before, after)) = converted.reduced {
                writeln!(out, "{before} records became {after}")?;
            }
            Ok(())
        })?;
        for lost in converted.losses.iter().filter(|_| !common.quiet) {
            say!("not in the new log: {lost}");
        }
        Ok(report_losses(common, &[], converted.issues))
    }
}

impl From<ConvertError> for Failure {
    fn from(error: ConvertError) -> Self {
        match error {
            ConvertError::Write(error) => Self::Output(error.to_string()),
            other => Self::Input(other.to_string()),
        }
    }
}
