//! Settings that `diya run --apply` gives to a program: what a file of `diya tune` says as
//! environment variables.
//!
//! A file may come from somebody else: only names that `tuning/` lists become variables, and
//! nothing in a file is run.

use crate::library::{Apply, How, Library, OutputFile, Setting};
use crate::{path, pattern};

/// What a file gives to a program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Injection {
    /// Environment variables.
    pub variables: Vec<(String, String)>,
    /// Entries of `DIYA_APPLY`, for the library that applies settings inside the processes.
    pub inside: Vec<String>,
    /// The settings, for the log: variable, then `:KEY` where the variable names a file, then
    /// `=VALUE`.
    pub applied: Vec<String>,
    /// What is left out, and why.
    pub refused: Vec<String>,
}

/// A line of a file as name and value.
type Pair = Result<(String, String), String>;

impl Library {
    /// The files that can be applied, in the order of their folders.
    pub fn applicable(&self) -> impl Iterator<Item = (&OutputFile, &Apply)> {
        self.files.iter().filter_map(|file| Some((file, file.apply.as_ref()?)))
    }

    /// What the text of a file gives to a program; `at` is its absolute path, `accepted` names
    /// the settings whose risk the user accepts.
    pub fn injection(
        &self,
        file: &OutputFile,
        apply: &Apply,
        (at, text): (&str, &str),
        accepted: &[String],
    ) -> Injection {
        let mut injection = Injection::default();
        if let Some(max) = file.max_bytes.filter(|max| text.len() >= *max) {
            let why = format!(
                "{at}: not applied: {} bytes, and its reader takes less than {max}: remove comments",
                text.len()
            );
            injection.refused.push(why);
            return injection;
        }
        for (line, words) in text.lines().enumerate() {
            let words = words.trim();
            if words.is_empty() || words.starts_with('#') {
                continue;
            }
            let pair = pair(apply.how, words).and_then(|(name, value)| {
                let setting = self.admit(file, apply, &name, accepted)?;
                let is_size = setting.is_some_and(|s| s.unit.as_deref() == Some("bytes"));
                if apply.how == How::Program && is_size && !begins_with_size(&value) {
                    return Err(format!("{name} needs a number of bytes"));
                }
                if let Some(need) = apply.forms.get(&name).and_then(|form| misfit(form, &value)) {
                    return Err(format!("{name} needs {need}"));
                }
                Ok((name, value))
            });
            match pair {
                Ok((name, value)) => injection.take(apply, at, &name, value),
                Err(why) => {
                    injection.refused.push(format!("{at}, line {}: not applied: {why}", line + 1));
                }
            }
        }
        injection
    }

    /// The setting of a name, `None` for one of `also`; or why it is not applied.
    fn admit(
        &self,
        file: &OutputFile,
        apply: &Apply,
        name: &str,
        accepted: &[String],
    ) -> Result<Option<&Setting>, String> {
        let mut settings = self.settings.iter().filter(|s| s.folder() == file.folder);
        match settings.find(|setting| setting.key == name) {
            None if apply.also.iter().any(|also| also == name) => Ok(None),
            None => Err(format!("{name} is unknown")),
            Some(Setting { risk: Some(risk), .. }) if !accepted.iter().any(|a| a == name) => {
                Err(format!("{name}: {risk}; `--accept {name}` applies it"))
            }
            Some(setting) => Ok(Some(setting)),
        }
    }
}

impl Injection {
    fn take(&mut self, apply: &Apply, at: &str, name: &str, value: String) {
        let variable = &apply.variable;
        match apply.how {
            How::HintsFile => {
                if self.variables.is_empty() {
                    self.variables.push((variable.clone(), at.to_owned()));
                }
                self.applied.push(format!("{variable}:{name}={value}"));
            }
            How::Program => {
                self.applied.push(format!("{name}={value}"));
                self.inside.push(format!("{name}={value}"));
            }
            How::Parameters | How::Exports => {
                let variable = format!("{variable}{name}");
                self.applied.push(format!("{variable}={value}"));
                self.variables.push((variable, value));
            }
        }
    }

    /// Leaves out the variables that the user has set: they have priority.
    #[must_use]
    pub fn without(mut self, is_set: impl Fn(&str) -> bool) -> Self {
        let (set, free) = self.variables.into_iter().partition(|(name, _)| is_set(name));
        self.variables = free;
        let set: Vec<(String, String)> = set;
        for (name, _) in set {
            let is_of = |fact: &String| {
                fact.strip_prefix(&name).is_some_and(|rest| rest.starts_with([':', '=']))
            };
            self.applied.retain(|fact| !is_of(fact));
            self.refused.push(format!("{name} is set already: it stays as it is"));
        }
        self
    }
}

