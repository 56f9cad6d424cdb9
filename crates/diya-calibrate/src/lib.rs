//! What requests cost on a machine: `diya calibrate DIR`.
//!
//! A log fits the cost of its requests from its own sizes; what it leaves open
//! a machine profile answers. The measurement is small (seconds, a few hundred
//! mebibytes at most), works in a folder of its own that it removes, and is the
//! same kind of number as in table `request_cost`: a latency and a bandwidth as
//! one process sees them, with and without others on the same file.

mod ceiling;
mod direct;
mod measure;
mod mount;
mod profile;
mod sample;

pub use ceiling::{Ceiling, Pattern};
pub use measure::{CalibrateError, Calibration, calibrate};
pub use profile::{Cost, Profile, ProfileError};
