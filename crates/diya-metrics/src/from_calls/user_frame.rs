//! The user's own line in each call stack.
//!
//! The innermost frame of a stack is mostly a library's: `ostream`, `h5py`, the C
//! library. A person can change their own code only, so that is what findings name.

use crate::hash::HashMap;
use crate::rows;
use diya_model::short_function;
use diya_tables::{BatchSource, TableBuilder, stack_frame};
use std::borrow::Cow;
use std::sync::Arc;

/// Callers of a line that its row names.
const CALLERS: usize = 8;

/// What stands between two of them; the header of the metric names it.
const BETWEEN_CALLERS: &str = " < ";

diya_tables::columns! {
    struct FrameColumns of stack_frame {
        log: i32,
        stack_id: u64,
        depth: i32,
        module: str,
        function: str,
        file: str,
        line: i64,
        language: str,
    }
}

/// Where code comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    User,
    Library,
    /// Starts programs and threads; the program does not choose it.
    Runtime,
}

/// One frame of a stack; empty texts are not known.
#[derive(Debug, Clone, Copy)]
struct Frame<'t> {
    depth: i32,
    module: &'t str,
    function: &'t str,
    file: &'t str,
    line: Option<i64>,
    language: &'t str,
}

/// Rows of table `user_frame`.
pub(crate) fn compute(tables: &[Arc<dyn BatchSource>], table: &mut TableBuilder) {
    let mut write = |(log, stack_id): (i32, u64), frames: &[Frame<'_>], at: usize, origin| {
        rows::UserFrame {
            log,
            stack_id,
            origin: if origin == Origin::User { "user" } else { "library" },
            language: frames[at].language,
            source: &shown(&frames[at]),
            library_call: library_call(&frames[..at]).as_deref(),
            symbol: Some(frames[at].function).filter(|name| !name.is_empty()),
            callers: callers(&frames[at + 1..]).as_deref(),
        }
        .push(table);
    };
    // All frames of a stack stand together, and in one piece.
    FrameColumns::all(tables).for_each(|of| each_stack(&of, &mut write));
}

/// Of each stack the user's line, and the library that works below it: an interpreter's
/// module or package, or a shared library. Stacks without one are left out.
pub(super) fn libraries(tables: &[Arc<dyn BatchSource>]) -> HashMap<(i32, u64), (String, String)> {
    let mut libraries = HashMap::default();
    let mut add = |key: (i32, u64), frames: &[Frame<'_>], at: usize, origin| {
        let is_named = |frame: &&Frame<'_>| !frame.function.is_empty();
        let below = match origin {
            Origin::User => frames[..at].iter().rev().find(is_named),
            _ => Some(&frames[at]),
        };
        let line = if origin == Origin::User { shown(&frames[at]) } else { String::new() };
        if let Some(library) = below.and_then(library) {
            libraries.insert(key, (line, library));
        }
    };
    FrameColumns::all(tables).for_each(|of| each_stack(&of, &mut add));
    libraries
}

/// What a frame of a library belongs to: `importlib`, `numpy`, `libhdf5.so`.
fn library(frame: &Frame<'_>) -> Option<String> {
    if frame.language != "python" {
        let name = frame.module.rsplit('/').next().unwrap_or_default();
        // The program itself is none.
        return name.find(".so").map(|at| name[..at + 3].to_owned());
    }
    if let Some(frozen) = frame.file.strip_prefix("<frozen ") {
        return Some(frozen.split(['.', '>']).next().unwrap_or_default().to_owned());
    }
    let folders = ["/site-packages/", "/dist-packages/"];
    let package = folders.iter().find_map(|folder| frame.file.split_once(folder).map(|of| of.1));
    let module = frame.file.split_once("/lib/python3").and_then(|of| of.1.split_once('/'));
    let name = package.or(module.map(|of| of.1))?.split('/').next()?;
    Some(name.strip_suffix(".py").unwrap_or(name).to_owned())
}

