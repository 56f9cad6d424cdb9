//! Settings of the recorder: environment variables, which MPI launchers pass on.

use std::ffi::OsString;
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

/// Messages of MPI that are recorded one by one; all are counted, unless they are off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Messages {
    /// Those of 10 us and more.
    #[default]
    Waits,
    /// Every message.
    All,
    /// None, and none is counted.
    Off,
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
    /// Which messages of MPI have rows.
    pub messages: Messages,
    /// Programs not to record, by name.
    pub skip: Vec<String>,
    /// What is applied inside the processes, as `DIYA_APPLY` says it, and the library that does.
    pub apply: Option<(PathBuf, String)>,
    /// Folder that all nodes see, to which other nodes bring their segments.
    pub gather: Option<PathBuf>,
    /// Name of this node, which needs to bring nothing.
    pub home: Option<String>,
}

/// Variables that name a library for the regions of NVTX and of Kokkos.
const OF_REGIONS: [&str; 2] = ["NVTX_INJECTION64_PATH", "KOKKOS_TOOLS_LIBS"];

/// The variables, in the order they are best shown. `set` gives those that are set already:
/// in `LD_PRELOAD` ours comes last, so that other tools wrap us and we see what they do; a
/// program that is built with the address sanitizer refuses to start when another library
/// comes before it, unless `ASAN_OPTIONS` says otherwise; the library that applies settings comes
/// right before ours, so that we see the calls that it makes instead; a library for the regions of the
/// program stays, and ours does not hear them.
pub fn variables(
    settings: &Settings,
    set: &dyn Fn(&str) -> Option<OsString>,
) -> Vec<(String, OsString)> {
    let used = |name: &str| set(name).filter(|value| !value.is_empty());
    let mut preload = OsString::new();
    if let Some(others) = used("LD_PRELOAD") {
        preload.push(others);
        preload.push(":");
    }
    if let Some((library, _)) = &settings.apply {
        preload.push(library);
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
    if let Some(others) = used("ASAN_OPTIONS") {
        sanitizer.push(":");
        sanitizer.push(others);
    }
    all.push(("ASAN_OPTIONS", sanitizer));
    for name in OF_REGIONS.into_iter().filter(|name| used(name).is_none()) {
        all.push((name, settings.library.clone().into_os_string()));
    }
    if let Some(bytes) = settings.max_trace_bytes {
        all.push(("DIYA_MAX_TRACE", bytes.to_string().into()));
    }
    if settings.has_stacks {
        all.push(("DIYA_STACKS", "1".into()));
    }
    match settings.messages {
        Messages::Waits => {}
        Messages::All => all.push(("DIYA_MESSAGES", "all".into())),
        Messages::Off => all.push(("DIYA_MESSAGES", "off".into())),
    }
    if !settings.skip.is_empty() {
        all.push(("DIYA_SKIP", settings.skip.join(":").into()));
    }
    if let Some((_, asked)) = &settings.apply {
        all.push(("DIYA_APPLY", asked.into()));
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
            messages: Messages::Waits,
            skip: Vec::new(),
            apply: None,
            gather: None,
            home: None,
        };
        let own = "/opt/libdiya_capture.so";
        // The value of a variable where one variable is set already.
        let value = |asked: &str, set: (&str, &str)| {
            let is_set = |name: &str| (name == set.0).then(|| OsString::from(set.1));
            let mut all = variables(&settings, &is_set).into_iter();
            all.find(|(name, _)| name == asked).map(|(_, value)| value.into_string().unwrap())
        };
        let none = ("", "");
        let library: PathBuf = "/opt/libdiya_apply.so".into();
        let applying = Settings { apply: Some((library, "auto".into())), ..settings.clone() };
        let all = variables(&applying, &|name| (name == "LD_PRELOAD").then(|| "/x.so".into()));
        let preload = all.iter().find(|(name, _)| name == "LD_PRELOAD").map(|(_, value)| value);
        assert_eq!(preload, Some(&format!("/x.so:/opt/libdiya_apply.so:{own}").into()));
        assert!(all.iter().any(|(name, value)| name == "DIYA_APPLY" && value == "auto"));
        assert_eq!(value("LD_PRELOAD", none).as_deref(), Some(own));
        assert_eq!(
            value("LD_PRELOAD", ("LD_PRELOAD", "/opt/other.so")),
            Some(format!("/opt/other.so:{own}"))
        );
        let asan = "verify_asan_link_order=0";
        assert_eq!(value("ASAN_OPTIONS", none).as_deref(), Some(asan));
        assert_eq!(
            value("ASAN_OPTIONS", ("ASAN_OPTIONS", "detect_leaks=0")),
            Some(format!("{asan}:detect_leaks=0"))
        );
        let kokkos = "KOKKOS_TOOLS_LIBS";
        assert_eq!(value(kokkos, none).as_deref(), Some(own));
        assert_eq!(value(kokkos, (kokkos, "/opt/tool.so")), None);
    }
}
