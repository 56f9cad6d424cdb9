//! Where the bytes of a striped file lie.

/// A part of a file that is striped over targets in turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Component {
    /// First byte.
    pub from_bytes: u64,
    /// Byte after the last one; `u64::MAX`: to the end of the file.
    pub to_bytes: u64,
    /// Bytes per stripe, above 0.
    pub stripe_bytes: u64,
    /// Targets in stripe order.
    pub targets: Vec<i64>,
}

/// Components of a file by their first byte; empty: not recorded.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Layout(pub Vec<Component>);

impl Layout {
    /// Nothing is known.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Targets of all components.
    pub fn targets(&self) -> impl Iterator<Item = i64> {
        self.0.iter().flat_map(|component| component.targets.iter().copied())
    }

    /// Bytes of an extent on each target it touches, in any order; a target may
    /// come several times. Takes time by targets, not by stripes.
    pub fn split(&self, offset: u64, size: u64, mut visit: impl FnMut(i64, u64)) {
        let extent_end = offset.saturating_add(size);
        for component in &self.0 {
            let first = offset.max(component.from_bytes);
            let end = extent_end.min(component.to_bytes);
            let count = component.targets.len() as u64;
            if first >= end || count == 0 || component.stripe_bytes == 0 {
                continue;
            }
            let stripe_bytes = component.stripe_bytes;
            let (first_stripe, last_stripe) = (first / stripe_bytes, (end - 1) / stripe_bytes);
            for stripe in first_stripe..=last_stripe.min(first_stripe.saturating_add(count - 1)) {
                // This stripe and all further ones on the same target.
                let rounds = (last_stripe - stripe) / count;
                let last = stripe + rounds * count;
                let mut bytes = (rounds + 1).saturating_mul(stripe_bytes);
                if stripe == first_stripe {
                    bytes -= first - stripe * stripe_bytes;
                }
                if last == last_stripe {
                    bytes -= (last_stripe + 1).saturating_mul(stripe_bytes) - end;
                }
                visit(component.targets[(stripe % count) as usize], bytes);
            }
        }
    }

    /// Targets that an extent touches, each once, in order.
    pub fn touched(&self, offset: u64, size: u64) -> Vec<i64> {
        let mut targets = Vec::new();
        self.split(offset, size, |target, _| targets.push(target));
        targets.sort_unstable();
        targets.dedup();
        targets
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout() -> Layout {
        let component = |from_bytes, to_bytes, stripe_bytes, targets: &[i64]| Component {
            from_bytes,
            to_bytes,
            stripe_bytes,
            targets: targets.to_vec(),
        };
        Layout(vec![component(0, 100, 100, &[7]), component(100, u64::MAX, 10, &[1, 2, 3])])
    }

    fn split(offset: u64, size: u64) -> Vec<(i64, u64)> {
        let mut parts = Vec::new();
        layout().split(offset, size, |target, bytes| parts.push((target, bytes)));
        parts
    }

    #[test]
    fn an_extent_is_split_at_stripe_edges() {
        assert_eq!(split(10, 20), [(7, 20)]);
        // Stripe 12 is on target 1: 120..130.
        assert_eq!(split(125, 10), [(1, 5), (2, 5)]);
    }

    #[test]
    fn bytes_of_several_rounds_are_summed() {
        // Stripes 12, 15 and half of 18; 13 and 16; 14 and 17.
        assert_eq!(split(120, 65), [(1, 25), (2, 20), (3, 20)]);
        let all: u64 = split(3, 100_000).iter().map(|(_, bytes)| bytes).sum();
        assert_eq!(all, 100_000);
    }

    #[test]
    fn components_are_taken_in_turn_and_targets_named_once() {
        assert_eq!(layout().touched(90, 25), [2, 3, 7]);
        assert_eq!(layout().touched(120, 1_000_000), [1, 2, 3]);
        assert!(layout().touched(5, 0).is_empty());
    }
}
