//! Ranks that are mostly in MPI: what they wait for is no I/O of theirs.

use diya_model::{part_s, percent_text};
use diya_report::{Report, TimePart};

/// From this share of the run on, it is worth a sentence.
const WORTH_SHARE: f64 = 0.3;
const WORTH_S: f64 = 0.1;

/// Difference of two ranks, as a share of the run, from which on one has more to do.
const UNEVEN_SHARE: f64 = 0.2;

/// Share of the run without a core from which on all ranks wait, whatever they do.
const CROWDED_SHARE: f64 = 0.4;

/// Who works for a smaller share of what others wait is not what keeps them waiting by its work.
const IDLE_SHARE: f64 = 0.5;

/// `Rank 0 is in MPI for 1.2 s of the 1.4 s run (84 %), ...`
pub(super) fn sentence(report: &Report) -> Option<String> {
    let (run_s, of) = (report.verdict.run_s?, report.verdict.messages.as_ref()?);
    let waited = report.verdict.waited.as_ref();
    let is_crowded =
        waited.is_some_and(|of| of.activity == "core" && of.time_s >= CROWDED_SHARE * run_s);
    // Who waits in I/O of others is said already.
    let waits = |part: &TimePart| part.awaited.is_some() && part.time_s >= UNEVEN_SHARE * run_s;
    let is_said = report.time_parts.iter().any(waits);
    let is_uneven = of.most_s - of.least_s >= UNEVEN_SHARE * run_s;
    if (is_crowded && !is_uneven)
        || is_said
        || of.most_s < WORTH_S
        || of.most_s < WORTH_SHARE * run_s
    {
        return None;
    }
    let most = format!(
        "Rank {} is in MPI, apart from calls on files, for {} of the {} run ({})",
        of.most_rank,
        part_s(of.most_s, run_s),
        part_s(run_s, run_s),
        percent_text(of.most_s / run_s),
    );
    let (least, rank) = (part_s(of.least_s, run_s), of.least_rank);
    let busy = part_s(of.least_busy_s, run_s);
    Some(match (is_uneven, of.least_busy_s >= IDLE_SHARE * of.most_s) {
        (true, true) => format!(
            "{most}, rank {rank} for {least}: rank {rank} has more to do, and others wait for it."
        ),
        (true, false) => format!(
            "{most}, rank {rank} for {least}: rank {rank} works for {busy} only, it sleeps or waits \
             for something else, and others wait for it."
        ),
        (false, _) => {
            format!("{most}, rank {rank} for {least}: in messages, or waiting for each other.")
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use diya_report::{Messages, Verdict, Waited};

    fn said(most_s: f64, least_s: f64, core_s: f64) -> Option<String> {
        of_ranks(most_s, (least_s, 1.9), core_s)
    }

    fn of_ranks(most_s: f64, (least_s, least_busy_s): (f64, f64), core_s: f64) -> Option<String> {
        let waited = Waited { activity: "core".into(), time_s: core_s, ..Waited::default() };
        let verdict = Verdict {
            run_s: Some(2.0),
            messages: Some(Messages { most_rank: 0, most_s, least_rank: 1, least_s, least_busy_s }),
            waited: Some(waited),
            ..Verdict::default()
        };
        sentence(&Report { verdict, ..Report::default() })
    }

    #[test]
    fn uneven_ranks_are_told_from_messages() {
        assert_eq!(
            said(1.5, 0.3, 0.0).as_deref(),
            Some(
                "Rank 0 is in MPI, apart from calls on files, for 1.50 s of the 2.00 s run (75 %), \
                 rank 1 for 0.30 s: rank 1 has more to do, and others wait for it."
            )
        );
        assert!(said(1.5, 1.4, 0.0).is_some_and(|text| text.contains("in messages")));
        assert_eq!((said(0.5, 0.0, 0.0), said(1.5, 1.4, 0.9)), (None, None));
        assert!(said(1.5, 0.3, 0.9).is_some_and(|text| text.contains("rank 1 has more to do")));
        let asleep = of_ranks(1.5, (0.1, 0.2), 0.0);
        assert!(
            asleep.is_some_and(|text| text.contains("rank 1 works for 0.20 s only, it sleeps"))
        );
    }
}
