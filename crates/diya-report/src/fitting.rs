//! The fix that fits a job and a finding: its language, its library, its direction.

use crate::{Action, Finding, Job, Value};

/// File systems: what to set there needs no change of the program.
const FILE_SYSTEMS: [&str; 7] = ["Lustre", "GPFS", "NFS", "DAOS", "BeeGFS", "GlusterFS", "dfuse"];

/// Languages with names of their own for what libraries do, and SQLite, whose users write
/// SQL: their fix is of more use than that of the library below.
const OWN_NAMES: [&str; 6] = ["SQLite", "Python", "Fortran", "R", "Julia", "Java"];

/// Languages that call the libraries by the names of their C interface.
const C_LANGUAGES: [&str; 2] = ["C++", "C"];

/// Packages through which Python uses a library. Advice about `open` does not help there, and
/// the C interface of the library is not at hand.
const PACKAGES: [(&str, &str); 2] = [("HDF5", "h5py"), ("NetCDF", "netCDF4")];

/// How the names of Python methods begin that use a library.
const METHODS: [(&str, &str); 4] = [
    ("Dataset.__", "HDF5"),
    ("Group.", "HDF5"),
    ("AttributeManager.", "HDF5"),
    ("Variable.__", "NetCDF"),
];

/// Functions of libraries by how their names begin.
const LIBRARIES: [(&str, &str); 9] = [
    ("H5", "HDF5"),
    ("h5", "HDF5"),
    ("nc_", "NetCDF"),
    ("nf90_", "NetCDF"),
    ("ncmpi", "PnetCDF"),
    ("nfmpi", "PnetCDF"),
    ("nf90mpi_", "PnetCDF"),
    ("MPI_File", "MPI-IO"),
    ("adios2", "ADIOS2"),
];

/// Libraries by how the names of their files end.
const ENDINGS: [(&str, &str); 5] =
    [(".h5", "HDF5"), (".hdf5", "HDF5"), (".he5", "HDF5"), (".nc", "NetCDF"), (".nc4", "NetCDF")];

/// Puts the actions of a finding in order and marks those that fit: the general ones, and
/// those of one software, for the direction of the finding.
pub fn arrange_actions(job: &Job, finding: &mut Finding) {
    let direction = direction(finding).map(str::to_owned);
    let wanted = wanted(job, finding);
    let place = |action: &Action| {
        let is_it = |stack: &&str| stack.eq_ignore_ascii_case(&action.stack);
        wanted.iter().position(is_it).unwrap_or(usize::MAX)
    };
    let is_general = |action: &Action| action.stack == "any";
    let is_flushed = direction.as_deref() == Some("flush");
    let flushes: Vec<String> = finding.actions.iter().filter(is_flush).map(stack_of).collect();
    // Where the flush is the cause, a larger buffer for the writes does not help.
    let is_meant = |action: &Action| match action.op.as_deref() {
        None => true,
        Some("flush") => is_flushed,
        Some("write") if is_flushed => !flushes.contains(&action.stack),
        _ => direction.is_none() || action.op == direction,
    };
    let software =
        || finding.actions.iter().filter(|action| !is_general(action) && is_meant(action));
    let best = software().min_by_key(|action| place(action));
    // Where nothing of the job is named, one example says more than a list of names.
    let has_general = finding.actions.iter().any(is_general);
    let best = best.filter(|action| place(action) < usize::MAX || !has_general);
    let stack = best.map(|action| action.stack.clone());
    let is_of_it = |action: &Action| Some(&action.stack) == stack.as_ref();
    let has_own = direction.is_some() && software().any(|a| is_of_it(a) && a.op.is_some());
    // What is to be done in every program of this direction, the fix of the software says in code.
    let is_said = |action: &Action| stack.is_some() && action.op.is_some() && !is_flush(&action);
    let fits = |action: &Action| match is_general(action) {
        true => is_meant(action) && !is_said(action),
        false => is_meant(action) && is_of_it(action) && (!has_own || action.op.is_some()),
    };
    let mut actions = finding.actions.clone();
    actions.iter_mut().for_each(|action| action.fits = fits(action));
    actions.sort_by_key(|action| {
        (!action.fits, !is_general(action), place(action), action.op.is_some())
    });
    finding.actions = actions;
}

/// The actions that a report shows at once; all, where none is marked.
pub fn fitting_actions(finding: &Finding) -> (Vec<&Action>, Vec<&Action>) {
    let (fitting, others): (Vec<&Action>, Vec<&Action>) =
        finding.actions.iter().partition(|action| action.fits);
    if fitting.is_empty() { (others, fitting) } else { (fitting, others) }
}

fn is_flush(action: &&Action) -> bool {
    action.op.as_deref() == Some("flush")
}

