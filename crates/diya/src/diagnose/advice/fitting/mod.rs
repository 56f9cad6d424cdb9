//! The fix that fits a job and a finding: its language, its library, its direction.

use diya_report::{Action, Finding, Job, Value, called};

/// File systems: what to set there needs no change of the program.
const FILE_SYSTEMS: [&str; 7] = ["Lustre", "GPFS", "NFS", "DAOS", "BeeGFS", "GlusterFS", "dfuse"];

/// Languages with names of their own for what libraries do, and SQLite, whose users write
/// SQL: their fix is of more use than that of the library below.
const OWN_NAMES: [&str; 6] = ["SQLite", "Python", "Fortran", "R", "Julia", "Java"];

/// Languages in which C's own calls are written otherwise: code in C is no fix for them.
const NOT_C: [&str; 7] = ["Perl", "Shell", "Go", "Java", "R", "Julia", "Rust"];

/// Headings whose code is C's own.
const CODE_OF_C: [&str; 4] = ["POSIX", "STDIO", "C", "C++"];

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

/// Names of databases of SQLite.
const DATABASES: [&str; 6] = [".db", ".db3", ".sqlite", ".sqlite3", ".gpkg", ".mbtiles"];

/// Puts the actions of a finding in order and marks those that fit: the general ones, and
/// those of one software, for the direction of the finding.
pub(super) fn arrange_actions(job: &Job, finding: &mut Finding) {
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
    // What a check says of the case at hand comes before what it says of the library in general; not
    // before a language with names of its own.
    let is_own = |action: &Action| OWN_NAMES.contains(&action.stack.as_str());
    let of_case = |action: &&Action| action.case.is_some() && job.stacks.contains(&action.stack);
    let best = software().min_by_key(|action| place(action));
    let best = best.map(|best| match is_own(best) || best.case.is_some() {
        true => best,
        false => software().filter(of_case).min_by_key(|action| place(action)).unwrap_or(best),
    });
    // Where nothing of the job is named, one example says more than a list of names.
    let has_general = finding.actions.iter().any(is_general);
    let best = best.filter(|action| place(action) < usize::MAX || !has_general);
    let is_foreign = finding.source.first().and_then(|line| language(line)).map_or_else(
        || NOT_C.iter().any(|name| job.stacks.iter().any(|stack| stack == name)),
        |language| NOT_C.contains(&language),
    );
    let is_of_c = |action: &&Action| CODE_OF_C.contains(&action.stack.as_str());
    let best = best.filter(|action| !(is_foreign && has_general && is_of_c(action)));
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
    // The case is that of the log: its name says nothing to readers.
    actions.iter_mut().for_each(|action| (action.fits, action.case) = (fits(action), None));
    actions.sort_by_key(|action| {
        (!action.fits, !is_general(action), place(action), action.op.is_some())
    });
    finding.actions = actions;
}

fn is_flush(action: &&Action) -> bool {
    action.op.as_deref() == Some("flush")
}

fn stack_of(action: &Action) -> String {
    action.stack.clone()
}

/// `read` or `write`: of the worst row of the evidence, else of the calls that the finding
/// explains; `flush`: writes of a line that flushes; `None`: of both, or neither.
pub(super) fn direction(finding: &Finding) -> Option<&str> {
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
    let layer = finding.layer.as_str();
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
    wanted.extend(of_job().find(|stack| *stack == "SQLite" && is_database(finding)));
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
        "pl" | "pm" => Some("Perl"),
        "go" => Some("Go"),
        "rs" => Some("Rust"),
        "java" => Some("Java"),
        "sh" | "bash" => Some("Shell"),
        _ => None,
    }
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

/// The files are databases, and SQLite makes the calls: it reads and writes at places, which
/// Python's own files do not.
fn is_database(finding: &Finding) -> bool {
    let is_one = |path: &String| DATABASES.iter().any(|end| path.ends_with(end));
    let called = finding.source.first().and_then(|line| called(line));
    let is_other = called.is_some_and(|name| ["read", "write"].contains(&name));
    !is_other && !finding.files.is_empty() && finding.files.iter().all(is_one)
}

/// The library whose files all those of the finding are.
fn library_of_files(finding: &Finding) -> Option<&'static str> {
    let of = |path: &String| ENDINGS.iter().find(|(end, _)| path.ends_with(end)).map(|of| of.1);
    let first = of(finding.files.first()?)?;
    finding.files.iter().all(|path| of(path) == Some(first)).then_some(first)
}

#[cfg(test)]
mod tests;
