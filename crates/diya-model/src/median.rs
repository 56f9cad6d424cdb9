//! The middle of many values.

/// The median, between the two in the middle of an even number; `None`: of no values.
/// The values change their order.
///
/// ```
/// assert_eq!(diya_model::median(&mut [4.0, 1.0, 3.0, 2.0]), Some(2.5));
/// assert_eq!(diya_model::median(&mut [5.0, 7.0, 6.0]), Some(6.0));
/// assert_eq!(diya_model::median(&mut []), None);
/// ```
pub fn median(values: &mut [f64]) -> Option<f64> {
    let middle = values.len() / 2;
    if values.is_empty() {
        return None;
    }
    let is_even = values.len().is_multiple_of(2);
    let (below, upper, _) = values.select_nth_unstable_by(middle, f64::total_cmp);
    let upper = *upper;
    let lower = below.iter().copied().max_by(f64::total_cmp).filter(|_| is_even);
    Some(lower.map_or(upper, |lower| f64::midpoint(lower, upper)))
}

/// The class that holds the median of values that are counted by class, in the order of the
/// classes: the lower one of an even number. `None`: of no values.
///
/// ```
/// assert_eq!(diya_model::median_class([("short", 2), ("long", 3)]), Some("long"));
/// assert_eq!(diya_model::median_class([("short", 2), ("long", 2)]), Some("short"));
/// assert_eq!(diya_model::median_class([("short", 0)]), None);
/// ```
pub fn median_class<C>(counts: impl IntoIterator<Item = (C, u64), IntoIter: Clone>) -> Option<C> {
    let mut counts = counts.into_iter();
    let all: u64 = counts.clone().map(|(_, count)| count).sum();
    let mut up_to_here = 0;
    let found = counts.find(|(_, count)| {
        up_to_here += count;
        *count > 0 && up_to_here >= all.div_ceil(2)
    });
    found.map(|(class, _)| class)
}
