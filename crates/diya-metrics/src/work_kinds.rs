//! What code works on, by library and function: `metrics/work_kinds.txt`.

use crate::hash::HashMap;
use std::sync::LazyLock;

/// What a piece of processor time is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Work {
    Text,
    /// Text or records, as the file holds.
    Fortran,
    Compression,
    /// Archives of many members: names, places and sums of them, beside packing.
    Archive,
    Hdf5,
    Netcdf,
    Serialisation,
    Import,
    /// Packing and text in an installed program, which is called for them.
    Task,
    Own,
    /// Pictures.
    Decoding,
    Python,
    Mpi,
    /// For what it lies among.
    Shared,
    /// The recorder's.
    Recorder,
}

impl Work {
    const ALL: [Self; 15] = [
        Self::Text,
        Self::Fortran,
        Self::Compression,
        Self::Archive,
        Self::Hdf5,
        Self::Netcdf,
        Self::Serialisation,
        Self::Import,
        Self::Task,
        Self::Own,
        Self::Decoding,
        Self::Python,
        Self::Mpi,
        Self::Shared,
        Self::Recorder,
    ];

    /// As the table and metrics name it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Fortran => "fortran",
            Self::Compression => "compression",
            Self::Archive => "archive",
            Self::Hdf5 => "hdf5",
            Self::Netcdf => "netcdf",
            Self::Serialisation => "serialisation",
            Self::Import => "import",
            Self::Task => "task",
            Self::Own => "own",
            Self::Decoding => "decoding",
            Self::Python => "python",
            Self::Mpi => "mpi",
            Self::Shared => "shared",
            Self::Recorder => "recorder",
        }
    }

    /// The one with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|work| work.name() == name)
    }
}

/// One line of the table.
#[derive(Debug)]
struct Line {
    library: &'static str,
    function: &'static str,
    work: Work,
}

static LINES: LazyLock<Vec<Line>> = LazyLock::new(|| {
    include_str!("../../../metrics/work_kinds.txt").lines().filter_map(line).collect()
});

/// Comments and empty lines are none; a test reads every other line.
fn line(text: &'static str) -> Option<Line> {
    let text = text.trim();
    let mut cells = text.split(" | ").map(str::trim).filter(|_| !text.starts_with('#'));
    let (library, function) = (cells.next()?, cells.next()?);
    let work = Work::named(cells.next()?)?;
    Some(Line { library, function, work })
}

/// Finds kinds; asked for the same places again and again.
#[derive(Debug, Default)]
pub(crate) struct WorkKinds {
    known: HashMap<(String, String, bool), Work>,
}

impl WorkKinds {
    /// Of code in the module at this path; `function` is empty where no symbol is known.
    pub fn of_code(&mut self, module: &str, function: &str, is_inside: bool) -> Work {
        let key = (module.to_owned(), function.to_owned(), is_inside);
        *self.known.entry(key).or_insert_with(|| of_code(module, function, is_inside))
    }
}

fn of_code(module: &str, function: &str, is_inside: bool) -> Work {
    let file = module.rsplit('/').next().unwrap_or_default();
    let is_it = |line: &&Line| {
        let name = if line.library.contains('/') { module } else { file };
        let is_code = !line.library.starts_with("python ");
        let is_certain = is_inside || line.library != "*";
        is_code && is_certain && fits(line.library, name) && fits(line.function, function)
    };
    LINES.iter().find(is_it).map_or(Work::Own, |line| line.work)
}

/// Of a module or package of Python, as `library_pause` names it; else of a shared library.
pub(crate) fn of_library(name: &str) -> Work {
    let of_python = |line: &&Line| {
        line.library.strip_prefix("python ").is_some_and(|pattern| fits(pattern, name))
    };
    match LINES.iter().find(of_python) {
        Some(line) => line.work,
        None if name.contains(".so") => of_code(name, "", false),
        None => Work::Own,
    }
}

/// Whether a name is what the pattern says; `*` stands for anything.
pub(crate) fn fits(pattern: &str, name: &str) -> bool {
    let Some((head, rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(mut name) = name.strip_prefix(head) else { return false };
    let mut parts: Vec<&str> = rest.split('*').collect();
    let tail = parts.pop().unwrap_or_default();
    for part in parts {
        let Some(at) = name.find(part) else { return false };
        name = &name[at + part.len()..];
    }
    name.ends_with(tail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_table_is_read() {
        let text = include_str!("../../../metrics/work_kinds.txt");
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        assert_eq!(lines.filter(|line| !line.starts_with('#')).count(), LINES.len());
    }

    #[test]
    fn a_pattern_may_have_gaps_anywhere() {
        for (pattern, name, is_it) in [
            ("libz.so*", "libz.so.1.2.13", true),
            ("libz.so*", "libzmq.so.5", false),
            ("*", "", true),
            ("*/h5py/*", "/v/site-packages/h5py/_proxy.so", true),
            ("*printf*", "__vfprintf_internal", true),
            ("a*b*c", "aXbXc", true),
            ("a*b*c", "aXc", false),
            ("ab*b", "ab", false),
            ("exact", "exactly", false),
        ] {
            assert_eq!(fits(pattern, name), is_it, "{pattern} {name}");
        }
    }

    #[test]
    fn libraries_and_functions_have_kinds() {
        let libc = "/lib/x86_64-linux-gnu/libc.so.6";
        for (module, function, is_inside, work) in [
            ("/lib/x86_64-linux-gnu/libz.so.1", "deflate", true, Work::Compression),
            ("/v/h5py.libs/libhdf5-12af.so.310", "H5D__write", true, Work::Hdf5),
            ("/v/h5py.libs/libhdf5-12af.so.310", "H5Z__filter_deflate", true, Work::Compression),
            ("/opt/app/bin/sim", "H5AC_protect", true, Work::Hdf5), // linked statically
            ("/opt/app/bin/sim", "H5AC_protect", false, Work::Own),
            (libc, "__strtod_internal", false, Work::Text),
            ("/v/pillow.libs/libjpeg-6dc8d115.so.62.4.0", "jpeg_idct_islow", true, Work::Decoding),
            ("/v/site-packages/h5py/_objects.cpython-311.so", "", false, Work::Hdf5),
            ("/v/site-packages/tables/utilsextension.so", "", false, Work::Python),
            (libc, "__memcpy_avx_unaligned_erms", true, Work::Shared),
            ("/usr/lib/libgfortran.so.5", "_gfortran_matmul_r8", true, Work::Own),
            ("/usr/lib/libgfortran.so.5", "", false, Work::Fortran),
            ("/usr/lib/libm.so.6", "sin", true, Work::Own),
            ("/usr/bin/python3.11", "_PyEval_EvalFrameDefault", true, Work::Python),
            ("/usr/bin/python3.11", "_Py_dg_strtod", true, Work::Text),
            // Behind a function with a fitting name may be anything.
            ("/home/me/app", "my_printf", false, Work::Own),
            ("/home/me/app", "deflate_slow", true, Work::Compression),
            ("", "", false, Work::Own),
        ] {
            assert_eq!(of_code(module, function, is_inside), work, "{module} {function}");
        }
    }

    #[test]
    fn packages_of_python_have_kinds() {
        assert_eq!(of_library("gzip"), Work::Compression);
        assert_eq!(of_library("importlib"), Work::Import);
        assert_eq!(of_library("numpy"), Work::Own);
        assert_eq!(of_library("libhdf5.so"), Work::Hdf5);
    }
}
