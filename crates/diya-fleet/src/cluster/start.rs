//! Starting a cluster, and what becomes of it while it runs.

use super::{ClusterAt, ClusterError};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// How long workers may take to come up.
const PATIENCE: Duration = Duration::from_secs(120);

/// Time between two looks.
const TICK: Duration = Duration::from_millis(50);

/// Where the workers run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nodes {
    /// So many on this machine, reached by nobody from outside.
    Here(u32),
    /// One on each of so many nodes of the Slurm allocation that this process is part of.
    Slurm(u32),
}

/// What is started.
#[derive(Debug, Clone)]
pub struct ClusterPlan {
    /// The program `diya-cluster`.
    pub program: PathBuf,
    /// Where the workers run.
    pub nodes: Nodes,
    /// Tasks that a worker runs at the same time.
    pub cores: u32,
    /// The file that says where the cluster is.
    pub file: PathBuf,
}

/// A cluster that runs until it is dropped.
#[derive(Debug)]
pub struct Cluster {
    /// Where it is.
    pub at: ClusterAt,
    file: PathBuf,
    scheduler: Child,
    workers: Vec<Child>,
    /// Workers that were started.
    wanted: u32,
    /// Workers that speak to the scheduler.
    now: u32,
    /// All of them were there once.
    was_whole: bool,
    numbers: Receiver<u32>,
    /// Rows of workers on this machine.
    _work: tempfile::TempDir,
}

impl Cluster {
    /// Starts scheduler and workers, and waits until all workers are there.
    pub fn start(plan: &ClusterPlan, stop: &AtomicBool) -> Result<Self, ClusterError> {
        if let Ok(other) = ClusterAt::read(&plan.file)
            && other.answers()
        {
            let path = plan.file.clone();
            return Err(ClusterError::Runs { address: other.address, path });
        }
        let token = token()?;
        let (bind, host, wanted) = match plan.nodes {
            Nodes::Here(workers) => ("127.0.0.1", "127.0.0.1".to_owned(), workers.max(1)),
            Nodes::Slurm(nodes) => ("0.0.0.0", node_name()?, nodes.max(1)),
        };
        let mut command = Command::new(&plan.program);
        command.arg("scheduler").stdout(Stdio::piped());
        let job = serde_json::json!({ "token": token, "bind": bind, "host": host });
        let mut scheduler = start(command, &job)?;
        let (address, numbers) = listen(&mut scheduler)?;
        let at = ClusterAt { address, token, cores: plan.cores.saturating_mul(wanted) };
        let work = tempfile::tempdir().map_err(|e| ClusterError::Start(e.to_string()))?;
        let mut job = serde_json::json!({
            "token": at.token,
            "scheduler": at.address,
            "bind": bind,
            "cores": plan.cores,
        });
        let mut cluster = Self {
            at,
            file: plan.file.clone(),
            scheduler,
            workers: Vec::new(),
            wanted,
            now: 0,
            was_whole: false,
            numbers,
            _work: work,
        };
        match plan.nodes {
            Nodes::Here(_) => {
                job["host"] = host.into();
                job["work"] = cluster._work.path().to_string_lossy().into();
                job["memory_bytes"] = (diya_query::most_memory_bytes() / wanted as usize).into();
                for _ in 0..wanted {
                    let mut command = Command::new(&plan.program);
                    command.arg("worker");
                    cluster.workers.push(start(command, &job)?);
                }
            }
            Nodes::Slurm(nodes) => {
                cluster.workers.push(start(srun(plan, nodes), &job)?);
            }
        }
        cluster.wait_for_all(stop)?;
        cluster.at.write(&cluster.file)?;
        Ok(cluster)
    }

    fn wait_for_all(&mut self, stop: &AtomicBool) -> Result<(), ClusterError> {
        let begin = Instant::now();
        while self.now < self.wanted {
            self.look()?;
            if stop.load(Ordering::SeqCst) {
                return Err(ClusterError::Start("it was interrupted".to_owned()));
            }
            if begin.elapsed() > PATIENCE {
                let (now, wanted) = (self.now, self.wanted);
                let what = format!("{now} of {wanted} workers came up within {PATIENCE:?}");
                return Err(ClusterError::Start(what));
            }
            std::thread::sleep(TICK);
        }
        self.was_whole = true;
        Ok(())
    }

