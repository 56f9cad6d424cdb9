//! Functions by the names that other tools give them.

use diya_model::{Function, Layer, Op, SystemCall};

/// A function of a foreign trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Known<'n> {
    pub name: &'n str,
    pub layer: Layer,
    pub op: Op,
    pub is_collective: Option<bool>,
}

impl From<&'static Function> for Known<'static> {
    fn from(function: &'static Function) -> Self {
        let Function { name, layer, op, is_collective, .. } = *function;
        Self { name, layer, op, is_collective }
    }
}

/// Symbols of the C library that are not the names of functions.
const OTHER_NAMES: [(&str, &str); 8] = [
    ("__xstat", "stat"),
    ("__lxstat", "lstat"),
    ("__fxstat", "fstat"),
    ("__fxstatat", "fstatat"),
    ("fseeko", "fseek"),
    ("ftello", "ftell"),
    ("fprintf", "printf"),
    ("vfprintf", "printf"),
];

/// The function that diya's recorder has for this name.
///
/// The name under which the 64-bit variant goes (`pread64`) is that of the function.
pub(crate) fn known_function(name: &str) -> Option<&'static Function> {
    let exact = |name: &str| Function::ALL.iter().find(|function| function.name == name);
    let listed = |name: &str| OTHER_NAMES.iter().find(|(other, _)| *other == name);
    let plain = name.strip_suffix("64").unwrap_or(name);
    exact(name)
        .or_else(|| Function::of(SystemCall::of(name)?.function))
        .or_else(|| listed(name).and_then(|(_, name)| exact(name)))
        .or_else(|| exact(plain))
        .or_else(|| listed(plain).and_then(|(_, name)| exact(name)))
}

/// What a name stands for in a layer, where that is known.
///
/// `write` is a function of POSIX and the name of an operation: in another layer it is that
/// operation there, as diya exports the calls of Darshan's traces.
pub(crate) fn called(name: &str, layer: Option<Layer>) -> Option<Known<'static>> {
    let function = known_function(name).map(Known::from);
    let is_elsewhere = function.is_none_or(|of| layer.is_some_and(|layer| of.layer != layer));
    by_op(name, layer).filter(|_| is_elsewhere).or(function)
}

/// A call of which only the operation is known: not which function of the layer it was, nor
/// whether that is collective.
fn by_op(name: &str, layer: Option<Layer>) -> Option<Known<'static>> {
    let (op, layer) = (Op::from_name(name)?, layer?);
    let has_it = Function::ALL.iter().any(|of| of.layer == layer && of.op == op);
    has_it.then_some(Known { name: op.name(), layer, op, is_collective: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_names_lead_to_functions() {
        for (other, name) in OTHER_NAMES {
            assert_eq!(known_function(other).map(|f| f.name), Some(name), "{other}");
        }
        let name = |name| known_function(name).map(|f| f.name);
        assert_eq!((name("newfstatat"), name("clone3")), (Some("fstatat"), Some("fork")));
        assert_eq!((name("pread64"), name("__xstat64")), (Some("pread"), Some("stat")));
        assert_eq!(name("MPI_File_write_at_all"), Some("MPI_File_write_at_all"));
        assert_eq!((name("futex"), name("64")), (None, None));
    }

    #[test]
    fn the_layer_decides_what_the_name_of_an_operation_is() {
        let of = |name, layer| called(name, layer).map(|of| (of.name, of.layer));
        let (posix, mpiio) = (Some(Layer::Posix), Some(Layer::Mpiio));
        assert_eq!(of("write", posix), Some(("write", Layer::Posix)));
        assert_eq!(of("write", mpiio), Some(("write", Layer::Mpiio)));
        assert_eq!(of("write", None), Some(("write", Layer::Posix)));
        assert_eq!(called("write", mpiio).and_then(|of| of.is_collective), None);
        // A function is more certain than the category of an event.
        assert_eq!(of("fwrite", posix), Some(("fwrite", Layer::Stdio)));
        assert_eq!((of("forward", mpiio), of("write", Some(Layer::Stdio)).is_some()), (None, true));
    }
}
