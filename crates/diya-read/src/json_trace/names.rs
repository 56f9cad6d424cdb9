//! What metadata events say: names behind hashes, and of processes.

use super::event::{Event, Value};
use diya_tables::FastHashMap;

/// Names so far.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// Of DFTracer: files (FH), hosts (HH) and texts (SH) by their hashes.
    hashes: FastHashMap<String, String>,
    /// Name of a process, by its number.
    pub processes: FastHashMap<u64, String>,
}

/// A process as DFTracer describes it at its start.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Start {
    pub exe: Option<String>,
    pub command_line: Option<String>,
    pub cwd: Option<String>,
    pub parent_pid: Option<i64>,
    pub rank: Option<i32>,
    pub version: Option<String>,
}

impl Names {
    /// Takes in a metadata event.
    pub fn learn(&mut self, event: &Event<'_>, pid: Option<u64>) {
        match event.name.as_ref() {
            // Versions 1.x: `name` and `value` are the text and its hash, as in 2.x.
            "FH" | "HH" | "SH" => {
                if let (Some(name), Some(hash)) = (event.text(&["name"]), event.text(&["value"])) {
                    self.hashes.insert(hash.to_string(), name.to_string());
                }
            }
            "process_name" => {
                if let (Some(pid), Some(name)) = (pid, event.text(&["name"])) {
                    self.processes.insert(pid, name.to_string());
                }
            }
            _ => {}
        }
    }

    /// The text behind a hash among the arguments.
    pub fn behind(&self, event: &Event<'_>, argument: &str) -> Option<&str> {
        let text = match event.args.as_ref()?.get(argument)? {
            Value::Text(text) => self.hashes.get(text.as_ref()),
            Value::Number(number) => self.hashes.get(&number.to_string()),
            Value::Other => None,
        };
        text.map(String::as_str)
    }

    /// What the first event of a process of DFTracer says.
    pub fn start(&self, event: &Event<'_>) -> Start {
        let words = |text: &str| text.replace(';', " ");
        let version = event.number(&["version"]).map(|number| {
            // 20003 is 2.0.3.
            format!("{}.{}.{}", number / 10_000, number / 100 % 100, number % 100)
        });
        let command = self.behind(event, "cmd_hash").or_else(|| event.text(&["cmd"]));
        let exe = self.behind(event, "exec_hash").or_else(|| event.text(&["exec"]));
        // Without a name of its own a program is called so.
        let exe = exe.filter(|exe| *exe != "DEFAULT");
        let first_word = |text: &str| text.split(';').next().unwrap_or_default().to_string();
        Start {
            exe: exe.map(str::to_string).or_else(|| command.map(first_word)),
            command_line: command.map(words),
            cwd: self.behind(event, "cwd").or_else(|| event.text(&["cwd"])).map(str::to_string),
            parent_pid: event.number(&["ppid"]),
            rank: event.number(&["rank"]).and_then(|rank| i32::try_from(rank).ok()),
            version: version.or_else(|| event.text(&["version"]).map(str::to_string)),
        }
    }
}
