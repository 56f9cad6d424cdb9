//! The four most frequent values of a file: how two such lists become one.
//!
//! Only the four best of each record are known, so a merged list is a guess at
//! the best four of all. This follows darshan-util step by step, with its
//! approximations, because its result is what has to be printed.
//!
//! Source: darshan_log_agg_posix_files in darshan-posix-logutils.c.

/// Four values, then how often each occurred.
pub(super) const COMMON: usize = 8;
const VALUES: usize = 4;

/// Merges the list of a record into that of all records before it.
pub(super) fn merge(all: &mut [i64; COMMON], record: &[i64; COMMON]) {
    let (values, counts) = record.split_at(VALUES);
    let mut is_known = [false; VALUES];
    for (number, (&value, &count)) in values.iter().zip(counts).enumerate() {
        for k in 0..VALUES {
            if all[k] == value {
                all[k + VALUES] = all[k + VALUES].wrapping_add(count);
                is_known[number] = true;
            }
        }
    }
    for (number, (&value, &count)) in values.iter().zip(counts).enumerate() {
        if is_known[number] {
            continue;
        }
        // Unused places hold 0, and only unused places follow.
        if value == 0 || !insert(all, value, count) {
            return;
        }
    }
}

/// Puts a value where its count says; false: it is not among the best four.
fn insert(all: &mut [i64; COMMON], value: i64, count: i64) -> bool {
    let same = (0..VALUES).find(|k| all[*k] == value);
    let total = same.map_or(count, |k| all[k + VALUES].wrapping_add(count));
    // darshan-util keeps this sum in 32 bits.
    #[allow(clippy::cast_possible_truncation)]
    let total = i64::from(total as i32);
    let is_before = |k: &usize| (all[k + VALUES], all[*k]) > (total, value);
    let place = (0..VALUES).take_while(is_before).count();
    if place == VALUES {
        return false;
    }
    let mut merged = [0; COMMON];
    let before = (0..place).map(|k| (all[k], all[k + VALUES]));
    let after = (place..VALUES).map(|k| (all[k], all[k + VALUES])).filter(|(v, _)| *v != value);
    let best = before.chain([(value, count)]).chain(after).take(VALUES);
    for (k, (value, count)) in best.enumerate() {
        merged[k] = value;
        merged[k + VALUES] = count;
    }
    *all = merged;
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merged(lists: &[[i64; COMMON]]) -> [i64; COMMON] {
        let mut all = [0; COMMON];
        lists.iter().for_each(|list| merge(&mut all, list));
        all
    }

    #[test]
    fn the_first_list_is_kept() {
        let list = [4096, 512, 0, 0, 90, 10, 0, 0];
        assert_eq!(merged(&[list]), list);
    }

    #[test]
    fn counts_of_the_same_value_add_up() {
        let a = [4096, 512, 0, 0, 90, 10, 0, 0];
        let b = [512, 64, 0, 0, 30, 20, 0, 0];
        assert_eq!(merged(&[a, b]), [4096, 512, 64, 0, 90, 40, 20, 0]);
    }

    #[test]
    fn a_rare_value_does_not_push_out_a_frequent_one() {
        let a = [1, 2, 3, 4, 50, 40, 30, 20];
        let b = [5, 6, 0, 0, 35, 10, 0, 0];
        assert_eq!(merged(&[a, b]), [1, 2, 5, 3, 50, 40, 35, 30]);
    }

    #[test]
    fn of_two_as_frequent_values_the_larger_comes_first() {
        let a = [100, 0, 0, 0, 5, 0, 0, 0];
        let b = [200, 0, 0, 0, 5, 0, 0, 0];
        assert_eq!(merged(&[a, b]), [200, 100, 0, 0, 5, 5, 0, 0]);
    }

    /// What darshan-util does, too: a list is not sorted again after counts
    /// were added.
    #[test]
    fn added_counts_do_not_change_the_order() {
        let a = [1, 2, 0, 0, 50, 40, 0, 0];
        let b = [2, 0, 0, 0, 40, 0, 0, 0];
        assert_eq!(merged(&[a, b]), [1, 2, 0, 0, 50, 80, 0, 0]);
    }
}
