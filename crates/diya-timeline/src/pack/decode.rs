//! From the bytes of a pack to a store. A pack may come by mail: whatever the
//! bytes, reading ends, and what comes out can be asked anything.

use super::numbers::Numbers;
use super::{MAGIC, PackError, head, levels, trees};
use crate::calls::{Bundle, Stream};
use crate::{Kind, NONE, Narrow, Store};
use flate2::{Decompress, FlushDecompress, Status};

/// Deflate makes no more of a byte than this.
const MAX_INFLATION: u64 = 1100;

/// Reads a pack.
pub fn unpack(bytes: &[u8]) -> Result<Store, PackError> {
    let mut rest = bytes.strip_prefix(MAGIC).ok_or(PackError::NotAPack)?;
    let mut store = Store::default();
    let (mut grids, mut seen_trees) = (0, 0);
    while !rest.is_empty() {
        let (name, raw, after) = next_section(rest)?;
        let damaged = || PackError::Damaged(String::from_utf8_lossy(name).into_owned());
        rest = after;
        let calls = &mut store.calls;
        let mut numbers = Numbers(&raw);
        match name {
            b"HEAD" => {
                let value = serde_json::from_slice(&raw).map_err(|_| damaged())?;
                store = head::from_json(&value);
            }
            b"STRE" => {
                calls.streams = streams(&mut numbers, store.tracks.len()).ok_or_else(damaged)?;
            }
            b"STAR" => {
                // Gaps since the end of the call before; DURA makes starts of them.
                calls.start_ns = all(&mut numbers, calls.total()).ok_or_else(damaged)?;
            }
            b"DURA" => starts(&mut store, &mut numbers).ok_or_else(damaged)?,
            b"OFFS" => calls.offset_bytes = all(&mut numbers, calls.total()).ok_or_else(damaged)?,
            b"SIZE" => sizes(&mut store, &mut numbers).ok_or_else(damaged)?,
            b"FILE" => {
                let files = summed(&store.calls.streams, &mut numbers).ok_or_else(damaged)?;
                let file = |n: i64| u32::try_from(n).unwrap_or(NONE);
                store.calls.file = files.into_iter().map(file).collect();
            }
            b"FORM" => {
                let forms = summed(&store.calls.streams, &mut numbers).ok_or_else(damaged)?;
                let form = |n: i64| u16::try_from(n).unwrap_or(u16::MAX);
                store.calls.form = forms.into_iter().map(form).collect();
            }
            b"BUND" => {
                let bundle = |numbers: &mut Numbers| {
                    let call = numbers.next_as()?;
                    Some(Bundle { call, calls: numbers.next()?, busy_ns: numbers.next()? })
                };
                store.calls.bundles = std::iter::from_fn(|| bundle(&mut numbers)).collect();
            }
            b"PARE" | b"STAC" | b"PLAC" | b"THRE" => {
                let links = summed(&store.calls.streams, &mut numbers).ok_or_else(damaged)?;
                let (column, most) = match name {
                    b"PARE" => (&mut store.calls.parent, links.len()),
                    b"STAC" => (&mut store.calls.stack, store.stacks.len()),
                    b"THRE" => (&mut store.calls.thread, store.calls.threads.len()),
                    _ => (&mut store.calls.place, store.places.len()),
                };
                let link = |n: i64| u32::try_from(n).ok().filter(|n| (*n as usize) < most);
                *column = links.into_iter().map(|n| link(n).unwrap_or(NONE)).collect();
            }
            b"TREE" => {
                let tree = trees::next_tree(&mut numbers, &store).ok_or_else(damaged)?;
                if let Some(slot) = store.trees.get(seen_trees) {
                    let _ = slot.set(tree); // each is met once
                }
                seen_trees += 1;
            }
            b"GRID" => {
                if let (Some(slot), false) = (store.grids.get(grids), raw.is_empty()) {
                    let grid = levels::next_grid(&mut numbers).ok_or_else(damaged)?;
                    let _ = slot.set(grid); // each is met once
                }
                grids += 1;
            }
            _ => {} // of a later version
        }
    }
    let calls = &mut store.calls;
    let all = calls.total();
    let columns =
        [calls.start_ns.len(), calls.duration_ns.len(), calls.offset_bytes.len(), calls.file.len()];
    if columns.iter().chain([&calls.size_bytes.len(), &calls.form.len()]).any(|len| *len != all) {
        return Err(PackError::Damaged("columns of different length".to_owned()));
    }
    calls.finish();
    Ok(store)
}

