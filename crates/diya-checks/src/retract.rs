//! Passed checks that found nothing only because there were too few calls for them.

use diya_model::Layer;

use crate::finding::LogVerdicts;
use crate::header::Param;
use crate::steps::JudgedFinding;
use crate::{Check, CheckName, Severity, Value};

/// A check with a floor that found nothing in calls whose time is unexplained did not
/// pass them: they were too few for it. Of the own time of a library the layers below know nothing.
pub(crate) fn retract(log: &mut LogVerdicts, judged: &[JudgedFinding], checks: &[Check]) {
    let text = |value: Option<&Value>| match value {
        Some(Value::Text(text)) => Some(text.clone()),
        _ => None,
    };
    let findings = judged.iter().map(|of| &of.finding);
    let unexplained = findings.filter(|f| f.severity == Severity::Unexplained);
    let rows = unexplained.flat_map(|finding| &finding.evidence);
    let kinds: Vec<[Option<String>; 3]> = rows
        .map(|row| ["class", "op", "layer"].map(|column| text(row.values.get(column))))
        .collect();
    let is_below_floor = |name: &CheckName| {
        let check = checks.iter().find(|check| check.id == name.id);
        check.is_some_and(|check| {
            let is_floor =
                |(name, param): (&String, &Param)| name.starts_with("min_") && param.unit != "1";
            let is_about = |[class, op, layer]: &[Option<String>; 3]| {
                let is_class = check.class.is_some() && check.class == *class;
                let is_own = matches!(class.as_deref(), Some("library" | "wait"));
                let is_kind = op.as_ref().is_some_and(|op| check.ops.contains(op));
                is_class || is_kind && !(is_own && is_below(&check.layer, layer.as_deref()))
            };
            check.params.iter().any(is_floor) && kinds.iter().any(is_about)
        })
    };
    let (below, passed) = std::mem::take(&mut log.passed).into_iter().partition(is_below_floor);
    log.passed = passed;
    log.not_applicable.extend::<Vec<CheckName>>(below);
}

/// Whether one layer is called by the other.
fn is_below(layer: &str, other: Option<&str>) -> bool {
    let depth = |name: &str| Layer::from_name(name).map(Layer::depth);
    depth(layer).zip(other.and_then(depth)).is_some_and(|(a, b)| a > b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_own_time_of_mpi_io_says_nothing_about_calls_below_it() {
        assert!(is_below("posix", Some("mpiio")));
        assert!(!is_below("mpiio", Some("mpiio")));
        assert!(!is_below("hdf5", Some("mpiio")));
        assert!(!is_below("job", Some("mpiio")));
        assert!(!is_below("posix", None));
    }
}
