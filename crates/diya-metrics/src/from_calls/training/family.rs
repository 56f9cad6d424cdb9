//! Which process consumes what another one loads.

use diya_tables::{BatchSource, process};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// Steps from a process to its parent: nobody nests deeper, a damaged log may.
const MAX_DEPTH: usize = 16;

/// What the command line of a worker contains that Python's multiprocessing, or a package
/// of that kind, did not fork from its parent.
const WORKER: &str = "multiprocess";

/// One process.
#[derive(Debug, Clone)]
struct Process {
    rank: i32,
    parent: Option<i32>,
    command_line: String,
    step_rank: Option<i32>,
    is_python: bool,
}

/// A process: log, number.
pub(super) type Key = (i32, i32);

/// All processes.
#[derive(Debug, Default)]
pub(super) struct Families(HashMap<Key, Process>);

diya_tables::columns! {
    struct ProcessColumns of process {
        log: i32,
        process: i32,
        rank: i32,
        parent: i32,
        exe: str,
        command_line: str,
        step_rank: i32,
        language: str,
    }
}

impl Families {
    /// From table `process`.
    pub fn read(tables: &[Arc<dyn BatchSource>]) -> Self {
        let mut all = Self::default();
        for of in ProcessColumns::all(tables) {
            for row in 0..of.rows() {
                let exe = of.exe.value(row).rsplit('/').next().unwrap_or_default();
                let process = Process {
                    rank: of.rank.value(row),
                    parent: of.parent.get(row),
                    command_line: of.command_line.value(row).to_owned(),
                    step_rank: of.step_rank.get(row),
                    is_python: of.language.get(row) == Some("cpython") || exe.contains("python"),
                };
                all.0.insert((of.log.value(row), of.process.value(row)), process);
            }
        }
        all
    }

    /// Whether there is a process of Python.
    pub fn has_python(&self) -> bool {
        self.0.values().any(|process| process.is_python)
    }

    /// Whether a process of Python has another one that works for it.
    pub fn has_workers(&self) -> bool {
        self.0.keys().any(|key| self.works_for(*key).is_some())
    }

    /// Its number in all tables.
    pub fn rank(&self, key: Key) -> i32 {
        self.0.get(&key).map_or(key.1, |process| process.rank)
    }

    /// The process itself, and those that it works for, the nearest first.
    pub fn line(&self, (log, mut number): Key) -> Vec<i32> {
        let mut line = vec![number];
        while line.len() < MAX_DEPTH
            && let Some(next) = self.works_for((log, number))
        {
            number = next;
            line.push(number);
        }
        line
    }

    /// Processes by the one that consumes what they load: the nearest that names its steps,
    /// else the one that they all work for, where that is Python.
    pub fn of_consumers(&self, is_named: impl Fn(Key) -> bool) -> BTreeMap<Key, Vec<i32>> {
        let mut families: BTreeMap<Key, Vec<i32>> = BTreeMap::new();
        for (log, number) in self.0.keys() {
            let line = self.line((*log, *number));
            let named = line.iter().find(|of| is_named((*log, **of)));
            let first = line.last().filter(|of| self.is_python((*log, **of)));
            if let Some(consumer) = named.or(first) {
                families.entry((*log, *consumer)).or_default().push(*number);
            }
        }
        families
    }

    fn is_python(&self, key: Key) -> bool {
        self.0.get(&key).is_some_and(|process| process.is_python)
    }

    /// Parent and process run one program: it was forked, or is a worker of a pool.
    fn works_for(&self, (log, number): Key) -> Option<i32> {
        let process = self.0.get(&(log, number))?;
        let at = process.parent.filter(|parent| *parent != number)?;
        let parent = self.0.get(&(log, at)).filter(|parent| parent.is_python)?;
        let is_worker = process.command_line.contains(WORKER);
        let is_forked = process.command_line == parent.command_line || is_worker;
        (is_forked && process.step_rank == parent.step_rank).then_some(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workers_load_for_the_process_that_forked_them_and_ranks_for_nobody() {
        let process = |parent: Option<i32>, command_line: &str, step_rank| Process {
            rank: 0,
            parent,
            command_line: command_line.to_owned(),
            step_rank,
            is_python: true,
        };
        let spawned =
            "python -c 'from multiprocessing.spawn import spawn_main' --multiprocessing-fork";
        let all = Families(HashMap::from([
            ((0, 0), process(None, "torchrun train.py", None)),
            ((0, 1), process(Some(0), "python train.py", Some(0))),
            ((0, 2), process(Some(1), "python train.py", Some(0))),
            ((0, 3), process(Some(0), "python train.py", Some(1))),
            ((0, 4), process(Some(3), spawned, Some(1))),
            ((0, 5), process(Some(3), "python -m pip list", Some(1))),
        ]));
        assert_eq!(all.line((0, 2)), [2, 1]);
        assert_eq!(all.line((0, 4)), [4, 3]);
        assert_eq!(all.line((0, 5)), [5]);
        let families = |named: i32| {
            let mut families = all.of_consumers(|key| key.1 == named);
            families.values_mut().for_each(|of| of.sort_unstable());
            families.into_iter().map(|(key, of)| (key.1, of)).collect::<Vec<_>>()
        };
        assert_eq!(families(-1), [(0, vec![0]), (1, vec![1, 2]), (3, vec![3, 4]), (5, vec![5])]);
        assert_eq!(families(2)[1..3], [(1, vec![1]), (2, vec![2])]);
    }
}
