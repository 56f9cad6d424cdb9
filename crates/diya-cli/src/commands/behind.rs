//! `diya run` behind a launcher: each rank has a `diya run` of its own, and a log
//! of its own, since none knows when the others are done.

use std::path::{Path, PathBuf};

/// Rank and number of ranks that launchers put into the environment; a third
/// name has to be set as well.
const RANKS: [(&str, &str, &str); 4] = [
    ("PMI_RANK", "PMI_SIZE", "PMI_RANK"),
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"),
    // A batch script has SLURM_PROCID=0 as well: srun sets the step.
    ("SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_STEP_ID"),
    ("PALS_RANKID", "PALS_SIZE", "PALS_RANKID"),
];

/// This process's rank of several, if a launcher started it as one.
pub fn rank(variable: impl Fn(&str) -> Option<String>) -> Option<u32> {
    RANKS.iter().find_map(|(rank, size, mark)| {
        variable(mark)?;
        let is_alone = variable(size).is_some_and(|size| size == "1");
        variable(rank)?.parse().ok().filter(|_| !is_alone)
    })
}

/// `app.diya` of rank 3: `app.rank3.diya`.
pub fn log_of(rank: u32, log: &Path) -> PathBuf {
    let ending = log.extension().map(|e| format!(".{}", e.to_string_lossy()));
    log.with_extension(format!("rank{rank}{}", ending.unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rank_of_several_has_a_log_of_its_own() {
        let of = |set: &'static [(&str, &str)]| {
            rank(|name| set.iter().find(|(n, _)| *n == name).map(|(_, value)| (*value).to_owned()))
        };
        assert_eq!(of(&[("PMI_RANK", "3"), ("PMI_SIZE", "4")]), Some(3));
        assert_eq!(of(&[("PMI_RANK", "0"), ("PMI_SIZE", "1")]), None);
        assert_eq!(of(&[("SLURM_PROCID", "0")]), None);
        assert_eq!(of(&[("SLURM_PROCID", "2"), ("SLURM_STEP_ID", "0")]), Some(2));
        assert_eq!(log_of(3, Path::new("out/app.diya")), Path::new("out/app.rank3.diya"));
        assert_eq!(log_of(3, Path::new("app")), Path::new("app.rank3"));
    }
}