fn stack_of(action: &Action) -> String {
    action.stack.clone()
}

/// `read` or `write`: of the worst row of the evidence, else of the calls that the finding
/// explains; `flush`: writes of a line that flushes; `None`: of both, or neither.
pub(crate) fn direction(finding: &Finding) -> Option<&str> {
    let moved = moved(finding);
    let called = finding.source.first().and_then(|line| called(line));
    let flushes = called.is_some_and(|name| name.contains("flush") || name.contains("endl"));
    if flushes && moved != Some("read") { Some("flush") } else { moved }
}

fn moved(finding: &Finding) -> Option<&str> {
    let is_one = |word: &&str| ["read", "write"].contains(word);
    let worst = finding.evidence.first();
    let said = |column: &str| match worst?.values.get(column)? {
        Value::Text(word) => Some(word.as_str()).filter(is_one),
        _ => None,
    };
    let mut classes: Vec<&str> = finding.explains.iter().map(|part| part.class.as_str()).collect();
    classes.retain(is_one);
    classes.dedup();
    let only = || classes.first().copied().filter(|_| classes.len() == 1);
    said("op").or_else(|| said("class")).or_else(only).or_else(|| of_libraries(&finding.source))
}

/// What the lines ask of their libraries, if all that transfer do the same: to write, these also
/// read below.
fn of_libraries(lines: &[String]) -> Option<&'static str> {
    const CALLS: [(&str, &str); 10] = [
        ("MPI_File_write", "write"),
        ("MPI_File_iwrite", "write"),
        ("H5Dwrite", "write"),
        ("nc_put_", "write"),
        ("ncmpi_put_", "write"),
        ("MPI_File_read", "read"),
        ("MPI_File_iread", "read"),
        ("H5Dread", "read"),
        ("nc_get_", "read"),
        ("ncmpi_get_", "read"),
    ];
    let direction = |name: &str| CALLS.iter().find(|(of, _)| name.starts_with(of));
    let mut of_lines = lines.iter().filter_map(|line| called(line)).filter_map(direction);
    let (_, first) = of_lines.next()?;
    of_lines.all(|(_, op)| op == first).then_some(*first)
}

/// Software that a fix is wanted for, the most wanted first.
fn wanted<'a>(job: &'a Job, finding: &'a Finding) -> Vec<&'a str> {
    let layer = finding.id.split('/').next().unwrap_or_default();
    let about = ["HDF5", "NetCDF", "PnetCDF", "MPI-IO", "Lustre", "GPFS", "DAOS", "Python"];
    let is_layer = |stack: &&str| stack.replace('-', "").eq_ignore_ascii_case(layer);
    let own: Vec<&str> = about.into_iter().filter(is_layer).collect();
    let is_system = |stack: &&str| FILE_SYSTEMS.contains(stack);
    let of_job = || job.stacks.iter().map(String::as_str);
    let line = finding.source.first().map(String::as_str);
    let spoken: Vec<&str> = line.and_then(language).into_iter().chain(of_job()).collect();
    let library = line.map_or_else(|| library_of_files(finding), library_of_line);
    // A line that calls no library makes the requests itself.
    let is_python = spoken.first() == Some(&"Python");
    let package = PACKAGES.iter().filter(|(of, _)| is_python && library == Some(*of));
    let is_below = ["posix", "stdio"].contains(&layer);
    let of_c = line.and_then(of_c_library);
    let itself = line.filter(|_| library.is_none()).map(|_| match layer {
        "stdio" => "STDIO",
        _ => of_c.unwrap_or("POSIX"),
    });
    let is_any_of = |all: &'static [&str]| move |stack: &&str| all.contains(stack);
    let mut wanted: Vec<&str> = own.iter().copied().filter(is_system).collect();
    // A Python line that uses a library makes no requests of its own.
    if is_below {
        wanted.extend(package.flat_map(|(library, package)| [*package, *library]));
    }
    wanted.extend(spoken.iter().copied().filter(is_any_of(&OWN_NAMES)));
    wanted.extend(library);
    // C++ that calls `read` and not a stream has no use for advice about streams.
    wanted.extend(itself.filter(|_| is_below && of_c.is_some()));
    wanted.extend(spoken.iter().copied().filter(is_any_of(&C_LANGUAGES)));
    wanted.extend(own);
    wanted.extend(itself.filter(|_| is_below));
    wanted.extend(of_job().filter(|stack| !is_system(stack)));
    wanted.extend(of_job().filter(is_system));
    wanted
}