    /// Looks whether all is well: `Some` with the workers that are left where their number
    /// has changed, an error where nothing is left.
    pub fn look(&mut self) -> Result<Option<u32>, ClusterError> {
        let mut changed = None;
        while let Ok(now) = self.numbers.try_recv() {
            self.now = now;
            changed = Some(now);
        }
        if let Ok(Some(status)) = self.scheduler.try_wait() {
            return Err(ClusterError::Ended(format!("its scheduler, {status}")));
        }
        let runs = |worker: &mut Child| !matches!(worker.try_wait(), Ok(Some(_)));
        if !self.workers.iter_mut().any(runs) || (self.was_whole && self.now == 0) {
            return Err(ClusterError::Ended("no worker is left".to_owned()));
        }
        Ok(changed)
    }

    /// Workers that were started.
    pub fn workers(&self) -> u32 {
        self.wanted
    }
}

impl Drop for Cluster {
    /// Processes of a cluster end when their standard input does.
    fn drop(&mut self) {
        if ClusterAt::read(&self.file).is_ok_and(|at| at.token == self.at.token) {
            let _ = std::fs::remove_file(&self.file);
        }
        let mut all: Vec<&mut Child> = self.workers.iter_mut().collect();
        all.push(&mut self.scheduler);
        for child in &mut all {
            drop(child.stdin.take());
        }
        let begin = Instant::now();
        for child in all {
            while !matches!(child.try_wait(), Ok(Some(_))) {
                if begin.elapsed() > Duration::from_secs(5) {
                    let _ = child.kill();
                    let _ = child.wait();
                }
                std::thread::sleep(TICK);
            }
        }
    }
}

/// One task on each node. A node that is lost does not take the others with it.
fn srun(plan: &ClusterPlan, nodes: u32) -> Command {
    let mut command = Command::new("srun");
    command.args(["--overlap", "--wait=0", "--kill-on-bad-exit=0", "--ntasks-per-node=1"]);
    command.args([format!("--nodes={nodes}"), format!("--ntasks={nodes}")]);
    command.arg(format!("--cpus-per-task={}", plan.cores)).arg(&plan.program).arg("worker");
    command
}

/// Starts a process and tells it its job; its standard input stays open.
fn start(mut command: Command, job: &serde_json::Value) -> Result<Child, ClusterError> {
    let path = PathBuf::from(command.get_program());
    let failed = |source| ClusterError::Program { path, source };
    let mut child = command.stdin(Stdio::piped()).spawn().map_err(failed)?;
    // A process that has ended says why by itself.
    let _ = child.stdin.as_mut().map(|input| writeln!(input, "{job}"));
    Ok(child)
}

/// The address that a scheduler prints first, and the numbers of workers that follow.
fn listen(scheduler: &mut Child) -> Result<(String, Receiver<u32>), ClusterError> {
    let no_start = || ClusterError::Start("its scheduler ended at once".to_owned());
    let mut lines = BufReader::new(scheduler.stdout.take().ok_or_else(no_start)?).lines();
    let address = lines.next().and_then(Result::ok).ok_or_else(no_start)?;
    let (say, numbers) = channel();
    std::thread::spawn(move || {
        for number in lines.map_while(Result::ok).filter_map(|line| line.parse().ok()) {
            if say.send(number).is_err() {
                return;
            }
        }
    });
    Ok((address, numbers))
}

/// 128 bits that nobody can guess.
fn token() -> Result<String, ClusterError> {
    let path = Path::new("/dev/urandom");
    let mut bytes = [0; 16];
    let read = std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut bytes));
    read.map_err(|source| ClusterError::File { path: path.to_path_buf(), source })?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Name of this node, as the batch system and its other nodes call it.
fn node_name() -> Result<String, ClusterError> {
    let path = Path::new("/proc/sys/kernel/hostname");
    let kernel = || std::fs::read_to_string(path).map(|name| name.trim().to_owned());
    let name = std::env::var("SLURMD_NODENAME").or_else(|_| kernel());
    name.map_err(|source| ClusterError::File { path: path.to_path_buf(), source })
}
