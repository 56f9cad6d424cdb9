//! Writes the seeds of the fuzz target `diya_file`: small logs of the corpus as
//! diya files, as they are and with payloads that are not deflated, which lets
//! a mutation reach the columns.
//!
//! `cargo run --release -p diya-write --example diya_seeds -- FOLDER`

#[path = "../tests/diya_file/forge.rs"]
mod forge;

use diya_read::{Request, Selection, Serial, read};
use diya_tables::Tables;
use diya_testkit::corpus_logs;
use diya_write::diya_file::to_bytes;
use std::path::Path;

/// Larger seeds slow the fuzzer down more than they teach it.
const MAX_SEED_BYTES: usize = 12_000;

fn main() -> std::io::Result<()> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "fuzz/corpus/diya_file".into());
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder)?;
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/diya_file/golden/v1.diya");
    let mut files = vec![("own".to_string(), std::fs::read(golden)?)];
    for path in corpus_logs() {
        let name = path.file_stem().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let mut tables = Tables::new();
        let request = Request {
            source: &std::fs::read(&path)?,
            log: 0,
            log_name: &name,
            outer_compression: None,
            selection: &Selection::all(),
            workers: &Serial,
        };
        // Logs that are compressed as a whole are not needed here.
        if read(&request, &mut tables).is_ok() {
            files.push((name, to_bytes(&tables, "seed")));
        }
    }
    let mut written = 0;
    for (name, file) in files {
        let plain = forge::forge(&file, |_| {});
        for (name, seed) in [(name.clone(), file), (format!("{name}.plain"), plain)] {
            if seed.len() <= MAX_SEED_BYTES {
                std::fs::write(folder.join(name), seed)?;
                written += 1;
            }
        }
    }
    println!("{written} seeds in {}", folder.display());
    Ok(())
}
