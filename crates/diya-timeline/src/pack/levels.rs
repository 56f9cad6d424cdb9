//! The grid in a pack: finest levels only, one byte a cell.

use super::numbers::{Numbers, put, put_signed};
use crate::Kind;
use crate::grid::{Grid, Level};

/// Steps per doubling: 9 % each, over 31 doublings below the largest value.
const STEPS: f32 = 8.0;

/// Appends a grid.
pub(super) fn put_grid(out: &mut Vec<u8>, grid: &Grid) {
    put_signed(out, grid.from_ns);
    put_signed(out, grid.to_ns);
    put(out, grid.row_tracks.len() as u64);
    grid.row_tracks.iter().for_each(|track| put(out, u64::from(*track)));
    for kind in Kind::ALL {
        let finest = grid.levels[kind as usize].first();
        put(out, finest.map_or(0, |level| level.cells as u64));
        if let Some(level) = finest {
            for plane in [&level.busy_ns, &level.bytes, &level.calls, &level.longest_ns] {
                put_plane(out, plane);
            }
        }
    }
}

fn put_plane(out: &mut Vec<u8>, plane: &[f32]) {
    let most = plane.iter().copied().fold(0.0, f32::max);
    out.extend_from_slice(&most.to_le_bytes());
    out.extend(plane.iter().map(|value| {
        if *value <= 0.0 {
            return 0;
        }
        let steps = 255.0 - STEPS * (most / value).log2();
        steps.round().clamp(1.0, 255.0) as u8
    }));
}

/// Reads a grid; `None`: damaged.
pub(super) fn next_grid(numbers: &mut Numbers) -> Option<Grid> {
    let (from_ns, to_ns) = (numbers.next_signed()?, numbers.next_signed()?);
    let rows: usize = numbers.next_as()?;
    if rows < 2 || rows > numbers.0.len() || to_ns <= from_ns {
        return None;
    }
    let row_tracks = (0..rows).map(|_| numbers.next_as()).collect::<Option<Vec<u32>>>()?;
    if row_tracks.windows(2).any(|pair| pair[0] > pair[1]) {
        return None;
    }
    let mut grid = Grid { from_ns, to_ns, row_tracks, levels: Default::default() };
    for levels in &mut grid.levels {
        let cells: usize = numbers.next_as()?;
        if cells > 0 {
            let mut plane = || next_plane(numbers, cells.checked_mul(rows - 1)?);
            let [busy_ns, bytes, calls, longest_ns] = [plane()?, plane()?, plane()?, plane()?];
            levels.push(Level { cells, busy_ns, bytes, calls, longest_ns });
        }
    }
    grid.complete();
    Some(grid)
}

fn next_plane(numbers: &mut Numbers, cells: usize) -> Option<Vec<f32>> {
    let (most, rest) = numbers.0.split_first_chunk::<4>()?;
    let most = f32::from_le_bytes(*most);
    let values: Vec<f32> = (0..=255_u8)
        .map(|code| if code == 0 { 0.0 } else { most * ((f32::from(code) - 255.0) / STEPS).exp2() })
        .collect();
    let (codes, rest) = rest.split_at_checked(cells)?;
    numbers.0 = rest;
    Some(codes.iter().map(|code| values[usize::from(*code)]).collect())
}
