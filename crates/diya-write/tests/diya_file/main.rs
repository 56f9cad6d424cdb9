//! The diya file, written and read: round trips, damage, partial reading, and
//! a file of each version that stays readable.

mod common;
mod damage;
mod forge;
mod golden;
mod partial;
mod round_trip;
