//! The settings for a job, as data: `tune.toml`, and the JSON of `diya tune`. `cargo xtask
//! generate` makes `schema/tune.schema.json` of these types and their docs.

use diya::report::Seconds;
use serde::Serialize;
use std::fmt;

/// Version of the layout; a larger one may have lost or renamed fields.
pub const LAYOUT_VERSION: u32 = 1;

/// Settings that fix the findings of a job.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Plan {
    /// Version of this layout.
    pub version: u32,
    /// What made it: name and version.
    pub program: String,
    /// Logs it is made from.
    pub logs: Vec<String>,
    /// MPI library of the job: mpich, openmpi or abi; `None`: not recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mpi: Option<String>,
    /// Settings that were skipped because they, or a table that they need, are wrong themselves;
    /// empty: none.
    #[serde(rename = "problem", skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<String>,
    /// The settings, by file.
    #[serde(rename = "setting")]
    pub settings: Vec<Chosen>,
    /// The files that hold them.
    #[serde(rename = "file")]
    pub files: Vec<FileUse>,
    /// Findings that no setting is for.
    #[serde(rename = "no_setting")]
    pub without: Vec<Without>,
}

/// A setting with its value.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Chosen {
    /// Folder and name of its file below `tuning/`.
    pub id: String,
    /// File that holds it.
    pub file: String,
    /// Where it acts: mpiio, hdf5, netcdf, pnetcdf, lustre, beegfs, daos, environment, stdio,
    /// python or staging.
    pub layer: String,
    /// Its name there.
    pub key: String,
    /// Its value: a count or bytes, or a word of the library.
    pub value: SettingValue,
    /// File or folder that it is for; `None`: the whole job.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Its line in the file.
    pub line: String,
    /// Other values that are worth a try: `diya tune --loop` tries them; empty: none.
    #[serde(rename = "other", skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<OtherValue>,
    /// What it does.
    pub what: String,
    /// The numbers of the job behind the value.
    pub because: String,
    /// Id of the check whose finding is the reason.
    pub reason: String,
    /// Title of the finding.
    pub finding: String,
    /// Seconds of run time that all settings with this reason save together, the best
    /// estimate; `None`: not quantifiable, or only an upper bound is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub saving_s: Option<Seconds>,
    /// The same, at least; `None`: not quantifiable, or a loss is not excluded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub saving_low_s: Option<Seconds>,
    /// The same, at most; `None`: not quantifiable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub saving_high_s: Option<Seconds>,
    /// What has to be true besides, where it is unknown from the log whether it is; `None`: nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
    /// Its line is a comment in the file: `condition` is not known to be true, somebody has to try it.
    pub is_off: bool,
    /// What has to be there for an effect; without it nothing changes. `None`: nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub needs: Option<String>,
    /// A part of `harm` costs run time, and the log does not exclude it: the setting can make
    /// the run slower.
    pub can_be_slower: bool,
    /// When it does harm; what the log excludes is left out.
    pub harm: Vec<String>,
    /// How to undo it.
    pub undo: String,
}

/// A value beside the computed one, which `diya tune --loop` tries.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OtherValue {
    /// The value: a count or bytes, or a word of the library.
    pub value: SettingValue,
    /// The line of the file with it.
    pub line: String,
}

/// The value of a setting.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum SettingValue {
    /// A count, or bytes.
    Number(i64),
    /// A word of the library.
    Text(String),
}

impl fmt::Display for SettingValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Text(word) => f.write_str(word),
        }
    }
}

/// A file with settings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FileUse {
    /// Its name.
    pub name: String,
    /// How to use it.
    #[serde(rename = "use")]
    pub usage: String,
}

/// A finding that no setting is for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Without {
    /// Id of the check.
    pub check: String,
    /// Title of the finding.
    pub finding: String,
    /// Why.
    pub why: String,
}
