//! Behaviour over small traces written as text.

mod answers;
mod edges;
mod notation;
mod packs;
mod tiles;
mod trees;
