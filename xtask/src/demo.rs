//! `demo`: what diya does, on a real log, in under a minute once it is built.
//!
//! Each command is printed before its output, as a person would type it.

use std::process::Command;

use crate::cargo::{build_diya, quoted};

/// IOR with collective MPI-IO and hints, recorded by Darshan 3.5.0 with DXT.
const LOG: &str = "corpus/logs/ior_mpiio_coll_hints.darshan";

/// How the requests of each layer look: collective buffering shows as fewer and
/// larger requests below MPI-IO.
const REQUESTS_PER_LAYER: &str = "\
select layer, op, count(*) as calls, bytes_text(avg(size_bytes)) as mean_size, \
count(distinct rank) as ranks \
from call group by layer, op order by layer, op";

/// When the bytes moved, from the heat map, as it also is in logs without a trace.
const BYTES_OVER_TIME: &str = "\
select floor(bin_start_s) as second, \
bytes_text(sum(case when op = 'write' then bytes end)) as written, \
bytes_text(sum(case when op = 'read' then bytes end)) as read \
from heatmap where layer = 'mpiio' and bytes > 0 group by second order by second";

/// What is shown: a question, and the arguments of `diya` that answer it.
const STEPS: &[(&str, &[&str])] = &[
    ("What is in this log?", &["info", LOG]),
    ("What did MPI-IO make of the program's requests?", &["sql", LOG, REQUESTS_PER_LAYER]),
    ("When did the bytes move?", &["sql", LOG, BYTES_OVER_TIME]),
];

/// Builds `diya` and runs the steps.
pub fn run(_args: &[String]) -> Result<(), String> {
    let root = crate::root();
    let diya = build_diya(&root)?;
    for (question, args) in STEPS {
        let line = args.iter().map(|arg| quoted(arg)).collect::<Vec<_>>().join(" ");
        println!("\n# {question}\n$ diya {line}");
        let status = Command::new(&diya).current_dir(&root).args(*args).status();
        let status = status.map_err(|e| format!("{}: {e}", diya.display()))?;
        if !status.success() {
            return Err(format!("diya {} ended with {status}", args[0]));
        }
    }
    println!("\n# The program is {}; `make install` puts it on your PATH.", diya.display());
    Ok(())
}
