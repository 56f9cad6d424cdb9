//! From a store to the bytes of a pack.

use super::numbers::{put, put_signed};
use super::{MAGIC, head, levels, trees};
use crate::{NONE, Store, sampled, whole_tree};
use flate2::{Compress, Compression, FlushCompress, Status};

/// How large a pack may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PackOptions {
    /// Bytes of the pack, about; beyond, it holds sums, the longest calls and a sample.
    pub most_bytes: usize,
}

impl Default for PackOptions {
    fn default() -> Self {
        Self { most_bytes: 64 << 20 }
    }
}

/// Calls that are packed to learn what a call takes.
const PROBE: usize = 200_000;
/// Calls that a pack holds however small it should be.
const FEWEST: usize = 1000;

/// The pack of a store: all calls, or, when they take too much, the grid, the
/// longest calls and a sample; the page says so.
pub fn pack(store: &Store, options: PackOptions) -> Vec<u8> {
    let calls = store.calls.len();
    // A large trace is not packed in full only to be thrown away.
    let per_call = if calls > 5 * PROBE {
        pack_all(&sampled(store, PROBE, false)).len() as f64 / PROBE as f64
    } else {
        0.0
    };
    if per_call * calls as f64 <= options.most_bytes as f64 * 1.25 {
        let whole = pack_all(store);
        if whole.len() <= options.most_bytes || calls == 0 {
            return whole;
        }
    }
    let mut room = (options.most_bytes / 2 / 8).min(calls / 2 + 1).max(FEWEST);
    loop {
        let packed = pack_all(&sampled(store, room, true));
        if packed.len() <= options.most_bytes || room <= FEWEST {
            return packed;
        }
        room /= 2;
    }
}

/// Everything that is in the store.
fn pack_all(store: &Store) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    section(&mut out, b"HEAD", head::to_json(store).to_string().as_bytes());
    let calls = &store.calls;
    let mut raw = Vec::new();
    for stream in &calls.streams {
        put(&mut raw, stream.track.into());
        put(&mut raw, stream.layer.into());
        put(&mut raw, stream.kind as u64);
        put(&mut raw, stream.range().len() as u64);
    }
    section(&mut out, b"STRE", &raw);
    // Most calls follow the one before: in time, in the file, and in size.
    let each = |out: &mut Vec<u8>, name: &[u8; 4], number: &dyn Fn(usize, Option<usize>) -> i64| {
        let mut raw = Vec::with_capacity(calls.len() * 2);
        for stream in &calls.streams {
            let mut before = None;
            for call in stream.range() {
                put_signed(&mut raw, number(call, before));
                before = Some(call);
            }
        }
        section(out, name, &raw);
    };
    each(&mut out, b"STAR", &|call, before| {
        calls.start_ns[call].wrapping_sub(before.map_or(0, |before| calls.end_ns(before)))
    });
    each(&mut out, b"DURA", &|call, _| calls.duration_ns.value(call) as i64);
    each(&mut out, b"OFFS", &|call, before| {
        let follows = before.map_or(0, |before| {
            calls.offset_bytes[before].wrapping_add_unsigned(calls.size_bytes.value(before))
        });
        calls.offset_bytes[call].wrapping_sub(follows)
    });
    let size = |call: usize| calls.size_bytes.get(call).map_or(0, |size| size.wrapping_add(1));
    each(&mut out, b"SIZE", &|call, before| size(call).wrapping_sub(before.map_or(0, size)) as i64);
    let file = |call: usize| i64::from(calls.file[call]);
    each(&mut out, b"FILE", &|call, before| file(call) - before.map_or(0, file));
    let form = |call: usize| i64::from(calls.form[call]);
    each(&mut out, b"FORM", &|call, before| form(call) - before.map_or(0, form));
    if !calls.bundles.is_empty() {
        let mut raw = Vec::new();
        for bundle in &calls.bundles {
            put(&mut raw, bundle.call.into());
            put(&mut raw, bundle.calls);
            put(&mut raw, bundle.busy_ns);
        }
        section(&mut out, b"BUND", &raw);
    }
    let links = [
        (b"PARE", &calls.parent),
        (b"STAC", &calls.stack),
        (b"PLAC", &calls.place),
        (b"THRE", &calls.thread),
    ];
    for (name, links) in links {
        if !links.is_empty() {
            let link = |call: usize| if links[call] == NONE { -1 } else { i64::from(links[call]) };
            each(&mut out, name, &|call, before| link(call) - before.map_or(0, link));
        }
    }
    for is_nested in [false, true].into_iter().filter(|_| !calls.is_empty()) {
        let mut raw = Vec::new();
        trees::put_tree(&mut raw, whole_tree(store, is_nested));
        section(&mut out, b"TREE", &raw);
    }
    for grid in store.grids.iter().filter(|_| store.holding == crate::Holding::Grid) {
        let mut raw = Vec::new();
        if let Some(grid) = grid.get() {
            levels::put_grid(&mut raw, grid);
        }
        section(&mut out, b"GRID", &raw);
    }
    out
}

/// Name, length before and after deflating, bytes.
fn section(out: &mut Vec<u8>, name: &[u8; 4], raw: &[u8]) {
    let packed = deflate(raw);
    out.extend_from_slice(name);
    out.extend_from_slice(&(raw.len() as u64).to_le_bytes());
    out.extend_from_slice(&(packed.len() as u64).to_le_bytes());
    out.extend_from_slice(&packed);
}

fn deflate(raw: &[u8]) -> Vec<u8> {
    let mut zlib = Compress::new(Compression::new(6), false);
    let mut packed = Vec::with_capacity(raw.len() / 3 + 64);
    loop {
        let rest = &raw[zlib.total_in() as usize..];
        match zlib.compress_vec(rest, &mut packed, FlushCompress::Finish) {
            Ok(Status::StreamEnd) => return packed,
            // Errors come of misuse only; a section that cannot be is empty.
            Err(_) => return Vec::new(),
            Ok(_) => packed.reserve(packed.capacity() / 2 + 64),
        }
    }
}
