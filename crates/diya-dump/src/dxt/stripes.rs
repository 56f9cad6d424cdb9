//! Which storage targets a request touches, from the layout of its file.
//!
//! Follows darshan-util 3.5.0: a component is left once as many targets were
//! printed as it has stripes, counted over all components of the request.

use crate::lustre::Component;
use crate::text::Text;

/// Prints the layout above the calls of a file.
pub(super) fn print_components(text: &mut Text<'_>, components: &[Component<'_>]) {
    text.str("# DXT, Lustre stripe components:\n");
    for (number, component) in (1..).zip(components) {
        text.str("#\t[Component ").i64(number).str("] stripe_ext: ");
        text.i64(component.ext_start).str(" - ");
        if component.ext_end == -1 {
            text.str("EOF");
        } else {
            text.i64(component.ext_end);
        }
        text.str(", stripe_size: ").i64(component.stripe_size);
        text.str(", stripe_count: ").i64(component.stripe_count).str(", OSTs:");
        for target in &component.targets {
            text.str(" ").i64(*target);
        }
        text.str("\n");
    }
}

/// Prints the targets of a request: ` [106] [107]`.
pub(super) fn print_targets(
    text: &mut Text<'_>,
    components: &[Component<'_>],
    offset: i64,
    size: i64,
) {
    for_each_target(components, offset, size, |target| {
        text.str(" [").i64(target).str("]");
    });
}

fn for_each_target(
    components: &[Component<'_>],
    offset: i64,
    size: i64,
    mut print: impl FnMut(i64),
) {
    let end = offset.saturating_add(size);
    let mut at = offset;
    let mut printed = 0_i64;
    for component in components {
        let is_in = |at| component.ext_end == -1 || at < component.ext_end;
        // A layout without stripes, or with stripes of no size, has no targets.
        let is_striped = component.stripe_count > 0 && component.stripe_size > 0;
        if !is_striped || at < component.ext_start || !is_in(at) {
            continue;
        }
        let first = (at - component.ext_start) / component.stripe_size;
        for stripe in first.. {
            if at >= end || !is_in(at) {
                break;
            }
            let index = usize::try_from(stripe % component.stripe_count).ok();
            // A damaged log may lack targets that its layout counts.
            let Some(target) = index.and_then(|i| component.targets.get(i)) else { return };
            print(*target);
            printed += 1;
            let next = (stripe + 1).saturating_mul(component.stripe_size);
            at = component.ext_start.saturating_add(next);
            if printed >= component.stripe_count {
                at = if component.ext_end == -1 { end } else { component.ext_end };
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lustre;
    use diya_tables::{LustreComponentRow, LustreTargetRow, Tables};

    const MIB: i64 = 1 << 20;

    /// A file whose components are given as (start, end, targets).
    fn targets(components: &[(i64, i64, &[i64])], offset: i64, size: i64) -> Vec<i64> {
        let mut tables = Tables::new();
        for (number, (start, end, ids)) in (0..).zip(components) {
            tables.push_lustre_component(LustreComponentRow {
                log: 0,
                file_id: 1,
                rank: -1,
                component: number,
                stripe_size: Some(MIB),
                stripe_count: i64::try_from(ids.len()).ok(),
                ext_start: Some(*start),
                ext_end: Some(*end).filter(|e| *e != -1),
                ..LustreComponentRow::UNKNOWN
            });
            for (stripe, id) in (0..).zip(*ids) {
                tables.push_lustre_target(LustreTargetRow {
                    log: 0,
                    file_id: 1,
                    rank: -1,
                    component: number,
                    stripe,
                    ost_id: Some(*id),
                });
            }
        }
        let layouts = lustre::layouts(&tables);
        let mut found = Vec::new();
        for_each_target(&layouts[0].components, offset, size, |target| found.push(target));
        found
    }

    #[test]
    fn a_request_inside_a_stripe_touches_one_target() {
        let layout: &[(i64, i64, &[i64])] = &[(0, -1, &[10, 11, 12])];
        assert_eq!(targets(layout, 0, 100), [10]);
        assert_eq!(targets(layout, 4 * MIB, 100), [11]);
    }

    #[test]
    fn a_request_over_a_stripe_edge_touches_two() {
        assert_eq!(targets(&[(0, -1, &[10, 11, 12])], 3 * MIB - 1, 2), [12, 10]);
    }

    #[test]
    fn no_target_is_named_twice() {
        assert_eq!(targets(&[(0, -1, &[10, 11])], 0, 10 * MIB), [10, 11]);
    }

    #[test]
    fn a_request_goes_on_in_the_next_component() {
        let layout: &[(i64, i64, &[i64])] = &[(0, MIB, &[1]), (MIB, -1, &[2, 3, 4])];
        assert_eq!(targets(layout, 0, 2 * MIB), [1, 2]);
        assert_eq!(targets(layout, 2 * MIB, 10), [3]);
    }

    #[test]
    fn an_empty_request_touches_nothing() {
        assert_eq!(targets(&[(0, -1, &[10])], 5, 0), [0; 0]);
    }

    #[test]
    fn a_layout_without_stripes_has_no_targets() {
        assert_eq!(targets(&[(0, 65_536, &[]), (65_536, -1, &[])], 0, 10), [0; 0]);
    }
}
