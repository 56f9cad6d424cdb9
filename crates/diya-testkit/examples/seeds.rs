//! Writes the seeds of the fuzz targets: small logs of the corpus, as they are
//! and without compression, which lets a mutation reach the records.
//!
//! `cargo run --release -p diya-testkit --example seeds -- FOLDER`

use diya_testkit::{Packing, corpus_logs, repack};
use std::path::Path;

/// Larger seeds slow the fuzzer down more than they teach it.
const MAX_SEED_BYTES: usize = 12_000;

fn main() -> std::io::Result<()> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "fuzz/corpus/darshan".into());
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder)?;
    let mut written = 0;
    for path in corpus_logs() {
        let log = std::fs::read(&path)?;
        let name = path.file_stem().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let mut seeds = vec![(name.clone(), log.clone())];
        if log.starts_with(b"3.41\0") && log.get(16) == Some(&0) {
            seeds.push((format!("{name}.stored"), repack(&log, Packing::Stored)));
            seeds.push((format!("{name}.bzip2"), repack(&log, Packing::Bzip2)));
        }
        for (name, seed) in seeds.iter().filter(|(_, seed)| seed.len() <= MAX_SEED_BYTES) {
            std::fs::write(folder.join(name), seed)?;
            written += 1;
        }
    }
    println!("{written} seeds in {}", folder.display());
    Ok(())
}
