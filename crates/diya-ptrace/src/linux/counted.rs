//! Counters and heat map of a process in its segment, updated in place.

use super::counters::{Counters, Heatmap};
use super::file::{PAGE, Purpose, SegmentFile};
use super::record::Event;
use super::window::{WINDOW_HEADER_BYTES, window_header};
use diya_model::Layout as _;
use diya_model::segment::{self as format, WINDOW_COUNTERS, WINDOW_HEATMAP};
use std::collections::HashMap;

/// So many files are counted each by itself; one block, under the number 0,
/// holds all others.
const MAX_BLOCKS: usize = 4096;
const COUNTERS_BYTES: u64 = format::Counters::BYTES as u64;
const HEATMAP_BYTES: u64 = format::Heatmap::BYTES as u64;
const WINDOW_BYTES: u64 = 64 << 10;
const HEATMAP_WINDOW_BYTES: u64 = (WINDOW_HEADER_BYTES + HEATMAP_BYTES).next_multiple_of(PAGE);

/// What a process counted.
#[derive(Debug)]
pub(super) struct Counted {
    pid: i32,
    has_heatmap: bool,
    blocks: HashMap<u32, (u64, Counters)>,
    heatmap: Option<(u64, Heatmap)>,
    /// Where the next block goes, and the end of its window.
    next: u64,
    end: u64,
    windows: u32,
}

impl Counted {
    pub fn new(pid: i32, has_heatmap: bool) -> Self {
        Self {
            pid,
            has_heatmap,
            blocks: HashMap::new(),
            heatmap: None,
            next: 0,
            end: 0,
            windows: 0,
        }
    }

    /// Counts a call, unless there is no space to count in.
    pub fn count(&mut self, file: &mut SegmentFile, event: &Event, block_bytes: u32) -> bool {
        let is_full = self.blocks.len() >= MAX_BLOCKS && !self.blocks.contains_key(&event.file);
        let number = if is_full { 0 } else { event.file };
        if !self.blocks.contains_key(&number) {
            let Some(place) = self.place(file, event.start) else { return false };
            self.blocks.insert(number, (place, Counters::new(number)));
        }
        if let Some((place, counters)) = self.blocks.get_mut(&number) {
            counters.count(event, block_bytes);
            file.put(&counters.layout().to_bytes(), *place);
        }
        if self.has_heatmap {
            self.heat(file, event);
        }
        true
    }

    fn place(&mut self, file: &mut SegmentFile, ticks: u64) -> Option<u64> {
        if self.next + COUNTERS_BYTES > self.end {
            let (offset, bytes) = self.window(file, WINDOW_COUNTERS, WINDOW_BYTES, ticks)?;
            (self.next, self.end) = (offset + WINDOW_HEADER_BYTES, offset + bytes);
        }
        let place = self.next;
        self.next += COUNTERS_BYTES;
        Some(place)
    }

    fn window(
        &mut self,
        file: &mut SegmentFile,
        kind: u32,
        bytes: u64,
        ticks: u64,
    ) -> Option<(u64, u64)> {
        let (offset, bytes) = file.take(&[bytes], Purpose::Counters).ok()?;
        file.write(&window_header(kind, bytes, self.pid, self.windows, ticks), offset).ok()?;
        self.windows += 1;
        Some((offset, bytes))
    }

    fn heat(&mut self, file: &mut SegmentFile, event: &Event) {
        if self.heatmap.is_none() {
            let window = self.window(file, WINDOW_HEATMAP, HEATMAP_WINDOW_BYTES, event.start);
            let Some((offset, _)) = window else { return };
            self.heatmap = Some((offset + WINDOW_HEADER_BYTES, Heatmap::new(event.start)));
        }
        if let Some((place, heatmap)) = &mut self.heatmap
            && heatmap.count(event)
        {
            file.put(&heatmap.layout().to_bytes(), *place);
        }
    }
}
