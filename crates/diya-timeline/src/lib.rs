//! Level of detail: from the calls of a trace to what a page draws and says.
//!
//! A page never holds a call it does not show. It asks for a [`tile`] of a
//! window, the call under the pointer, the totals of an area; the answers come
//! from here, in a browser (as wasm, over the [`pack`] of a report) as on a
//! server. No files, no threads, no clock.
//!
//! Calls lie in [`Calls`] by track, layer and kind, in order of start. Up to some
//! twelve million in a window are read at each question; beyond that tiles come
//! from a [`Grid`] of sums, in which the longest call of each cell survives.

mod activity;
mod answer;
mod area;
mod axis;
mod branch;
mod buffers;
mod builder;
mod calls;
mod column_slice;
mod draw;
mod exports;
mod fill;
mod filter;
mod find;
mod grid;
mod grid_build;
mod kind;
mod layout;
mod narrow;
mod nest;
mod new_call;
mod order;
mod own_time;
pub mod pack;
mod row;
mod sample;
mod scatter;
mod store;
mod sums;
#[cfg(test)]
mod tests;
mod tile;
mod tree;
mod wire;
mod work;

pub use activity::{Activity, activity};
pub use answer::{Orders, answer};
pub use area::{Area, FunctionTotal, KindTotal, area};
pub use axis::TimeAxis;
pub use branch::{Branch, Total};
pub use buffers::Buffers;
pub use builder::{CallsBuilder, Counts};
pub use calls::{Bundle, Calls, NONE, Stream, is_inside};
pub use column_slice::{ColumnSlice, Filled};
pub use diya_questions::*;
pub use exports::{Engine, Module};
pub use fill::{tile, tile_in};
pub use filter::{Filter, Members};
pub use find::{list, nearest};
pub use grid::Grid;
pub use kind::{Kind, layer_depth};
pub use layout::{Component, Layout};
pub use narrow::Narrow;
pub use nest::{Nesting, nesting};
pub use new_call::{NewCall, SharedFields, StreamKey, Traced};
pub use row::Wanted;
pub use sample::sampled;
pub use store::{File, Form, Holding, Log, Place, Store, Track, ns_of, s_of};
pub use tile::{Axis, Tile, TileRequest};
pub use tree::{StackCost, stack_costs, tree, whole_tree};
pub use wire::Answer;
pub use work::{Executor, Work};
