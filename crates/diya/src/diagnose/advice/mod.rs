//! What to do about a finding: the advice of its check, for this run.

mod conditions;
mod fitting;

pub(super) use conditions::Circumstances;

use conditions::About;
use diya_checks::Advice;
use diya_report::{Action, Finding, Job};

/// The finding with the advice of its check that is for this run: without paragraphs for other
/// runs, the fixes that fit the job first.
pub(super) fn advised(
    located: Finding,
    advice: &Advice,
    run: &Circumstances,
    job: &Job,
) -> Finding {
    let about = About::of(&located);
    let risks = advice.contraindications.iter().filter(|risk| run.admit(risk, &about));
    let of_run = |(action, text): &(Action, _)| {
        let text = run.kept(text, &about);
        (!text.is_empty()).then(|| Action { text, ..action.clone() })
    };
    let mut finding = Finding {
        gain: run.kept(&advice.gain, &about),
        contraindications: risks.map(|risk| about.shown(risk)).collect(),
        verify: run.kept(&advice.verify, &about),
        wrong_when: run.kept(&advice.wrong_when, &about),
        actions: advice.actions.iter().filter_map(of_run).collect(),
        ..located
    };
    fitting::arrange_actions(job, &mut finding);
    finding
}
