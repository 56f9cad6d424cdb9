//! The knowledge: one file per setting, one folder per file that is written.
//!
//! `tuning/romio/cb_nodes.toml` is the setting `romio/cb_nodes`; `tuning/romio/file.toml` says
//! what the file is called that holds the settings of this folder, and how a line of it looks.

use crate::condition::{Condition, Harm};
use crate::{TuneError, path, template};
use serde::Deserialize;
use std::collections::BTreeMap;

/// Files that come with diya.
const BUILT_IN: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/tuning.rs"));

/// How much of the finding's saving a setting reaches by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// The settings with this reason are what the fix is.
    Whole,
    /// They need a change of the program, or do part of it: nothing to all of the saving.
    AtMost,
}

/// A finding that is the reason for a setting.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reason {
    /// Id of the check.
    pub check: String,
    /// How much of its saving the setting reaches.
    pub effect: Effect,
    /// Conditions of `tuning/conditions/` that have to hold: where one fails the setting is none
    /// of the fixes, where one is not known it is written, but off.
    #[serde(default)]
    pub conditions: Vec<String>,
    /// What has to be there for an effect; without it nothing changes.
    pub needs: Option<String>,
}

/// A setting: what it is, when, and how its value follows from the log.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setting {
    /// Folder and name of its file.
    #[serde(skip)]
    pub id: String,
    /// Its name where it is set.
    pub key: String,
    /// What it does, in a sentence.
    pub what: String,
    /// Unit of the value, where it has one: `bytes`.
    pub unit: Option<String>,
    /// The numbers behind the value: columns of the SQL in braces.
    pub because: String,
    /// Its line, where that of the folder does not do.
    pub line: Option<String>,
    /// MPI libraries that know it, as `process.mpi_family` names them; empty: all.
    #[serde(default)]
    pub mpi: Vec<String>,
    /// Software that the job has to use, as reports name it.
    pub stack: Option<String>,
    /// What durability or visibility is lost: it is applied only where the user accepts that.
    pub risk: Option<String>,
    /// Why there may be no value although there is a reason.
    pub no_value: String,
    /// When it does harm.
    pub harm: Vec<Harm>,
    /// How to undo it.
    pub undo: String,
    /// A row per log, and per path where the setting belongs to one: `log`, `value`, `path`
    /// and the columns of `because` and `line`. Table `finding` holds the reasons' evidence.
    pub sql: String,
    /// Other values that are worth a try: expressions over the columns of `sql`, such as
    /// `value / 2`. Null: there is none.
    #[serde(default)]
    pub others: Vec<String>,
    /// Findings that are reasons, the strongest first.
    pub reason: Vec<Reason>,
}

/// The folder of the conditions.
const CONDITIONS: &str = "conditions/";

/// The columns of the other values.
pub(crate) const OTHER: &str = "other_value_";

impl Setting {
    /// The statement with the other values as columns `other_value_0`, `other_value_1`, ...
    pub fn statement(&self) -> String {
        if self.others.is_empty() {
            return self.sql.clone();
        }
        let others = self.others.iter().enumerate();
        let columns: String =
            others.map(|(place, other)| format!(",\n       {other} as {OTHER}{place}")).collect();
        format!("select *{columns}\nfrom (\n{}\n) as setting", self.sql)
    }

    /// Name of its folder.
    pub fn folder(&self) -> &str {
        self.id.split('/').next().unwrap_or_default()
    }

    /// Ids of the conditions of its reasons, and of those that exclude harm.
    fn conditions(&self) -> impl Iterator<Item = &str> {
        let of_reasons = self.reason.iter().flat_map(|reason| &reason.conditions);
        of_reasons
            .chain(self.harm.iter().filter_map(|harm| harm.unless.as_ref()))
            .map(String::as_str)
    }

    /// The reason with this check.
    pub fn reason_of(&self, check: &str) -> Option<&Reason> {
        self.reason.iter().find(|reason| reason.check == check)
    }
}

/// How a file of settings reaches a program.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Apply {
    /// How its lines become variables.
    pub how: How,
    /// The variable that names the file; or what begins the names of the variables.
    #[serde(default)]
    pub variable: String,
    /// Names that no setting has, and that are right.
    #[serde(default)]
    pub also: Vec<String>,
    /// What values of names look like: `NUMBER`, `KEY:VALUE`, or the words, as `on|writes`.
    #[serde(default)]
    pub forms: BTreeMap<String, String>,
    /// Why it is applied only if the user names the file, not its folder.
    pub only_by_name: Option<String>,
}

/// How the lines of a file become variables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum How {
    /// One variable names the file, in which a line is `KEY VALUE`.
    HintsFile,
    /// `KEY = VALUE` is a variable with a prefix.
    Parameters,
    /// `export NAME=VALUE` is a variable.
    Exports,
    /// `NAME VALUE [PATTERN]` is a setting that a library applies inside the processes.
    Program,
}

/// A file that holds the settings of a folder.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutputFile {
    /// The folder below `tuning/`.
    #[serde(skip)]
    pub folder: String,
    /// Its name.
    pub name: String,
    /// Where the settings act: mpiio, hdf5, netcdf, lustre, ...
    pub layer: String,
    /// What begins a line of comment.
    pub comment: String,
    /// How to use it, for people: a sentence or a command.
    #[serde(rename = "use")]
    pub usage: String,
    /// A line of it, with `{key}`, `{value}` and, in scripts, `{path}`.
    pub line: String,
    /// What stands before the lines.
    #[serde(default)]
    pub before: String,
    /// What stands after them.
    #[serde(default)]
    pub after: String,
    /// All settings make one line.
    #[serde(default)]
    pub is_joined: bool,
    /// Its reader ignores a file of so many bytes or more; comments then become short.
    pub max_bytes: Option<usize>,
    /// How `diya run --apply` gives it to a program, where it can.
    pub apply: Option<Apply>,
    /// A shell script, in which paths stand in single quotes.
    #[serde(default)]
    pub is_script: bool,
}