impl crate::Calls {
    /// Calls of all streams.
    fn total(&self) -> usize {
        self.streams.last().map_or(0, |stream| stream.end as usize)
    }
}

type Section<'a> = (&'a [u8; 4], Vec<u8>, &'a [u8]);

/// Name and bytes of the section, and what follows it.
fn next_section(bytes: &[u8]) -> Result<Section<'_>, PackError> {
    let cut = || PackError::Damaged("cut off".to_owned());
    let (name, rest) = bytes.split_first_chunk::<4>().ok_or_else(cut)?;
    let (raw_len, rest) = rest.split_first_chunk::<8>().ok_or_else(cut)?;
    let (packed_len, rest) = rest.split_first_chunk::<8>().ok_or_else(cut)?;
    let (raw_len, packed_len) = (u64::from_le_bytes(*raw_len), u64::from_le_bytes(*packed_len));
    let packed_len = usize::try_from(packed_len).map_err(|_| cut())?;
    let (packed, rest) = rest.split_at_checked(packed_len).ok_or_else(cut)?;
    if raw_len > (packed.len() as u64 + 16) * MAX_INFLATION {
        return Err(cut());
    }
    let mut raw = Vec::with_capacity(usize::try_from(raw_len).map_err(|_| cut())?);
    if raw_len > 0 {
        let mut zlib = Decompress::new(false);
        let status = zlib.decompress_vec(packed, &mut raw, FlushDecompress::Finish);
        if !matches!(status, Ok(Status::StreamEnd)) || raw.len() as u64 != raw_len {
            return Err(PackError::Damaged(String::from_utf8_lossy(name).into_owned()));
        }
    }
    Ok((name, raw, rest))
}

fn streams(numbers: &mut Numbers, tracks: usize) -> Option<Vec<Stream>> {
    let mut streams: Vec<Stream> = Vec::new();
    while !numbers.0.is_empty() {
        let (track, layer): (u32, _) = (numbers.next_as()?, numbers.next_as()?);
        ((track as usize) < tracks).then_some(())?;
        let kind = *Kind::ALL.get(numbers.next_as::<usize>()?)?;
        let first = streams.last().map_or(0, |stream| stream.end);
        let end = first.checked_add(numbers.next_as()?)?;
        streams.push(Stream { track, layer, kind, first, end });
    }
    Some(streams)
}

/// So many numbers; there cannot be more than bytes.
fn all(numbers: &mut Numbers, count: usize) -> Option<Vec<i64>> {
    (count <= numbers.0.len()).then_some(())?;
    (0..count).map(|_| numbers.next_signed()).collect()
}

/// Numbers that are differences to the call before in the stream.
fn summed(streams: &[Stream], numbers: &mut Numbers) -> Option<Vec<i64>> {
    let mut values = all(numbers, streams.last().map_or(0, |s| s.end as usize))?;
    for stream in streams {
        let mut sum = 0_i64;
        for value in &mut values[stream.range()] {
            sum = sum.wrapping_add(*value);
            *value = sum;
        }
    }
    Some(values)
}

fn starts(store: &mut Store, numbers: &mut Numbers) -> Option<()> {
    let calls = &mut store.calls;
    let durations = all(numbers, calls.total())?;
    (calls.start_ns.len() == durations.len()).then_some(())?;
    for stream in &calls.streams {
        let mut end_ns = 0_i64;
        for call in stream.range() {
            let start_ns = end_ns.wrapping_add(calls.start_ns[call]);
            calls.start_ns[call] = start_ns;
            end_ns = start_ns.wrapping_add(durations[call]);
        }
    }
    calls.duration_ns = Narrow::with_capacity(durations.len());
    durations.iter().for_each(|ns| calls.duration_ns.push(Some(u64::try_from(*ns).unwrap_or(0))));
    Some(())
}

/// Sizes, and the offsets, which are stored as differences to the end of the call
/// before.
fn sizes(store: &mut Store, numbers: &mut Numbers) -> Option<()> {
    let calls = &mut store.calls;
    let sizes = summed(&calls.streams, numbers)?;
    (calls.offset_bytes.len() == sizes.len()).then_some(())?;
    calls.size_bytes = Narrow::with_capacity(sizes.len());
    sizes.iter().for_each(|size| calls.size_bytes.push((*size as u64).checked_sub(1)));
    for stream in &calls.streams {
        let mut follows = 0_i64;
        for call in stream.range() {
            let offset = follows.wrapping_add(calls.offset_bytes[call]);
            calls.offset_bytes[call] = offset;
            follows = offset.wrapping_add_unsigned(calls.size_bytes.value(call));
        }
    }
    Some(())
}
