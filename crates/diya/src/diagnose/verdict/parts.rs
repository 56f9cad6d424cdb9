//! The parts of the run time: the sentence of the verdict and every picture name them alike.

use diya_model::Layer;
use diya_report::{AccountRow, Report, TimePart};

/// The account by what a reader calls its parts: I/O first, the longest first, then the rest of
/// the run. They add up to the account.
pub(in super::super) fn time_parts(report: &Report) -> Vec<TimePart> {
    let mut parts: Vec<TimePart> = Vec::new();
    for part in report.time_account.iter().flat_map(|row| of_row(row, report)) {
        match parts.iter_mut().find(|known| known.name == part.name) {
            Some(known) => known.time_s += part.time_s,
            None => parts.push(part),
        }
    }
    // A wait that was seen is no computing, and who decodes pictures should read so.
    let started_s: f64 =
        parts.iter().filter(|part| part.name == STARTED).map(|part| part.time_s).sum();
    let started = super::idle::children(report, started_s);
    let beside = super::recording_part(report).into_iter().chain(super::idle::part(report));
    let beside = beside.chain(super::idle::decoding(report));
    let beside = beside.chain(started.map(|time_s| (STARTED, time_s)));
    let beside = beside.map(|(name, time_s)| (name, "computing", time_s));
    let messages = super::rank_wait::part(report).map(|time_s| (MESSAGES, "message", time_s));
    for (name, class, time_s) in messages.into_iter().chain(beside) {
        let Some(computing) = parts.iter_mut().find(|part| part.name == COMPUTING) else {
            continue;
        };
        let time_s = time_s.min(computing.time_s);
        if time_s <= 1e-6 {
            continue;
        }
        computing.time_s -= time_s;
        let (name, class) = (name.to_owned(), class.to_owned());
        let part = TimePart { name, class, time_s, ..computing.clone() };
        match parts.iter_mut().find(|known| known.name == part.name) {
            Some(known) => known.time_s += time_s,
            None => parts.push(part),
        }
    }
    // Nothing is left of computing where other names have all of it.
    parts.retain(|part| part.name != COMPUTING || part.time_s > 1e-6);
    parts.sort_by(|a, b| b.is_io().cmp(&a.is_io()).then(b.time_s.total_cmp(&a.time_s)));
    parts
}

/// The seconds of a row that ranks wait for the last one, and the others.
fn of_row(row: &AccountRow, report: &Report) -> Vec<TimePart> {
    let part = |name: String, class: &str, time_s: f64, awaited: Option<String>| TimePart {
        name,
        class: class.to_owned(),
        time_s,
        is_between_calls: row.class == "wait" && is_system(row) && row.calls.unwrap_or(0) == 0,
        awaited,
    };
    let waiting = |awaited: &str| format!("waiting for {awaited}");
    let Some(late_s) = row.late_s else {
        let awaited = awaited(row, report.job.nprocs == Some(1));
        let name = match &awaited {
            Some(Awaited::Named(who)) => waiting(who),
            Some(Awaited::File) => "sleeping between polls".to_owned(),
            Some(Awaited::EachOther) => "waiting and data exchange between ranks".to_owned(),
            None if row.op.as_deref() == Some(SEEK) && is_mostly_seeks(report) => {
                "seeks".to_owned()
            }
            None => name(row),
        };
        return vec![part(name, &row.class, row.time_s, awaited.map(Awaited::words))];
    };
    let who = row.awaited.clone().unwrap_or_else(|| "other ranks".to_owned());
    let exchange_s = (row.time_s - late_s).max(0.0);
    vec![
        part(waiting(&who), "wait", row.time_s - exchange_s, Some(who)),
        part("data exchange between ranks".to_owned(), "exchange", exchange_s, None),
    ]
}

/// What a row waits for.
enum Awaited {
    Named(String),
    /// A file that the program looks for again and again.
    File,
    /// Collective calls of which only counters are known.
    EachOther,
}

impl Awaited {
    /// As it stands behind "wait for".
    fn words(self) -> String {
        match self {
            Self::Named(who) => who,
            Self::File => "files, between polls".to_owned(),
            Self::EachOther => "each other (with data exchange)".to_owned(),
        }
    }
}

/// What a row waits for; a single process waits for its own threads. `None`: it is no wait.
fn awaited(row: &AccountRow, is_alone: bool) -> Option<Awaited> {
    match row.class.as_str() {
        "lock" => row.awaited.clone().map(Awaited::Named),
        "wait" if row.function.as_deref() == Some("naps") => Some(Awaited::File),
        "wait" if is_system(row) => {
            let others = if is_alone { "other threads" } else { "other processes" };
            let who = row.awaited.as_deref().filter(|_| !is_alone).unwrap_or(others);
            Some(Awaited::Named(who.to_owned()))
        }
        "wait" => Some(Awaited::EachOther),
        _ => None,
    }
}