/// All settings and files.
#[derive(Debug, Clone)]
pub struct Library {
    /// Files, by folder.
    pub files: Vec<OutputFile>,
    /// Settings, by id.
    pub settings: Vec<Setting>,
    /// Conditions, by id.
    pub conditions: Vec<Condition>,
}

impl Library {
    /// What comes with diya.
    pub fn built_in() -> Result<Self, TuneError> {
        Self::parse(BUILT_IN)
    }

    /// Takes texts with their ids apart.
    pub fn parse(texts: &[(&str, &str)]) -> Result<Self, TuneError> {
        let (mut files, mut settings, mut conditions) = (Vec::new(), Vec::new(), Vec::new());
        for (id, text) in texts {
            if id.starts_with(CONDITIONS) {
                conditions.push(Condition::parse(id, text)?);
                continue;
            }
            let wrong = |error: toml::de::Error| TuneError::setting(id, error.to_string());
            match id.strip_suffix("/file") {
                Some(folder) => {
                    let file: OutputFile = toml::from_str(text).map_err(wrong)?;
                    files.push(OutputFile { folder: folder.to_owned(), ..file });
                }
                None => {
                    let setting = setting(texts, text).map_err(wrong)?;
                    settings.push(Setting { id: (*id).to_owned(), ..setting });
                }
            }
        }
        let others = conditions.clone();
        conditions.iter_mut().try_for_each(|condition| condition.resolve(&others))?;
        let library = Self { files, settings, conditions };
        for setting in &library.settings {
            library.check(setting)?;
        }
        Ok(library)
    }

    /// What is lost where a setting is applied inside a program, by its name there.
    pub fn risk_of(&self, key: &str) -> Option<&str> {
        let setting = self.settings.iter().find(|s| s.key == key && s.risk.is_some())?;
        setting.risk.as_deref()
    }

    /// Names of the settings with such a risk.
    pub fn risks(&self) -> impl Iterator<Item = &str> {
        self.settings.iter().filter(|s| s.risk.is_some()).map(|s| s.key.as_str())
    }

    /// The file that holds a setting.
    pub fn file_of(&self, setting: &Setting) -> Option<&OutputFile> {
        self.files.iter().find(|file| file.folder == setting.folder())
    }

    /// The condition with this id.
    pub(crate) fn condition(&self, id: &str) -> Option<&Condition> {
        self.conditions.iter().find(|condition| condition.id == id)
    }

    /// All statements that decide about a setting: its own, and those of its conditions.
    pub fn statements(&self, setting: &Setting) -> Vec<String> {
        let named = setting.conditions().filter_map(|id| self.condition(id)?.sql.clone());
        std::iter::once(setting.statement()).chain(named).collect()
    }

    fn check(&self, setting: &Setting) -> Result<(), TuneError> {
        let wrong = |what: String| TuneError::setting(&setting.id, what);
        if let Some(id) = setting.conditions().find(|id| self.condition(id).is_none()) {
            return Err(wrong(format!("there is no {CONDITIONS}{id}.toml")));
        }
        let file = self
            .file_of(setting)
            .ok_or_else(|| wrong(format!("there is no tuning/{}/file.toml", setting.folder())))?;
        let line = setting.line.as_deref().unwrap_or(&file.line);
        let has_path = template::names(line).any(|name| name == "path");
        let is_program = file.apply.as_ref().is_some_and(|apply| apply.how == How::Program);
        if template::names(line).any(|name| name == "pattern") && !is_program {
            return Err(wrong("a pattern stands in files for programs only".into()));
        }
        if has_path && !file.is_script {
            return Err(wrong("a path stands in shell scripts only, where it is quoted".into()));
        }
        if !path::is_plain(&setting.key) {
            return Err(wrong(format!("key {:?} needs quotes", setting.key)));
        }
        if setting.reason.is_empty() {
            return Err(wrong("a setting needs a [[reason]]".into()));
        }
        Ok(())
    }
}

/// A setting; one that is another way to do what `like` names takes the rest from there.
fn setting(texts: &[(&str, &str)], text: &str) -> Result<Setting, toml::de::Error> {
    use serde::de::Error as _;
    let mut own: toml::Table = toml::from_str(text)?;
    if let Some(like) = own.remove("like") {
        let like = like.as_str().unwrap_or_default();
        let of_other = texts.iter().find(|(id, _)| *id == like).map(|(_, text)| *text);
        let missing = || toml::de::Error::custom(format!("like: there is no tuning/{like}.toml"));
        let mut other: toml::Table = toml::from_str(of_other.ok_or_else(missing)?)?;
        other.remove("line");
        other.extend(own);
        own = other;
    }
    own.try_into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_settings_that_come_with_diya_can_be_read() {
        let library = Library::built_in().expect("they are right");
        assert!(!library.settings.is_empty());
        for file in &library.files {
            assert!(path::is_plain(&file.name), "{}", file.name);
        }
    }

    #[test]
    fn a_path_outside_a_script_is_refused() {
        let file = "name='a.c'\nlayer='hdf5'\ncomment='//'\nuse='x'\nline='f({path});'";
        let setting = "key='k'\nwhat='w'\nbecause='b'\nno_value='n'\nharm=[]\nundo='u'\nsql='s'\n\
                       [[reason]]\ncheck='c'\neffect='whole'";
        let error = Library::parse(&[("a/file", file), ("a/k", setting)]).expect_err("refused");
        assert!(error.to_string().contains("shell scripts only"), "{error}");
    }
}