/// Bytes, and then nothing, a pattern, or a word of the setting: `4096@*/out`, `4096,always`.
fn begins_with_size(value: &str) -> bool {
    let number = value.split(['@', ',']).next().unwrap_or_default();
    number.parse::<u64>().is_ok_and(|bytes| bytes > 0)
}

/// What the value should be; `None`: it is so.
fn misfit(form: &str, value: &str) -> Option<String> {
    let value = value.split('@').next().unwrap_or_default();
    match form {
        "NUMBER" => (!begins_with_size(value)).then(|| "a number above 0".to_owned()),
        "KEY:VALUE" => {
            let is_pair =
                value.split_once(':').is_some_and(|(k, v)| !k.is_empty() && !v.is_empty());
            (!is_pair).then(|| "KEY:VALUE".to_owned())
        }
        words => {
            let is_word = words.split('|').any(|word| word == value);
            (!is_word).then(|| words.replace('|', " or "))
        }
    }
}

fn pair(how: How, line: &str) -> Pair {
    let (name, value) = match how {
        How::HintsFile => {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                [name, value] => (name, value),
                _ => return Err("a line is KEY VALUE".to_owned()),
            }
        }
        How::Program => {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                [name, value] => return checked(name, pattern::encoded(value)),
                [name, value, pattern] => {
                    let (value, pattern) = (pattern::encoded(value), pattern::encoded(pattern));
                    return checked(name, format!("{value}@{pattern}"));
                }
                _ => return Err("a line is NAME VALUE [PATTERN]".to_owned()),
            }
        }
        How::Parameters => {
            let (name, value) = line.split_once('=').ok_or("a line is KEY = VALUE")?;
            (name.trim(), value.trim())
        }
        How::Exports => {
            let words = line.strip_prefix("export ").ok_or("a line is export NAME=VALUE")?;
            let (name, value) = words.split_once('=').ok_or("a line is export NAME=VALUE")?;
            let inside = value.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
            // The recorder sets it, and adds itself to what is there already.
            if name.trim() == "LD_PRELOAD" {
                return Err("LD_PRELOAD: source the file before diya run".to_owned());
            }
            match inside {
                Some(inside) if !inside.contains('\'') => (name.trim(), inside),
                _ if path::is_plain(value) => (name.trim(), value),
                _ => return Err(format!("{name} needs a shell: source the file first")),
            }
        }
    };
    checked(name, value.to_owned())
}

