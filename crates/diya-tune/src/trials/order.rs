//! Which points are worth a run first.

use super::space::Point;

/// Above so many points, only those that differ in one or two settings are looked at.
const ALL_POINTS: usize = 512;

/// Points that were not tried, those that resemble `from` first.
///
/// One change before two. Another value of the setting with the largest saving comes first, then
/// the setting with the smallest saving off: it is the one that most likely harms more than it
/// helps.
pub(super) fn fresh(
    options: &[usize],
    from: &Point,
    is_tried: impl Fn(&Point) -> bool,
) -> Vec<Point> {
    let mut points = if options
        .iter()
        .try_fold(1_usize, |all, n| all.checked_mul(*n))
        .is_some_and(|all| all <= ALL_POINTS)
    {
        all(options)
    } else {
        near(options, from)
    };
    points.retain(|point| point.iter().any(|option| *option > 0) && !is_tried(point));
    points.sort_by_cached_key(|point| rank(from, point));
    points
}

/// Changes, then how unlikely they are to help.
fn rank(from: &Point, point: &Point) -> (usize, usize, Point) {
    let changed = || (0..point.len()).filter(|at| from[*at] != point[*at]);
    let cost = |at: usize| match point[at] {
        0 => 2 * (point.len() - 1 - at) + 1,
        _ => 2 * at,
    };
    (changed().count(), changed().map(cost).sum(), point.clone())
}

fn all(options: &[usize]) -> Vec<Point> {
    options.iter().fold(vec![Vec::new()], |points, count| {
        let longer = |point: &Point| {
            (0..*count).map(|option| [point.as_slice(), &[option]].concat()).collect::<Vec<_>>()
        };
        points.iter().flat_map(longer).collect()
    })
}

/// Points with one or two changes.
fn near(options: &[usize], from: &Point) -> Vec<Point> {
    let one = |point: &Point| -> Vec<Point> {
        let mut changed = Vec::new();
        for (at, count) in options.iter().enumerate() {
            for option in (0..*count).filter(|option| *option != point[at]) {
                let mut other = point.clone();
                other[at] = option;
                changed.push(other);
            }
        }
        changed
    };
    let mut points: Vec<Point> = one(from).iter().flat_map(one).chain(one(from)).collect();
    points.sort();
    points.dedup();
    points
}

/// Numbers in an order that follows from a seed (SplitMix64).
#[derive(Debug, Clone)]
pub(super) struct Shuffle(pub u64);

impl Shuffle {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Puts them into another order (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let at = self.next() % (last as u64 + 1);
            items.swap(last, usize::try_from(at).unwrap_or(0));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_change_comes_before_two_and_off_begins_with_the_smallest_saving() {
        let points = fresh(&[3, 2], &vec![1, 1], |point| *point == [1, 1]);
        assert_eq!(points, [[2, 1], [1, 0], [0, 1], [2, 0]]);
    }

    #[test]
    fn a_large_space_is_looked_at_near_the_best() {
        let options = [3; 10];
        let from = vec![1; 10];
        let points = fresh(&options, &from, |point| *point == from);
        let changes = |point: &Point| point.iter().filter(|option| **option != 1).count();
        assert!(points.iter().all(|point| (1..=2).contains(&changes(point))));
        assert_eq!(points.len(), 20 + 45 * 4);
    }

    #[test]
    fn an_order_follows_from_its_seed() {
        let order = |seed: u64| {
            let mut items = [0, 1, 2, 3, 4, 5, 6, 7];
            Shuffle(seed).shuffle(&mut items);
            items
        };
        assert_eq!(order(1), order(1));
        assert_ne!(order(1), order(2));
    }
}
