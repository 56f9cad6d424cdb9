//! Calls of a thread in lanes: within each they lie one behind or in the other.

/// Lanes of one thread; what does not fit into one of them is put into the last one.
const MAX_LANES: usize = 1000;

/// What an item is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Of {
    Call,
    Region,
    Message,
}

/// A call, region or message: its time, and where its row is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Item {
    pub start_ns: i64,
    pub end_ns: i64,
    /// How far the layer is from the program: outer ones first.
    pub depth: u8,
    pub of: Of,
    pub batch_number: u32,
    pub row: u32,
}

/// Lanes of items in the order in which they begin, the outer ones first.
pub(super) fn lanes(mut items: Vec<Item>) -> Vec<Vec<Item>> {
    items.sort_by_key(|item| (item.start_ns, std::cmp::Reverse(item.end_ns), item.depth));
    let mut lanes: Vec<Vec<Item>> = Vec::new();
    let mut open: Vec<Vec<i64>> = Vec::new();
    for mut item in items {
        let mut fitting = None;
        for (at, ends) in open.iter_mut().enumerate() {
            while ends.last().is_some_and(|end| *end <= item.start_ns) {
                ends.pop();
            }
            if ends.last().is_none_or(|end| *end >= item.end_ns) {
                fitting = Some(at);
                break;
            }
        }
        let at = fitting.unwrap_or(open.len()).min(MAX_LANES - 1);
        if at == open.len() {
            open.push(Vec::new());
            lanes.push(Vec::new());
        }
        if let (Some(ends), Some(lane)) = (open.get_mut(at), lanes.get_mut(at)) {
            if let Some(end) = ends.last() {
                item.end_ns = item.end_ns.min(*end);
            }
            ends.push(item.end_ns);
            lane.push(item);
        }
    }
    lanes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(start_ns: i64, end_ns: i64, depth: u8) -> Item {
        Item { start_ns, end_ns, depth, of: Of::Call, batch_number: 0, row: 0 }
    }

    #[test]
    fn calls_that_overlap_are_in_two_lanes() {
        let (outer, inner) = (item(0, 10, 2), item(0, 10, 3));
        let (later, beside) = (item(10, 12, 3), item(5, 11, 3));
        let found = lanes(vec![inner, outer, later, beside]);
        assert_eq!(found, [vec![outer, inner, later], vec![beside]]);
    }
}
