//! Settings of the recorder: environment variables, which MPI launchers pass on.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

/// What is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// Every call.
    #[default]
    Trace,
    /// Counters and a heat map only, in constant memory.
    Profile,
}

/// Settings of a recording.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The recorder's library.
    pub library: PathBuf,
    /// Folder for segments, by its path on every node.
    pub directory: PathBuf,
    /// What is recorded.
    pub mode: Mode,
    /// Bytes of records per process, after which calls are only counted.
    pub max_trace_bytes: Option<u64>,
    /// Record where in the program each call was made.
    pub has_stacks: bool,
    /// Programs not to record, by name.
    pub skip: Vec<String>,
    /// Folder that all nodes see, to which other nodes bring their segments.
    pub gather: Option<PathBuf>,
    /// Name of this node, which needs to bring nothing.
    pub home: Option<String>,
}

/// The variables, in the order they are best shown. `preloaded` is what
/// `LD_PRELOAD` holds already: ours comes last, so that other tools wrap us and
/// we see what they do. `asan` is what `ASAN_OPTIONS` holds: a program that is built
/// with the address sanitizer refuses to start when another library comes before it.
pub fn variables(
    settings: &Settings,
    preloaded: Option<&OsStr>,
    asan: Option<&OsStr>,
) -> Vec<(String, OsString)> {
    let mut preload = OsString::new();
    if let Some(others) = preloaded.filter(|others| !others.is_empty()) {
        preload.push(others);
        preload.push(":");
    }
    preload.push(&settings.library);
    let mut all = vec![
        ("LD_PRELOAD", preload),
        ("DIYA_DIR", settings.directory.clone().into_os_string()),
        (
            "DIYA_MODE",
            match settings.mode {
                Mode::Trace => "trace",
                Mode::Profile => "profile",
            }
            .into(),
        ),
    ];
    let mut sanitizer = OsString::from("verify_asan_link_order=0");
    if let Some(others) = asan.filter(|others| !others.is_empty()) {
        sanitizer.push(":");
        sanitizer.push(others);
    }
    all.push(("ASAN_OPTIONS", sanitizer));
    if let Some(bytes) = settings.max_trace_bytes {
        all.push(("DIYA_MAX_TRACE", bytes.to_string().into()));
    }
    if settings.has_stacks {
        all.push(("DIYA_STACKS", "1".into()));
    }
    if !settings.skip.is_empty() {
        all.push(("DIYA_SKIP", settings.skip.join(":").into()));
    }
    if let Some(gather) = &settings.gather {
        all.push(("DIYA_GATHER", gather.clone().into_os_string()));
    }
    if let Some(home) = &settings.home {
        all.push(("DIYA_HOME", home.into()));
    }
    all.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_that_is_preloaded_already_stays_first() {
        let settings = Settings {
            library: "/opt/libdiya_capture.so".into(),
            directory: "/dev/shm/x".into(),
            mode: Mode::Trace,
            max_trace_bytes: None,
            has_stacks: false,
            skip: Vec::new(),
            gather: None,
            home: None,
        };
        let all = variables(&settings, Some(OsStr::new("/opt/other.so")), None);
        assert_eq!(all[0].1, "/opt/other.so:/opt/libdiya_capture.so");
        assert_eq!(variables(&settings, None, None)[0].1, "/opt/libdiya_capture.so");
        let value = |all: Vec<(String, OsString)>| {
            all.into_iter().find(|(name, _)| name == "ASAN_OPTIONS").map(|(_, value)| value)
        };
        assert_eq!(value(all), Some("verify_asan_link_order=0".into()));
        let others = variables(&settings, None, Some(OsStr::new("detect_leaks=0")));
        assert_eq!(value(others), Some("verify_asan_link_order=0:detect_leaks=0".into()));
    }
}
