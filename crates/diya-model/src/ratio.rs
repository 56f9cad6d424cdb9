//! Quotients that may be missing.

/// The quotient, or `None` when the divisor is zero or something is missing:
/// a missing measurement is not a ratio of zero.
///
/// ```
/// use diya_model::ratio;
/// assert_eq!(ratio(Some(1.0), Some(4.0)), Some(0.25));
/// assert_eq!(ratio(Some(1.0), Some(0.0)), None);
/// ```
pub fn ratio(part: Option<f64>, whole: Option<f64>) -> Option<f64> {
    match (part, whole) {
        (Some(part), Some(whole)) if whole != 0.0 => Some(part / whole),
        _ => None,
    }
}
