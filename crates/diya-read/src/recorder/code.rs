//! Signatures of a rank, or of all ranks, with what is known of them together.

use super::calls::Function;
use super::metadata::Layout;
use super::names::Names;
use super::paths::whole_paths;
use super::shape::Shape;
use super::signatures::{Signature, signatures};
use diya_tables::FastHashMap;

/// Calls whose signatures are fetched together: where a trace has very many, most are not in the
/// caches, and the processor waits for several at once.
pub(super) const BATCH_CALLS: usize = 64;

/// Signatures, and the names that they use.
#[derive(Debug, Default)]
pub(super) struct Code {
    pub signatures: Vec<Option<Signature>>,
    pub has_depths: bool,
    pub names: Names,
    pub whole_paths: FastHashMap<u32, u32>,
}

impl Code {
    /// Reads signatures; says, too, whether they are whole.
    pub fn of(bytes: &[u8], layout: Layout, functions: &[Function]) -> (Self, bool) {
        let function = |number: u32| functions.get(usize::try_from(number).ok()?);
        let shape_of = |number| function(number).map_or(Shape::Bare, |function| function.shape);
        let mut names = Names::default();
        let (signatures, is_whole) = signatures(bytes, layout, shape_of, &mut names);
        let has_depths = signatures.iter().flatten().any(|signature| signature.depth > 0);
        let whole_paths = whole_paths(&signatures, &names);
        (Self { signatures, has_depths, names, whole_paths }, is_whole)
    }
}