/// The language of `function (file:line), calls name`.
fn language(line: &str) -> Option<&'static str> {
    let place = line.rsplit_once(" (").map_or(line, |(_, place)| place);
    let file = place.split(')').next()?.rsplit_once(':')?.0;
    match file.rsplit('.').next()?.to_ascii_lowercase().as_str() {
        "py" => Some("Python"),
        "c" => Some("C"),
        "cc" | "cpp" | "cxx" | "hpp" | "hxx" => Some("C++"),
        "f" | "f90" | "f95" | "f03" | "f08" | "for" | "ftn" => Some("Fortran"),
        "jl" => Some("Julia"),
        "r" => Some("R"),
        _ => None,
    }
}

/// The function that a line calls.
pub(crate) fn called(line: &str) -> Option<&str> {
    line.split_once("), calls ").map(|(_, called)| called)
}

fn library_of_line(line: &str) -> Option<&'static str> {
    let called = called(line)?;
    let begins = |(begin, _): &&(&str, &'static str)| called.starts_with(begin);
    LIBRARIES.iter().chain(&METHODS).find(begins).map(|(_, library)| *library)
}

/// Functions of the C library for descriptors, and for streams.
const OF_C: [(&str, &str); 2] = [
    ("POSIX", "read write pread pwrite readv writev open close lseek fsync ftruncate stat"),
    ("STDIO", "fopen fread fwrite fseek fseeko fflush fgets fputs"),
];

/// What a line calls that uses the C library itself.
fn of_c_library(line: &str) -> Option<&'static str> {
    let name = called(line)?.trim_end_matches("64");
    let found = OF_C.iter().find(|(_, names)| names.split(' ').any(|one| one == name));
    found.map(|(stack, _)| *stack)
}