/// Calls `of` with every stack that names a line: its key, its frames, the place of the
/// user's (or a library's) frame among them.
fn each_stack(
    columns: &FrameColumns,
    of: &mut impl FnMut((i32, u64), &[Frame<'_>], usize, Origin),
) {
    let frame = |row: usize| Frame {
        depth: columns.depth.value(row),
        module: columns.module.get(row).unwrap_or_default(),
        function: columns.function.get(row).unwrap_or_default(),
        file: columns.file.get(row).unwrap_or_default(),
        line: columns.line.get(row),
        language: columns.language.get(row).unwrap_or_default(),
    };
    let key_of = |row: usize| (columns.log.value(row), columns.stack_id.value(row));
    let mut first = 0;
    while first < columns.rows() {
        let key = key_of(first);
        let of_stack = (first..columns.rows()).take_while(|row| key_of(*row) == key);
        let mut frames: Vec<Frame<'_>> = of_stack.map(frame).collect();
        first += frames.len();
        frames.sort_by_key(|frame| frame.depth);
        if let Some((at, origin)) = chosen(&frames) {
            of(key, &frames, at, origin);
        }
    }
}

/// The innermost frame of the user's; else the innermost one of a library that has a
/// name. Frames with a line go before those without.
fn chosen(frames: &[Frame<'_>]) -> Option<(usize, Origin)> {
    let of = |origin: Origin, has_line: bool| {
        let is_it = |frame: &Frame<'_>| {
            origin_of(frame) == origin
                && if has_line { frame.line.is_some() } else { !frame.function.is_empty() }
        };
        frames.iter().position(is_it).map(|at| (at, origin))
    };
    of(Origin::User, true)
        .or_else(|| of(Origin::User, false))
        .or_else(|| of(Origin::Library, true))
        .or_else(|| of(Origin::Library, false))
}

/// The function that the user's line called: the outermost library frame below it.
fn library_call(below: &[Frame<'_>]) -> Option<String> {
    let called = below.iter().rev().find(|frame| !frame.function.is_empty())?;
    Some(name_of(called).into_owned())
}

/// The function as a person would write it; names of scripts are as their authors wrote them.
fn name_of<'t>(frame: &Frame<'t>) -> Cow<'t, str> {
    match frame.language {
        "python" => Cow::Borrowed(frame.function),
        _ => short_function(frame.function),
    }
}

/// The user's lines among the frames around a line, the nearest first; a function that calls
/// itself at one line is named once.
fn callers(around: &[Frame<'_>]) -> Option<String> {
    let is_own = |frame: &&Frame<'_>| origin_of(frame) == Origin::User && frame.line.is_some();
    let mut lines: Vec<String> = around.iter().filter(is_own).map(shown).collect();
    lines.dedup();
    lines.truncate(CALLERS);
    (!lines.is_empty()).then(|| lines.join(BETWEEN_CALLERS))
}

fn shown(frame: &Frame<'_>) -> String {
    let name = name_of(frame);
    let function = if name.is_empty() { "?" } else { &*name };
    match frame.line {
        Some(line) => format!("{function} ({}:{line})", frame.file),
        None => format!("{function} ({})", frame.module),
    }
}

/// Functions that call `main` or a thread's first function, or follow their end.
const RUNTIME: &[&str] = &[
    "_start",
    "__libc_start_main",
    "__libc_start_call_main",
    "__libc_start_main_impl",
    "__run_exit_handlers",
    "__GI_exit",
    "exit",
    "_dl_call_fini",
    "_dl_fini",
    "_dl_init",
    "call_init",
    "start_thread",
    "clone",
    "clone3",
    "__clone3",
    "_PyRun_SimpleFile",
];

/// Folders of the system's and packages' code.
const LIBRARY_FOLDERS: &[&str] = &[
    "/usr/lib/",
    "/usr/lib64/",
    "/usr/libexec/",
    "/lib/",
    "/lib64/",
    "/usr/include/",
    "/usr/share/",
    "/opt/cray/",
    "/opt/intel/",
    "/site-packages/",
    "/dist-packages/",
    "/lib/python3",
    "/include/c++/",
    "/rustc/",
    "/.cargo/registry/",
    "/spack/",
];

/// The recorder's library: its hooks have the names of what they record.
const RECORDER: &str = "libdiya_capture";

/// Interpreters: their own frames say nothing about the program they run.
const INTERPRETERS: &[&str] = &["python", "perl", "ruby", "bash", "dash", "julia", "java", "R"];

fn origin_of(frame: &Frame<'_>) -> Origin {
    let is_below = |path: &str| LIBRARY_FOLDERS.iter().any(|folder| path.contains(folder));
    if frame.language == "python" {
        // `<frozen importlib>`, `<string>`: no file of the user's, but for `-c` and cells.
        let is_frozen = frame.file.starts_with("<frozen");
        return if is_frozen || is_below(frame.file) { Origin::Library } else { Origin::User };
    }
    let name = frame.module.rsplit('/').next().unwrap_or_default();
    // Sources that the system was built from stand below relative paths.
    let is_foreign = frame.file.starts_with("./") || frame.file.starts_with("../");
    if RUNTIME.contains(&frame.function) || name.starts_with(RECORDER) {
        Origin::Runtime
    } else if is_below(frame.module)
        || is_below(frame.file)
        || frame.module.is_empty()
        || INTERPRETERS.iter().any(|of| name.strip_prefix(of).is_some_and(is_version))
        || (is_foreign && name.starts_with("lib"))
        || frame.function.starts_with("std::")
    {
        Origin::Library
    } else {
        Origin::User
    }
}

/// What may follow an interpreter's name: nothing, or a version.
fn is_version(rest: &str) -> bool {
    rest.chars().all(|c| c.is_ascii_digit() || c == '.')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn native<'t>(module: &'t str, function: &'t str, file: &'t str, line: i64) -> Frame<'t> {
        let line = (line > 0).then_some(line);
        Frame { depth: 0, module, function, file, line, language: "native" }
    }

    fn python<'t>(function: &'t str, file: &'t str, line: i64) -> Frame<'t> {
        Frame { depth: 0, module: "", function, file, line: Some(line), language: "python" }
    }

    #[test]
    fn a_stream_of_cxx_is_a_library_even_where_it_is_inlined() {
        let stack = [
            native("/lib/x86_64-linux-gnu/libstdc++.so.6", "std::ostream::flush()", "", 0),
            native(
                "/home/me/app",
                "std::endl<char>(std::ostream&)",
                "/usr/include/c++/12/ostream",
                113,
            ),
            native("/home/me/app", "save(int)", "/home/me/app.cpp", 4),
            native("/home/me/app", "main", "/home/me/app.cpp", 9),
        ];
        assert_eq!(chosen(&stack), Some((2, Origin::User)));
        assert_eq!(shown(&stack[2]), "save (/home/me/app.cpp:4)");
        assert_eq!(callers(&stack[3..]).as_deref(), Some("main (/home/me/app.cpp:9)"));
        assert_eq!(library_call(&stack[..2]).as_deref(), Some("std::endl"));
    }

    #[test]
    fn packages_and_the_interpreter_are_passed_over() {
        let stack = [
            python(
                "Dataset.__setitem__",
                "/venv/lib/python3.11/site-packages/h5py/_hl/dataset.py",
                9,
            ),
            python("store", "/home/me/run.py", 17),
            python("<module>", "/home/me/run.py", 30),
            native("/usr/bin/python3.11", "Py_RunMain", "", 0),
        ];
        assert_eq!(chosen(&stack), Some((1, Origin::User)));
        assert_eq!(library_call(&stack[..1]).as_deref(), Some("Dataset.__setitem__"));
        assert_eq!(origin_of(&stack[3]), Origin::Library);
    }

    #[test]
    fn a_library_is_named_by_its_package_or_file() {
        let name = |frame: Frame<'_>| library(&frame).unwrap_or_default();
        assert_eq!(name(python("_path_stat", "<frozen importlib._bootstrap>", 1)), "importlib");
        assert_eq!(name(python("f", "/v/lib/python3.11/importlib/__init__.py", 1)), "importlib");
        assert_eq!(name(python("f", "/v/lib/python3.11/tarfile.py", 1)), "tarfile");
        assert_eq!(name(python("f", "/v/lib/python3.11/site-packages/h5py/_hl/a.py", 1)), "h5py");
        assert_eq!(name(native("/lib/libhdf5.so.103", "H5Dwrite", "", 0)), "libhdf5.so");
        assert_eq!(library(&python("f", "/home/me/run.py", 1)), None);
    }

    #[test]
    fn callers_are_lines_of_the_user_the_nearest_first() {
        let stack = [
            native("/home/me/app", "__set_MOD_put", "/home/me/set.f90", 3),
            native("/home/me/app", "__set_MOD_put", "/home/me/set.f90", 3),
            native("/usr/lib/libgomp.so.1", "GOMP_parallel", "", 0),
            native("/home/me/app", "MAIN__", "/home/me/app.f90", 20),
        ];
        let named = "set::put (/home/me/set.f90:3) < main program (/home/me/app.f90:20)";
        assert_eq!(callers(&stack).as_deref(), Some(named));
        assert_eq!(callers(&stack[2..3]), None);
    }

    #[test]
    fn what_starts_a_program_is_nobodys_line() {
        let start = native("/home/me/app", "_start", "", 0);
        let main = native(
            "/lib/x86_64-linux-gnu/libc.so.6",
            "__libc_start_main_impl",
            "./csu/libc-start.c",
            3,
        );
        assert_eq!(chosen(&[main, start]), None);
    }

    #[test]
    fn a_hook_of_the_recorder_is_nobodys_line() {
        let stack = [
            native("/tmp/diya-0/recorder-0.1.0/libdiya_capture.so", "nc_enddef", "", 0),
            native("/usr/lib/libcdi.so.0", "cdf_enddef", "", 0),
        ];
        assert_eq!(chosen(&stack), Some((1, Origin::Library)));
    }

    #[test]
    fn a_library_answers_where_the_user_has_no_frame() {
        let stack = [native("/usr/lib/libz.so.1", "gzwrite", "", 0)];
        assert_eq!(chosen(&stack), Some((0, Origin::Library)));
        assert_eq!(shown(&stack[0]), "gzwrite (/usr/lib/libz.so.1)");
    }
}