/// Other programs, which it waits for.
const STARTED: &str = "waiting for programs that it started";

/// Calls about messages that wait for nobody, on the way that took the time of the run.
const MESSAGES: &str = "messages between ranks";

/// What no other part is.
const COMPUTING: &str = "computing and other work";

/// A seek is metadata, but who reads that word thinks of files that are opened.
const SEEK: &str = "seek";

/// Whether seeks take most of the metadata time.
fn is_mostly_seeks(report: &Report) -> bool {
    let rows = || report.time_account.iter().filter(|row| row.class == "metadata");
    let seeks = rows().filter(|row| row.op.as_deref() == Some(SEEK));
    seeks.map(|row| row.time_s).sum::<f64>() > 0.5 * rows().map(|row| row.time_s).sum::<f64>()
}

fn is_system(row: &AccountRow) -> bool {
    matches!(row.layer.as_str(), "posix" | "stdio")
}

/// Darshan keeps one time for these calls.
fn is_opening(row: &AccountRow) -> bool {
    matches!(row.op.as_deref(), Some("open" | "close"))
}

/// The class of a row as readers know it.
fn name(row: &AccountRow) -> String {
    match (row.class.as_str(), row.function.as_deref()) {
        ("lock", _) => "file locks".to_owned(),
        ("write_sync", _) => "write and sync".to_owned(),
        ("map", _) => "mapped files".to_owned(),
        ("text", _) => "converting text".to_owned(),
        ("child", _) => STARTED.to_owned(),
        ("computing", _) => COMPUTING.to_owned(),
        ("unknown", _) => "not recorded".to_owned(),
        ("library", Some("import")) => "loading modules".to_owned(),
        ("library", Some("compression")) => "compression".to_owned(),
        ("library", Some("archive")) => "handling archives".to_owned(),
        ("library", Some("serialisation")) => "converting objects".to_owned(),
        ("library", _) if row.layer == "mpiio" && is_opening(row) => {
            "opening and closing files in MPI-IO".to_owned()
        }
        ("library", _) => {
            let layer = Layer::from_name(&row.layer);
            let layer = layer.filter(|layer| layer.depth() <= Layer::Mpiio.depth());
            layer.map_or("inside libraries".to_owned(), |of| format!("inside {}", of.software()))
        }
        (class, _) => class.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use diya_report::Verdict;

    #[test]
    fn decoding_is_taken_from_computing_where_it_is_worth_a_word() {
        let row = AccountRow { class: "computing".into(), time_s: 2.0, ..AccountRow::default() };
        let parts = |decoding_s| {
            let verdict = Verdict { decoding_s, run_s: Some(2.0), ..Verdict::default() };
            let report = Report { verdict, time_account: vec![row.clone()], ..Report::default() };
            let all = time_parts(&report).into_iter();
            all.map(|of| format!("{} {}", of.name, of.time_s)).collect::<Vec<_>>()
        };
        let both = ["decoding 1.5", "computing and other work 0.5"];
        assert_eq!(parts(Some(1.5)), both);
        assert_eq!(parts(Some(0.05)), ["computing and other work 2"]);
    }

    #[test]
    fn parts_have_the_names_that_readers_know() {
        let row = |layer: &str, class: &str, time_s| AccountRow {
            layer: layer.into(),
            class: class.into(),
            time_s,
            ..AccountRow::default()
        };
        let waits = AccountRow {
            late_s: Some(2.0),
            awaited: Some("rank 3".into()),
            ..row("mpiio", "wait", 2.5)
        };
        let seeks = AccountRow { op: Some("seek".into()), ..row("stdio", "metadata", 0.3) };
        let locks = AccountRow { awaited: Some("locks".into()), ..row("posix", "lock", 1.0) };
        let time_account = vec![row("program", "computing", 4.0), seeks, locks, waits];
        let parts = time_parts(&Report { time_account, ..Report::default() });
        let text: Vec<String> =
            parts.iter().map(|of| format!("{} {}", of.name, of.time_s)).collect();
        assert_eq!(
            text,
            [
                "waiting for rank 3 2",
                "waiting for locks 1",
                "data exchange between ranks 0.5",
                "seeks 0.3",
                "computing and other work 4",
            ]
        );
    }
}
