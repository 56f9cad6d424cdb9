//! Where a cluster is: a file that only its owner can read, with the address and the token.

use super::ClusterError;
use std::io::Write as _;
use std::net::{TcpStream, ToSocketAddrs as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Where a cluster is, and what lets a client in.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
pub struct ClusterAt {
    /// `host:port` of the scheduler.
    pub address: String,
    /// Secret that everybody in the cluster knows.
    pub token: String,
    /// Tasks that all workers run at the same time.
    pub cores: u32,
}

impl ClusterAt {
    /// Where the file is unless it is named: in the home folder, which nodes share.
    pub fn usual_file() -> PathBuf {
        let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
        let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
        cache.or_else(home).unwrap_or_default().join("diya/cluster.json")
    }

    /// Reads the file.
    pub fn read(file: &Path) -> Result<Self, ClusterError> {
        let text = std::fs::read_to_string(file);
        let at = text.ok().and_then(|text| serde_json::from_str(&text).ok());
        at.ok_or_else(|| ClusterError::NoCluster(file.to_path_buf()))
    }

    /// Writes the file, for its owner alone.
    pub(super) fn write(&self, file: &Path) -> Result<(), ClusterError> {
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or_else(|| Path::new("."));
        let write = || {
            std::fs::create_dir_all(folder)?;
            // Such files are readable by nobody else from the start.
            let mut new = tempfile::NamedTempFile::new_in(folder)?;
            new.write_all(&serde_json::to_vec_pretty(self)?)?;
            new.persist(file).map_err(|error| error.error)?;
            Ok(())
        };
        write().map_err(|source| ClusterError::File { path: file.to_path_buf(), source })
    }

    /// Whether something listens there.
    pub(super) fn answers(&self) -> bool {
        let mut addresses = self.address.to_socket_addrs().into_iter().flatten();
        addresses.any(|at| TcpStream::connect_timeout(&at, Duration::from_secs(3)).is_ok())
    }
}

/// The program of schedulers, workers and clients: beside diya, or on the PATH.
pub fn cluster_program(diya: &Path) -> Result<PathBuf, ClusterError> {
    const NAME: &str = "diya-cluster";
    let path = std::env::var_os("PATH").unwrap_or_default();
    let beside = diya.parent().map(Path::to_path_buf);
    let mut places = beside.into_iter().chain(std::env::split_paths(&path));
    places
        .find_map(|folder| Some(folder.join(NAME)).filter(|program| program.is_file()))
        .ok_or_else(|| ClusterError::NoProgram(diya.to_path_buf()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn the_token_is_for_its_owner_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("new/cluster.json");
        let at = ClusterAt { address: "h:1".into(), token: "secret".into(), cores: 2 };
        at.write(&file).expect("written");
        let mode = std::fs::metadata(&file).expect("there").permissions().mode();
        assert_eq!(mode & 0o077, 0, "{mode:o}");
        assert_eq!(ClusterAt::read(&file).expect("whole").token, "secret");
    }

    #[test]
    fn without_a_cluster_the_message_says_how_to_start_one() {
        let error = ClusterAt::read(Path::new("/nowhere/cluster.json")).expect_err("none");
        assert!(error.to_string().contains("diya fleet cluster start"), "{error}");
        let error = cluster_program(Path::new("/nowhere/diya"));
        if let Err(error) = error {
            assert!(error.to_string().contains("make cluster"), "{error}");
        }
    }
}