fn checked(name: &str, value: String) -> Pair {
    if !path::is_plain(name) || value.is_empty() || value.chars().any(char::is_control) {
        return Err("a name or value that no setting has".to_owned());
    }
    Ok((name.to_owned(), value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str, text: &str) -> Injection {
        let library = Library::built_in().expect("the settings");
        let (file, apply) =
            library.applicable().find(|(file, _)| file.name == name).expect("can be applied");
        library.injection(file, apply, (&format!("/s/{name}"), text), &[])
    }

    fn variables(injection: &Injection) -> Vec<(&str, &str)> {
        injection.variables.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect()
    }

    #[test]
    fn romio_gets_its_file_and_the_log_its_hints() {
        let hints = of("romio-hints.txt", "# a comment\n\ncb_nodes 4\nromio_cb_write enable\n");
        assert_eq!(variables(&hints), [("ROMIO_HINTS", "/s/romio-hints.txt")]);
        assert_eq!(hints.applied, ["ROMIO_HINTS:cb_nodes=4", "ROMIO_HINTS:romio_cb_write=enable"]);
        assert_eq!(hints.refused, [""; 0]);
    }

    #[test]
    fn an_unknown_hint_is_named_and_the_others_stay() {
        let hints = of("romio-hints.txt", "cb_nodez 4\ncb_nodes 4\ncb_nodes\n");
        assert_eq!(hints.applied, ["ROMIO_HINTS:cb_nodes=4"]);
        assert_eq!(hints.refused.len(), 2, "{:?}", hints.refused);
        assert!(hints.refused[0].contains("line 1") && hints.refused[0].contains("cb_nodez"));
        let none = of("romio-hints.txt", "cb_nodez 4\n");
        assert!(none.variables.is_empty());
    }

    #[test]
    fn a_hints_file_that_romio_ignores_is_not_applied() {
        let text = format!("{}cb_nodes 4\n", "# words\n".repeat(512));
        let hints = of("romio-hints.txt", &text);
        assert!(hints.variables.is_empty() && hints.applied.is_empty());
        assert!(hints.refused[0].contains("4096"), "{:?}", hints.refused);
    }

    #[test]
    fn parameters_of_open_mpi_are_variables() {
        let parameters =
            of("openmpi-mca-params.conf", "io_ompio_num_aggregators = 4\nbtl = self\n");
        assert_eq!(variables(&parameters), [("OMPI_MCA_io_ompio_num_aggregators", "4")]);
        assert!(parameters.refused[0].contains("btl is unknown"), "{:?}", parameters.refused);
    }

    #[test]
    fn scripts_are_read_and_never_run() {
        let hints = of("pnetcdf-hints.sh", "export PNETCDF_HINTS='nc_var_align_size=1048576;'\n");
        assert_eq!(variables(&hints), [("PNETCDF_HINTS", "nc_var_align_size=1048576;")]);
        for line in ["touch pwned", "export PATH=/tmp", "export PNETCDF_HINTS=$(touch pwned)"] {
            let hostile = of("pnetcdf-hints.sh", line);
            assert!(hostile.variables.is_empty() && hostile.refused.len() == 1, "{hostile:?}");
        }
    }

    #[test]
    fn settings_inside_the_program_are_entries_of_one_variable() {
        let inside =
            of("program.conf", "write_buffer 4194304 /out/a;b/*.dat\nstream_buffer 65536\n");
        let entries = ["write_buffer=4194304@/out/a%3Bb/*.dat", "stream_buffer=65536"];
        assert_eq!(inside.inside, entries);
        assert_eq!(inside.applied, entries);
        assert!(inside.variables.is_empty() && inside.refused.is_empty(), "{inside:?}");
    }

    #[test]
    fn a_size_that_is_no_number_is_named() {
        for value in ["abc", "-1", "0", "4M"] {
            let wrong = of("program.conf", &format!("write_buffer {value} *\n"));
            assert!(wrong.inside.is_empty(), "{value}");
            assert!(wrong.refused[0].contains("needs a number of bytes"), "{:?}", wrong.refused);
        }
        let always = of("program.conf", "mpi_collect 4096,always\n");
        assert_eq!(always.inside, ["mpi_collect=4096,always"]);
    }

    #[test]
    fn a_value_of_another_form_is_named_with_the_right_one() {
        for (name, line, need) in [
            ("program.conf", "mpi_hint cb_nodes", "mpi_hint needs KEY:VALUE"),
            ("program.conf", "read_ahead banana *.dat", "read_ahead needs sequential or random"),
            ("program.conf", "hdf5_metadata_block x", "hdf5_metadata_block needs a number"),
            ("romio-hints.txt", "cb_nodes banana", "cb_nodes needs a number"),
            ("romio-hints.txt", "romio_cb_write maybe", "needs enable or disable or automatic"),
        ] {
            let wrong = of(name, &format!("{line}\n"));
            assert!(wrong.applied.is_empty(), "{line}");
            assert!(wrong.refused[0].contains(need), "{:?}", wrong.refused);
        }
        let right = of("program.conf", "mpi_hint cb_nodes:4 /out/*\nread_ahead random\n");
        assert_eq!(right.inside, ["mpi_hint=cb_nodes:4@/out/*", "read_ahead=random"]);
    }

    #[test]
    fn a_setting_with_a_risk_needs_a_yes() {
        let no = of("program.conf", "no_fsync on\n");
        assert!(no.inside.is_empty());
        assert!(no.refused[0].contains("--accept no_fsync"), "{:?}", no.refused);
        let library = Library::built_in().expect("the settings");
        let mut files = library.applicable();
        let (file, apply) = files.find(|(file, _)| file.name == "program.conf").expect("is there");
        let text = ("/s/program.conf", "no_fsync on\n");
        let yes = library.injection(file, apply, text, &["no_fsync".to_owned()]);
        assert_eq!(yes.inside, ["no_fsync=on"]);
    }

    #[test]
    fn the_recorder_keeps_its_own_variable() {
        let preload = of("environment.sh", "export LD_PRELOAD='/tmp/other.so'\n");
        assert!(preload.variables.is_empty() && preload.refused[0].contains("LD_PRELOAD"));
    }

    #[test]
    fn what_the_user_has_set_stays() {
        let hints = of("romio-hints.txt", "cb_nodes 4\n").without(|name| name == "ROMIO_HINTS");
        assert!(hints.variables.is_empty() && hints.applied.is_empty());
        assert!(hints.refused[0].contains("already"), "{:?}", hints.refused);
    }
}
