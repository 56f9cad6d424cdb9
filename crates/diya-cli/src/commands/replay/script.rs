//! `diya replay LOG DIR --script slurm`: the batch file for a replay on several nodes.

use super::{ReplayArgs, planned};
use crate::failure::{Done, Failure};
use crate::options::Common;
use crate::output::{Content, to_stdout};
use clap::ArgMatches;
use clap::parser::ValueSource;
use diya_replay::{Batch, Gaps, MAX_LANES, estimate, slurm};
use std::io::Write as _;
use std::path::Path;

/// Options that every node gets as they were given.
const PASSED_ON: [(&str, &str); 6] = [
    ("gaps", "--gaps"),
    ("transforms", "--transform"),
    ("ranks", "--ranks"),
    ("paths", "--path"),
    ("record", "--record"),
    ("address", "--address"),
];

pub fn write(
    (log, dir): (&Path, &Path),
    args: &ReplayArgs,
    given: &ArgMatches,
    common: &Common,
) -> Result<Done, Failure> {
    let mut plan = planned(log, args, args.nodes.unwrap_or(1), common)?;
    let mut nodes = args.nodes.unwrap_or(1);
    if args.nodes.is_none() {
        nodes = u32::try_from(plan.lanes.len().div_ceil(MAX_LANES).max(1)).unwrap_or(u32::MAX);
        plan = planned(log, args, nodes, common)?;
        // Ranks with several threads do not fill nodes evenly.
        while plan.check_lanes().is_err() && (nodes as usize) < plan.lanes.len() {
            nodes += nodes.div_ceil(4);
            plan = planned(log, args, nodes, common)?;
        }
    }
    plan.check_lanes()?;
    let absolute = |path: &Path| -> Result<String, Failure> {
        let path = std::path::absolute(path)?;
        let refuse = || Failure::Input(format!("{}: is not UTF-8", path.display()));
        path.to_str().map(str::to_owned).ok_or_else(refuse)
    };
    let folder = absolute(dir)?;
    let mut arguments = vec![absolute(log)?, folder.clone()];
    for (id, option) in PASSED_ON {
        if given.value_source(id) != Some(ValueSource::CommandLine) {
            continue;
        }
        for value in given.get_raw(id).into_iter().flatten() {
            let value = match id {
                "record" => absolute(Path::new(value))?,
                _ => value.to_string_lossy().into_owned(),
            };
            arguments.extend([option.to_owned(), value]);
        }
    }
    for (is_set, option) in [(args.cold, "--cold"), (args.keep, "--keep")] {
        arguments.extend(is_set.then(|| option.to_owned()));
    }
    let estimate = estimate(&plan);
    let seconds = match args.gaps {
        Gaps::Drop => estimate.io_s,
        Gaps::Times(factor) => estimate.recorded_s * factor.max(1.0),
    };
    let program = absolute(&std::env::current_exe()?)?;
    let batch = Batch {
        nodes,
        program: &program,
        arguments: &arguments,
        folder: (!args.keep).then_some(folder.as_str()),
        seconds,
    };
    let text = slurm(&plan, &batch);
    to_stdout(Content::Text, |out| Ok(out.write_all(text.as_bytes())?))?;
    Ok(Done::WHOLE)
}
