//! A finding in steps: judged by its check, then explained among the others of its log. Only the
//! step before can make a step, so that none sees a finding half-made. The next steps, which need
//! the program and the run, are those of the facade (`diya/src/diagnose/steps.rs`).

use std::collections::BTreeMap;

use diya_findings::Advice;

use crate::overlap::{self, Known};
use crate::{Check, Finding, order};

/// A finding as its check judged it: its sentence, its evidence, its seconds.
#[derive(Debug)]
pub(crate) struct JudgedFinding {
    pub finding: Finding,
    /// What its check advises, for all runs.
    pub advice: Advice,
}

/// A finding among the others of its log: it is known which of them has its seconds, too.
#[derive(Debug, Clone, PartialEq)]
pub struct ExplainedFinding {
    finding: Finding,
    advice: Advice,
}

impl ExplainedFinding {
    /// What is known so far: nothing of the program, and nothing to do.
    pub fn finding(&self) -> &Finding {
        &self.finding
    }

    /// The finding, and what its check advises for all runs.
    pub fn into_parts(self) -> (Finding, Advice) {
        (self.finding, self.advice)
    }
}

/// The findings of a log, what to look at first first.
pub(crate) fn explained(
    judged: Vec<JudgedFinding>,
    checks: &[Check],
    known: &Known<'_>,
    limit: impl Fn(Option<&str>) -> f64,
) -> Vec<ExplainedFinding> {
    let mut advice = BTreeMap::new();
    let mut findings = Vec::new();
    for of in judged {
        advice.insert(of.finding.id.clone(), of.advice);
        findings.push(of.finding);
    }
    order::rank(&mut findings, checks);
    overlap::mark(&mut findings, known, limit);
    let with_advice = |finding: Finding| {
        let advice = advice.remove(&finding.id).unwrap_or_default();
        ExplainedFinding { finding, advice }
    };
    findings.into_iter().map(with_advice).collect()
}
