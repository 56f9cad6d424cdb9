//! How many tracks are in which kind of call, moment by moment.

use crate::fill::tile;
use crate::row::Wanted;
use crate::{Axis, AxisOf, Filter, Kind, Store, TileRequest, filter::Members, s_of};

/// Curves over a window; `l`: layer, `k`: kind, `c`: cell.
#[derive(Debug, Default, PartialEq)]
pub struct Activity {
    /// Mean number of tracks inside a call, at `(l * 4 + k) * cells + c`.
    pub busy_tracks: Vec<f32>,
    /// Likewise, bytes per second.
    pub bytes_per_s: Vec<f32>,
    /// Longest call at `l * cells + c`, seconds.
    pub longest_s: Vec<f32>,
}

/// The curves of every layer of the store over the filter's window.
pub fn activity(store: &Store, filter: &Filter, cells: usize) -> Activity {
    let (from_ns, to_ns) = filter.window_ns;
    let tracks = store.tracks.len();
    let x = Axis { of: AxisOf::Time, from: s_of(from_ns), to: s_of(to_ns), cells, is_log: false };
    let y = Axis { of: AxisOf::Track, from: 0.0, to: tracks as f64, cells: 1, is_log: false };
    let wanted = Wanted { busy: [true; 4], bytes: true, longest: true, ..Wanted::default() };
    let cell_s = (s_of(to_ns) - s_of(from_ns)) / cells as f64;
    let mut curves = Activity::default();
    for layer in 0..store.layers.len() {
        let mut longest_s = vec![0.0_f32; cells];
        for kind in Kind::ALL {
            let is_empty = !filter.has_kind(kind)
                || filter.layers.as_ref().is_some_and(|layers| !layers.has(layer))
                || !store.has_calls_of(layer as u8, kind);
            if is_empty {
                curves.busy_tracks.resize(curves.busy_tracks.len() + cells, 0.0);
                curves.bytes_per_s.resize(curves.bytes_per_s.len() + cells, 0.0);
                continue;
            }
            let filter = Filter {
                layers: Some(Members::new(store.layers.len(), [layer])),
                kinds: Some(Members::new(4, [kind as usize])),
                ..filter.clone()
            };
            let request = TileRequest { filter, x, y, order: None, wanted, is_refined: false };
            let row = tile(store, &request);
            let busy = row.busy[kind as usize].iter().map(|share| share * tracks as f32);
            curves.busy_tracks.extend(busy);
            curves.bytes_per_s.extend(row.bytes.iter().map(|b| (f64::from(*b) / cell_s) as f32));
            for (longest, call_s) in longest_s.iter_mut().zip(&row.longest_s) {
                *longest = longest.max(*call_s);
            }
        }
        curves.longest_s.append(&mut longest_s);
    }
    curves
}

impl Store {
    /// Whether a layer has calls of a kind.
    fn has_calls_of(&self, layer: u8, kind: Kind) -> bool {
        self.calls.streams.iter().any(|s| s.layer == layer && s.kind == kind)
            || self
                .grids
                .get(usize::from(layer))
                .and_then(|grid| grid.get())
                .is_some_and(|grid| !grid.levels[kind as usize].is_empty())
    }
}
