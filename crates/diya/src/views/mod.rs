//! Questions that users ask of a log, one SQL file each: what `diya phases`,
//! `ranks`, `files`, `targets` and `calls` print.

/// One question with its query.
#[derive(Debug, Clone, Copy)]
pub struct View {
    /// What it is about: phases, ranks, files, targets or calls.
    pub subject: &'static str,
    /// Its name within the subject.
    pub name: &'static str,
    /// The file, whose first line is a comment that says what it shows.
    text: &'static str,
}

macro_rules! views {
    ($($subject:literal: $($name:literal)*;)*) => {
        /// All questions; the first one of a subject is its default.
        pub const VIEWS: &[View] = &[$($(View {
            subject: $subject,
            name: $name,
            text: include_str!(concat!($subject, "/", $name, ".sql")),
        },)*)*];
    };
}

views! {
    "phases": "stragglers" "summary" "period" "persistence" "nodes" "ranks" "training";
    "ranks": "time" "steps" "layers" "files" "balance" "nodes" "groups" "overlap";
    "files": "time" "small" "metadata" "redundancy" "extents" "layers" "sharing" "pattern" "count" "mounts" "mapped";
    "targets": "load" "speed" "time";
    "calls": "layers" "functions" "slowest" "source" "sizes" "cost" "common" "exclusive" "collective"
        "path" "requests" "summary" "processes" "spans" "regions";
}

impl View {
    /// What it shows, in one line.
    pub fn title(&self) -> &'static str {
        self.text.lines().next().unwrap_or_default().trim_start_matches("-- ")
    }

    /// The query; `filter` is a condition on its columns.
    ///
    /// ```
    /// let view = diya::views::view("files", Some("small")).unwrap();
    /// assert!(view.sql(Some("small_calls > 10")).contains("where small_calls > 10"));
    /// ```
    pub fn sql(&self, filter: Option<&str>) -> String {
        let query = self.text.lines().skip(1).collect::<Vec<_>>().join("\n");
        match filter {
            None => query,
            Some(filter) => format!("select * from (\n{query}\n) as view\nwhere {filter}"),
        }
    }
}

/// The view of a subject with this name; without a name its default.
pub fn view(subject: &str, name: Option<&str>) -> Option<&'static View> {
    VIEWS
        .iter()
        .filter(|view| view.subject == subject)
        .find(|view| name.is_none_or(|name| name == view.name))
}
