//! The kinds of calls that have a colour, and how deep a layer is.

use diya_model::Layer;

pub use diya_model::CallKind as Kind;

/// How deep a layer is, by its name; one that is not known is a library above MPI-IO.
pub fn layer_depth(layer: &str) -> u8 {
    Layer::from_name(layer).map_or(Layer::Hdf5File.depth(), Layer::depth)
}
