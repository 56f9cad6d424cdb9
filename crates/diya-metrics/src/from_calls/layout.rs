//! Where the bytes of a file lie: the stripes of its layout, all components of
//! a progressive file layout included.
//!
//! Source: the Lustre module of Darshan; the target of an offset is the stripe
//! `(offset / stripe_size) mod stripe_count` of the component that covers it.

use crate::hash::HashMap;
use diya_tables::{BatchSource, lustre_component, lustre_target};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A component of a file's layout.
#[derive(Debug)]
struct Component {
    from: i64,
    /// Offset after the last one it covers.
    to: i64,
    stripe_bytes: i64,
    /// Target of each stripe, where it is known.
    targets: Vec<Option<i64>>,
}

/// The components of one file.
#[derive(Debug, Default)]
pub(super) struct Layout(Vec<Component>);

/// Layouts by log and file.
pub(super) type Layouts = HashMap<(i32, u64), Layout>;

impl Layout {
    /// Targets of `from..to` and bytes on each, one entry per target; what was
    /// in `parts` is forgotten.
    pub fn split(&self, from: i64, to: i64, parts: &mut Vec<(i64, i64)>) {
        parts.clear();
        for component in &self.0 {
            component.split(from, to, parts);
        }
    }

    /// Whether a stripe starts here.
    pub fn is_edge(&self, offset: i64) -> bool {
        let covers = |c: &&Component| c.from <= offset && offset < c.to && c.stripe_bytes > 0;
        self.0.iter().find(covers).is_some_and(|c| offset % c.stripe_bytes == 0)
    }
}

impl Component {
    fn split(&self, from: i64, to: i64, parts: &mut Vec<(i64, i64)>) {
        let (from, to) = (from.max(self.from), to.min(self.to));
        let width = i64::try_from(self.targets.len()).unwrap_or(i64::MAX);
        if from >= to || width == 0 || self.stripe_bytes <= 0 {
            return;
        }
        let (first, last) = (from / self.stripe_bytes, (to - 1) / self.stripe_bytes);
        // Whole rounds over all stripes need no walk: a request can be huge.
        let rounds = ((last - first - 1) / width).max(0);
        if rounds > 0 {
            for target in self.targets.iter().flatten() {
                add(parts, *target, rounds.saturating_mul(self.stripe_bytes));
            }
        }
        let skipped = rounds.saturating_mul(width);
        let mut stripe = first;
        while stripe <= last {
            let start = stripe.saturating_mul(self.stripe_bytes);
            let end = start.saturating_add(self.stripe_bytes);
            let place = usize::try_from(stripe % width).unwrap_or_default();
            if let Some(target) = self.targets.get(place).copied().flatten() {
                add(parts, target, end.min(to) - start.max(from));
            }
            stripe += if stripe == first { 1 + skipped } else { 1 };
        }
    }
}

fn add(parts: &mut Vec<(i64, i64)>, target: i64, bytes: i64) {
    match parts.iter_mut().find(|(known, _)| *known == target) {
        Some((_, sum)) => *sum = sum.saturating_add(bytes),
        None => parts.push((target, bytes)),
    }
}

/// Layouts from the first record of each file.
pub(super) fn layouts(tables: &[Arc<dyn BatchSource>]) -> Layouts {
    let mut components: BTreeMap<(i32, u64, i32), Component> = BTreeMap::new();
    // Mirrors cover the same bytes; a request goes to one of them.
    let mut mirrors = HashMap::default();
    for of in Components::all(tables) {
        for row in 0..of.rows() {
            let key = (of.log.value(row), of.file_id.value(row), of.component.value(row));
            let mirror = of.mirror_id.get(row);
            if *mirrors.entry((key.0, key.1)).or_insert(mirror) != mirror {
                continue;
            }
            components.entry(key).or_insert_with(|| Component {
                from: of.ext_start.get(row).unwrap_or(0),
                to: of.ext_end.get(row).unwrap_or(i64::MAX),
                stripe_bytes: of.stripe_size.get(row).unwrap_or(0),
                targets: Vec::new(),
            });
        }
    }
    for of in Stripes::all(tables) {
        for row in 0..of.rows() {
            let key = (of.log.value(row), of.file_id.value(row), of.component.value(row));
            let stripe = usize::try_from(of.stripe.value(row));
            // Rows come in order of the stripe; a second record repeats them.
            if let Some(component) = components.get_mut(&key)
                && stripe == Ok(component.targets.len())
            {
                component.targets.push(of.ost_id.get(row));
            }
        }
    }
    let mut layouts: Layouts = HashMap::default();
    for ((log, file_id, _), component) in components {
        layouts.entry((log, file_id)).or_default().0.push(component);
    }
    layouts
}

diya_tables::columns! {
    struct Components of lustre_component {
        log: i32,
        file_id: u64,
        component: i32,
        stripe_size: i64,
        ext_start: i64,
        ext_end: i64,
        mirror_id: i64,
    }
}

diya_tables::columns! {
    struct Stripes of lustre_target {
        log: i32,
        file_id: u64,
        component: i32,
        stripe: i32,
        ost_id: i64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(width: i64) -> Layout {
        let targets = (0..width).map(|target| Some(target + 10)).collect();
        Layout(vec![Component { from: 0, to: i64::MAX, stripe_bytes: 100, targets }])
    }

    fn parts(layout: &Layout, from: i64, to: i64) -> BTreeMap<i64, i64> {
        let mut parts = Vec::new();
        layout.split(from, to, &mut parts);
        let targets: BTreeMap<i64, i64> = parts.iter().copied().collect();
        assert_eq!(targets.len(), parts.len(), "one entry per target");
        targets
    }

    #[test]
    fn a_request_is_split_at_stripe_edges() {
        assert_eq!(parts(&plain(2), 50, 250), BTreeMap::from([(10, 100), (11, 100)]));
        assert_eq!(parts(&plain(2), 100, 200), BTreeMap::from([(11, 100)]));
    }

    #[test]
    fn whole_rounds_are_as_single_steps() {
        for (from, to) in [(0, 1000), (50, 1999), (130, 170), (99, 2101), (100, 500)] {
            let layout = plain(3);
            let mut single: BTreeMap<i64, i64> = BTreeMap::new();
            for byte in from..to {
                *single.entry(byte / 100 % 3 + 10).or_insert(0) += 1;
            }
            assert_eq!(parts(&layout, from, to), single, "{from}..{to}");
        }
    }

    #[test]
    fn each_component_takes_what_it_covers() {
        let mut layout = plain(1);
        layout.0[0].to = 150;
        let targets = vec![Some(20), None];
        layout.0.push(Component { from: 150, to: i64::MAX, stripe_bytes: 200, targets });
        // 150..200 is on target 20, 200..300 on a target that is not known.
        assert_eq!(parts(&layout, 100, 300), BTreeMap::from([(10, 50), (20, 50)]));
    }
}