/// The library whose files all those of the finding are.
fn library_of_files(finding: &Finding) -> Option<&'static str> {
    let of = |path: &String| ENDINGS.iter().find(|(end, _)| path.ends_with(end)).map(|of| of.1);
    let first = of(finding.files.first()?)?;
    finding.files.iter().all(|path| of(path) == Some(first)).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Evidence;

    /// `Python, reading`: an action for it.
    fn actions(headings: &[&str]) -> Vec<Action> {
        let action = |heading: &&str| {
            let (stack, op) = match heading.split_once(", ") {
                Some((stack, "reading")) => (stack, Some("read")),
                Some((stack, "flushing")) => (stack, Some("flush")),
                Some((stack, _)) => (stack, Some("write")),
                None if *heading == "Writing" => ("any", Some("write")),
                None if *heading == "Flushing" => ("any", Some("flush")),
                None => (*heading, None),
            };
            Action { stack: stack.to_owned(), op: op.map(str::to_owned), ..Action::default() }
        };
        headings.iter().map(action).collect()
    }

    /// Headings of the actions that fit, then of the others.
    fn arranged(job: &[&str], mut finding: Finding) -> (String, String) {
        let job = Job { stacks: job.iter().map(|s| (*s).to_owned()).collect(), ..Job::default() };
        arrange_actions(&job, &mut finding);
        let (fitting, others) = fitting_actions(&finding);
        let names = |actions: Vec<&Action>| {
            let heading = |action: &&Action| action.heading().unwrap_or_else(|| "any".to_owned());
            actions.iter().map(heading).collect::<Vec<_>>().join("; ")
        };
        (names(fitting), names(others))
    }

    fn finding(id: &str, op: Option<&str>, headings: &[&str]) -> Finding {
        let values = op.map(|op| ("op".to_owned(), Value::Text(op.to_owned())));
        let evidence = Evidence { values: values.into_iter().collect(), ..Evidence::default() };
        Finding {
            id: id.to_owned(),
            evidence: vec![evidence],
            actions: actions(headings),
            ..Finding::default()
        }
    }

    const BOTH: [&str; 7] = [
        "any",
        "any, writing",
        "any, reading",
        "POSIX, writing",
        "POSIX, reading",
        "HDF5",
        "Python, reading",
    ];

    #[test]
    fn one_fix_is_for_the_direction_of_the_worst_row() {
        let (fitting, others) = arranged(&["POSIX"], finding("posix/a", Some("read"), &BOTH));
        assert_eq!(fitting, "any; POSIX, reading");
        assert_eq!(others, "Writing; Reading; POSIX, writing; HDF5; Python, reading");
    }

    #[test]
    fn without_a_direction_both_fixes_of_the_software_fit() {
        let (fitting, _) = arranged(&["POSIX"], finding("posix/a", None, &BOTH));
        assert_eq!(fitting, "any; POSIX, writing; POSIX, reading");
    }

    #[test]
    fn a_fix_for_the_direction_goes_before_one_for_both() {
        let headings = ["any", "Python", "Python, reading"];
        let fitting = |op| arranged(&["Python"], finding("posix/a", Some(op), &headings)).0;
        assert_eq!(fitting("read"), "any; Python, reading");
        assert_eq!(fitting("write"), "any; Python");
    }

    #[test]
    fn the_line_says_the_language_and_the_library() {
        let fitting = |line: &str| {
            let headings = ["any", "POSIX", "HDF5", "C++", "Fortran"];
            let found = finding("posix/a", None, &headings);
            let found = Finding { source: vec![line.to_owned()], ..found };
            arranged(&["HDF5", "POSIX", "Lustre"], found).0
        };
        assert_eq!(fitting("save (a.c:3)"), "any; POSIX");
        assert_eq!(fitting("save (a.cpp:3)"), "any; C++");
        assert_eq!(fitting("save (a.cpp:3), calls H5Dwrite"), "any; HDF5");
        assert_eq!(fitting("set::put (a.F90:3), calls h5dwrite_f"), "any; Fortran");
    }

    #[test]
    fn a_python_line_that_uses_hdf5_gets_no_advice_about_open() {
        let fitting = |id: &str, called: &str| {
            let found = finding(id, Some("write"), &["any", "HDF5", "h5py", "Python, writing"]);
            let line = format!("save (a.py:3), calls {called}");
            arranged(&["Python", "HDF5", "POSIX"], Finding { source: vec![line], ..found }).0
        };
        assert_eq!(fitting("posix/a", "Dataset.__setitem__"), "any; h5py");
        assert_eq!(fitting("posix/a", "write"), "any; Python, writing");
        // Checks of HDF5 write their fixes for Python in h5py.
        assert_eq!(fitting("hdf5/a", "Dataset.__setitem__"), "any; Python, writing");
    }

    #[test]
    fn cpp_that_calls_read_gets_no_advice_about_streams() {
        let fitting = |called: &str| {
            let found =
                finding("posix/a", Some("read"), &["any", "C++, reading", "POSIX, reading"]);
            let line = format!("load (a.cpp:3), calls {called}");
            arranged(&["C++", "POSIX"], Finding { source: vec![line], ..found }).0
        };
        assert_eq!(fitting("read"), "any; POSIX, reading");
        assert_eq!(fitting("pread64"), "any; POSIX, reading");
        assert_eq!(fitting("std::basic_istream::read"), "any; C++, reading");
        let found = finding("posix/a", None, &["C++", "POSIX", "STDIO"]);
        let source = vec!["save (a.cpp:3), calls fwrite".to_owned()];
        assert_eq!(arranged(&["C++", "POSIX"], Finding { source, ..found }).0, "STDIO");
    }

    #[test]
    fn a_flush_is_named_where_the_program_calls_one() {
        let fitting = |called: &str| {
            let headings =
                ["any", "Writing", "Flushing", "Fortran, writing", "C, writing", "C, flushing"];
            let found = finding("posix/a", Some("write"), &headings);
            let line = |file: &str| format!("save ({file}:3), calls {called}");
            let of = |file: &str, language: &str| {
                let found = Finding { source: vec![line(file)], ..found.clone() };
                arranged(&[language, "POSIX"], found).0
            };
            (of("a.f90", "Fortran"), of("a.c", "C"))
        };
        let (fortran, c) = fitting("_gfortran_st_flush");
        assert_eq!(fortran, "any; Flushing; Fortran, writing");
        assert_eq!(c, "any; Flushing; C, flushing");
        let (fortran, c) = fitting("_gfortran_st_write");
        assert_eq!((fortran.as_str(), c.as_str()), ("any; Fortran, writing", "any; C, writing"));
    }

    #[test]
    fn advice_about_the_file_system_is_first_where_the_finding_is_about_it() {
        let headings = ["MPI-IO", "Lustre"];
        let fitting = |id| arranged(&["MPI-IO", "Lustre"], finding(id, None, &headings)).0;
        assert_eq!(fitting("lustre/single-stripe"), "Lustre");
        assert_eq!(fitting("posix/slow"), "MPI-IO");
    }

    #[test]
    fn lines_that_only_write_through_a_library_need_no_advice_for_reading() {
        let line = |name: &str| format!("put (a.c:7), calls {name}");
        let of = |names: &[&str]| of_libraries(&names.iter().map(|n| line(n)).collect::<Vec<_>>());
        assert_eq!(of(&["MPI_File_write_shared", "MPI_File_open"]), Some("write"));
        assert_eq!(of(&["H5Dwrite", "H5Dread"]), None);
        assert_eq!(of(&["write"]), None);
    }

    #[test]
    fn where_nothing_fits_the_first_one_is_shown() {
        assert_eq!(arranged(&["POSIX"], finding("posix/a", None, &["R", "Java"])).0, "R");
        assert_eq!(arranged(&["POSIX"], finding("posix/a", None, &["any", "Java"])).0, "any");
    }
}
