//! What is missing in an archive, as rows of `read_issue`.

use diya_tables::{Issue, IssueKind, TableId, Tables};

/// What could not be read.
#[derive(Debug, Default)]
pub(super) struct Losses {
    /// The tar file is damaged or cut here.
    pub tar_damaged_at: Option<u64>,
    /// The global definitions end early; records of them that make no sense.
    pub cut_definitions_at: Option<u64>,
    pub damaged_definitions: u64,
    /// Files of local definitions that are damaged.
    pub damaged_locals: u64,
    /// Locations that have events, but no file of them.
    pub missing_locations: u64,
    /// Files of events that end early, and where the first of them begins.
    pub cut_files: u64,
    pub first_cut_at: Option<u64>,
    /// Pieces of files of events that make no sense, and where the first such file begins.
    pub damaged_chunks: u64,
    pub first_damaged_at: Option<u64>,
    /// Events that are announced and not there.
    pub missing_events: u64,
    /// Events of kinds that are not known.
    pub unknown_events: u64,
    /// Ends without a beginning.
    pub strays: u64,
    /// Functions without an end.
    pub unfinished: u64,
    /// Operations without an end.
    pub incomplete: u64,
    /// Regions and handles without a definition.
    pub undefined: u64,
    /// Values of metrics without a definition.
    pub undefined_values: u64,
    /// Operations of layers that diya does not have.
    pub other_layers: u64,
    /// How often recording was switched off.
    pub switched_off: u64,
    /// The clock has no resolution.
    pub has_no_clock: bool,
}

impl Losses {
    /// Writes the rows.
    pub fn push(&self, log: i32, tables: &mut Tables) {
        let mut push = |kind, byte_offset, count: u64, effect: &str| {
            if count > 0 {
                let issue = Issue::of_log(kind, effect);
                let concerned =
                    &[TableId::Call, TableId::Region, TableId::CounterSample, TableId::OpCount];
                let count = Some(count);
                tables.push_issue(log, Issue { byte_offset, count, tables: concerned, ..issue });
            }
        };
        let is_damaged = u64::from(self.tar_damaged_at.is_some());
        let effect = "the archive is cut or damaged here: files behind this place are missing";
        push(IssueKind::Truncated, self.tar_damaged_at, is_damaged, effect);
        let is_cut = u64::from(self.cut_definitions_at.is_some());
        let effect = "the global definitions end early: names, files and locations are missing";
        push(IssueKind::Truncated, self.cut_definitions_at, is_cut, effect);
        let effect = "definitions make no sense and are left out";
        push(IssueKind::Corrupt, None, self.damaged_definitions, effect);
        let effect = "files of local definitions are damaged: names can be those of others, and \
                      times can be off by the differences of clocks";
        push(IssueKind::Corrupt, None, self.damaged_locals, effect);
        let effect = "locations left no calls: their files of events are missing";
        push(IssueKind::MissingProcess, None, self.missing_locations, effect);
        let effect = "files of events have no end: calls behind it are missing";
        push(IssueKind::Truncated, self.first_cut_at, self.cut_files, effect);
        let effect = "pieces of files of events make no sense: their calls are missing";
        push(IssueKind::Corrupt, self.first_damaged_at, self.damaged_chunks, effect);
        let effect = "events that the definitions announce are not there: calls are missing";
        push(IssueKind::NotRecorded, None, self.missing_events, effect);
        let effect = "events of kinds that are newer than diya are passed over";
        push(IssueKind::UnknownVersion, None, self.unknown_events, effect);
        let effect = "events that end a function or an operation that did not begin are left out";
        push(IssueKind::Corrupt, None, self.strays, effect);
        let effect = "functions were not left: they end with the next one around them, or with \
                      the recording";
        push(IssueKind::Unfinished, None, self.unfinished, effect);
        let effect = "operations did not end: how many bytes they moved is null";
        push(IssueKind::Truncated, None, self.incomplete, effect);
        let effect = "regions and handles without a definition: their calls are left out, or \
                      are of no file";
        push(IssueKind::MissingName, None, self.undefined, effect);
        let effect = "values of metrics without a definition are left out";
        push(IssueKind::MissingName, None, self.undefined_values, effect);
        let effect = "operations of libraries that diya has no layer for are left out";
        push(IssueKind::UnknownModule, None, self.other_layers, effect);
        let effect = "recording was switched off at times: calls are missing";
        push(IssueKind::NotRecorded, None, self.switched_off, effect);
        let effect = "the clock has no resolution: its ticks are taken for nanoseconds";
        push(IssueKind::Guessed, None, u64::from(self.has_no_clock), effect);
    }
}
