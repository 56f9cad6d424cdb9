//! A walk over the calls of a file in the order of their places: which bytes are moved again,
//! and how the parts of the ranks lie among each other.

use super::count;

/// Extents that `redundant_extent` lists per file, layer and direction.
const EXTENTS: usize = 20;

/// Ranks share a block of this size at their cost: the usual stripe of Lustre
/// and the unit in which file systems hand out locks at best.
const BLOCK_BYTES: i64 = 1 << 20;

/// One call: its extent, who made it and how long it took.
#[derive(Debug, Clone, Copy)]
pub(super) struct Touch {
    pub from: i64,
    pub to: i64,
    /// Position of the rank among those of the file.
    pub rank: u32,
    pub calls: u32,
    pub time_s: f64,
}

/// What the three tables say of one log, file, layer and direction.
#[derive(Debug)]
pub(super) struct File {
    pub calls: i64,
    pub time_s: f64,
    pub ranks: usize,
    pub extents: usize,
    pub bytes: i64,
    pub unique_bytes: i64,
    pub rank_bytes: i64,
    pub refreshed_bytes: i64,
    pub again: Vec<Again>,
    pub parts: Parts,
}

/// An extent that several calls moved.
#[derive(Debug)]
pub(super) struct Again {
    pub from: i64,
    pub to: i64,
    pub calls: i64,
    pub ranks: i64,
    pub first_rank: i32,
    pub time_s: f64,
}

/// How the parts of the ranks lie in the file.
#[derive(Debug, Default)]
pub(super) struct Parts {
    pub parts: usize,
    pub switches: usize,
    pub blocks: i64,
    pub contended_blocks: i64,
}

/// A walk over the calls of a file in order of their place.
#[derive(Debug, Default)]
pub(super) struct Sweep {
    pub touches: usize,
    pub calls: i64,
    pub time_s: f64,
    pub extents: usize,
    pub bytes: i64,
    pub unique_bytes: i64,
    pub rank_bytes: i64,
    pub again: Vec<Again>,
    pub parts: Parts,
    /// How far all calls reach, and those of each rank; -1: none so far.
    pub reach: i64,
    pub rank_reach: Vec<i64>,
    /// Last block that was counted, that was counted as contended, and the rank
    /// of which a part began last.
    pub block: i64,
    pub contended: i64,
    pub last_rank: Option<u32>,
}

impl Sweep {
    pub fn new(ranks: usize) -> Self {
        Self { reach: -1, rank_reach: vec![-1; ranks], block: -1, contended: -1, ..Self::default() }
    }

    /// Goes on with touches in order of place, behind all before.
    pub fn add(&mut self, touches: &[Touch]) {
        self.touches += touches.len();
        for touch in touches {
            self.calls = self.calls.saturating_add(touch.calls.into());
            self.time_s += touch.time_s;
            self.bytes = self.bytes.saturating_add(touch.to - touch.from);
            let fresh = (touch.to - touch.from.max(self.reach)).max(0);
            self.unique_bytes = self.unique_bytes.saturating_add(fresh);
            self.reach = self.reach.max(touch.to);
            self.of_rank(touch);
            let (first, last) = (touch.from / BLOCK_BYTES, (touch.to - 1) / BLOCK_BYTES);
            if last > self.block {
                self.parts.blocks += last - first.max(self.block + 1) + 1;
                self.block = last;
            }
        }
        self.find_again(touches);
    }

    /// What one rank moves without a gap is a part of the file.
    fn of_rank(&mut self, touch: &Touch) {
        let reach = &mut self.rank_reach[touch.rank as usize];
        let fresh = (touch.to - touch.from.max(*reach)).max(0);
        self.rank_bytes = self.rank_bytes.saturating_add(fresh);
        let is_new = *reach < touch.from;
        *reach = (*reach).max(touch.to);
        if !is_new {
            return;
        }
        let is_other = self.last_rank.is_some_and(|rank| rank != touch.rank);
        self.parts.parts += 1;
        self.parts.switches += usize::from(is_other);
        let block = touch.from / BLOCK_BYTES;
        if is_other && block <= self.block && self.contended < block {
            self.parts.contended_blocks += 1;
            self.contended = block;
        }
        self.last_rank = Some(touch.rank);
    }

    /// Counts different extents, and keeps those that cost the most time among the
    /// ones that several calls moved.
    fn find_again(&mut self, touches: &[Touch]) {
        for same in touches.chunk_by(|a, b| (a.from, a.to) == (b.from, b.to)) {
            self.extents += 1;
            if same.len() == 1 {
                continue;
            }
            let ranks = same.chunk_by(|a, b| a.rank == b.rank).count();
            self.again.push(Again {
                from: same[0].from,
                to: same[0].to,
                calls: same.iter().map(|touch| i64::from(touch.calls)).sum(),
                ranks: count(ranks),
                first_rank: i32::try_from(same[0].rank).unwrap_or(i32::MAX),
                time_s: same.iter().map(|touch| touch.time_s).sum(),
            });
            if self.again.len() >= 100 * EXTENTS {
                self.forget_cheap();
            }
        }
        self.forget_cheap();
    }

    fn forget_cheap(&mut self) {
        self.again.sort_by(|a, b| b.time_s.total_cmp(&a.time_s).then(a.from.cmp(&b.from)));
        self.again.truncate(EXTENTS);
    }

    /// What was found; `ranks` are the ranks of the file by their places.
    pub fn file(mut self, ranks: &[i32]) -> File {
        for again in &mut self.again {
            let place = usize::try_from(again.first_rank).unwrap_or_default();
            again.first_rank = ranks.get(place).copied().unwrap_or_default();
        }
        File {
            calls: self.calls,
            time_s: self.time_s,
            ranks: self.rank_reach.iter().filter(|reach| **reach >= 0).count(),
            extents: self.extents,
            bytes: self.bytes,
            unique_bytes: self.unique_bytes,
            rank_bytes: self.rank_bytes,
            refreshed_bytes: 0,
            again: self.again,
            parts: self.parts,
        }
    }
}
