//! Issues the recorded requests of a log again, on a real file system: `diya replay LOG DIR`.
//!
//! log -> [`read`] -> [`plan`] -> [`prepare`] -> [`run`] -> [`summary`]. All files lie in one
//! new folder ([`ReplayFolder`]) below DIR, with generated data of the recorded sizes.

mod buffer;
mod cost;
mod effect;
mod error;
mod files;
mod issue;
mod lanes;
mod library;
mod meeting;
mod model;
mod nodes;
mod operation;
mod order;
mod outcome;
mod pace;
mod path;
mod plan;
mod point;
mod prepare;
mod record;
mod recording;
mod replay_folder;
mod run;
mod script;
mod slots;
mod step;
mod stream;
mod stripe;
mod summary;
mod text;
mod text_size;
mod transform;

pub use cost::{Cost, Costs};
pub use effect::{Initial, Wait};
pub use error::ReplayError;
pub use library::Libraries;
pub use meeting::Meeting;
pub use model::predict;
pub use nodes::Nodes;
pub use operation::Operation;
pub use outcome::{Gaps, Outcome, Outcomes};
pub use plan::{MAX_LANES, Plan, Request, Totals, plan};
pub use prepare::{Share, check_space, prepare_files, prepare_folders};
pub use record::record;
pub use recording::{LeftOut, Recording, ReplayFile, Stream, read};
pub use replay_folder::{Cleaned, ReplayFolder, clean};
pub use run::run;
pub use script::{Batch, slurm};
pub use slots::{Slot, SlotKind};
pub use step::{LibraryCall, Step};
pub use stripe::Stripe;
pub use summary::{Class, Estimate, Summary, estimate, summary};
pub use text::{write_estimate, write_summary};
pub use transform::{TRANSFORMS, Transform};
