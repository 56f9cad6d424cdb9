//! Questions as the page asks them (`web/src/data/interface.ts`), and answers as
//! bytes.

mod describe;
mod question;
mod rows;

use crate::wire::Answer;
use crate::{
    By, Kind, Store, Tile, activity, area, list, nearest, ns_of, stack_costs, tile_in, tree,
};
use question::{Question, axis, filter};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What is kept between questions.
#[derive(Debug, Default)]
pub struct Orders {
    /// Orders of tracks that a page has sent, by their id, newest last.
    known: Mutex<Vec<(String, Arc<Vec<u32>>)>>,
    /// Memory of the last tile.
    spare: Mutex<Tile>,
}

/// Orders that are kept.
const ORDERS: usize = 8;
/// Calls inside one call that are listed.
const INSIDE: usize = 5000;

impl Orders {
    fn keep(&self, id: &str, tracks: Vec<u32>) -> Arc<Vec<u32>> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(|(known, _)| known != id);
        if known.len() >= ORDERS {
            known.remove(0);
        }
        let tracks = Arc::new(tracks);
        known.push((id.to_owned(), Arc::clone(&tracks)));
        tracks
    }

    fn spare(&self) -> MutexGuard<'_, Tile> {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn find(&self, id: &str) -> Option<Arc<Vec<u32>>> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.iter().find(|(known, _)| known == id).map(|(_, tracks)| Arc::clone(tracks))
    }
}

/// Answers a question about the calls; `None`: it is about something else
/// (`report`, `table`, `sql`), which who holds more than calls answers.
pub fn answer(store: &Store, orders: &Orders, question: &[u8]) -> Option<Answer> {
    let question = match serde_json::from_slice::<Value>(question) {
        Ok(question) => question,
        Err(error) => return Some(Answer::error(&format!("the question is no JSON: {error}"))),
    };
    let method = question["method"].as_str().unwrap_or_default();
    let asked = Question { store, orders, value: &question };
    let answer = match method {
        "describe" => Ok(describe::describe(store)),
        "tile" => asked.tile(),
        "activity" => asked.activity(),
        "nearest_call" => asked.nearest_call(),
        "call" => asked.call(),
        "calls" => asked.calls(),
        "area_statistics" => asked.area_statistics(),
        "call_tree" => asked.call_tree(),
        "stack_costs" => asked.stack_costs(),
        _ => return None,
    };
    Some(answer.unwrap_or_else(|text| Answer::error(&text)))
}

impl Question<'_> {
    fn tile(&self) -> Result<Answer, String> {
        let (x, y) = (axis(&self.value["x"])?, axis(&self.value["y"])?);
        if x.cells.saturating_mul(y.cells) > 1 << 26 {
            return Err("a tile has at most 67 million cells".to_owned());
        }
        let request = crate::TileRequest {
            filter: filter(self.store, &self.value["filter"])?,
            x,
            y,
            order: self.order()?,
            wanted: self.planes()?,
            is_refined: self.value["refine"].as_bool().unwrap_or(false),
        };
        // Taken out, not kept locked: tiles of one page may be drawn side by side.
        let spare = std::mem::take(&mut *self.orders.spare());
        let tile = tile_in(self.store, &request, spare);
        let planes = tile.busy.iter().chain([&tile.bytes, &tile.calls, &tile.longest_s]);
        let mut answer = Answer::with_room(planes.map(|plane| 4 * plane.len() + 8).sum());
        let mut planes = serde_json::Map::new();
        for kind in Kind::ALL {
            if request.wanted.busy[kind as usize] {
                let name = format!("busy_{}", kind.name());
                planes.insert(name, answer.f32(&tile.busy[kind as usize]));
            }
        }
        for (name, is_wanted, plane) in [
            ("bytes", request.wanted.bytes, &tile.bytes),
            ("calls", request.wanted.calls, &tile.calls),
            ("longest", request.wanted.longest, &tile.longest_s),
        ] {
            if is_wanted {
                planes.insert(name.to_owned(), answer.f32(plane));
            }
        }
        let head = json!({
            "width": x.cells, "height": y.cells, "is_exact": tile.is_exact, "planes": planes,
        });
        *self.orders.spare() = tile;
        Ok(answer.with_head(&head))
    }

    fn activity(&self) -> Result<Answer, String> {
        let filter = filter(self.store, &self.value["filter"])?;
        let cells = self.number("cells")?;
        if cells == 0 || cells > 1 << 16 || filter.window_ns.0 == i64::MIN {
            return Err("activity needs a window and 1 to 65536 cells".to_owned());
        }
        let curves = activity(self.store, &filter, cells);
        let mut answer = Answer::default();
        let head = json!({
            "layers": self.store.layers,
            "cells": cells,
            "busy_tracks": answer.f32(&curves.busy_tracks),
            "bytes_per_s": answer.f32(&curves.bytes_per_s),
            "longest_s": answer.f32(&curves.longest_s),
        });
        Ok(answer.with_head(&head))
    }

    fn nearest_call(&self) -> Result<Answer, String> {
        let filter = filter(self.store, &self.value["filter"])?;
        let at_ns = ns_of(self.value["at_s"].as_f64().ok_or("at_s is missing")?);
        let tolerance_ns = ns_of(self.value["tolerance_s"].as_f64().unwrap_or(0.0)).max(0);
        let track = self.number("track")? as u32;
        let found = nearest(self.store, &filter, track, (at_ns, tolerance_ns));
        let mut answer = Answer::default();
        let detail = found.map(|call| rows::detail(self.store, &mut answer, call, INSIDE));
        Ok(answer.with_head(&json!({ "detail": detail })))
    }

    fn call(&self) -> Result<Answer, String> {
        let call = self.number("index")?;
        if call >= self.store.calls.len() {
            return Err(format!("there is no call {call}"));
        }
        let mut answer = Answer::default();
        let detail = rows::detail(self.store, &mut answer, call, INSIDE);
        Ok(answer.with_head(&json!({ "detail": detail })))
    }

    fn calls(&self) -> Result<Answer, String> {
        let filter = filter(self.store, &self.value["filter"])?;
        let by = match self.value["by"].as_str() {
            Some("duration") => By::Duration,
            Some("size") => By::Size,
            _ => By::Start,
        };
        let limit = self.number("limit")?.min(1_000_000);
        let (calls, all) = list(self.store, &filter, by, limit);
        let mut answer = Answer::default();
        let head = rows::columns(self.store, &mut answer, &calls, all);
        Ok(answer.with_head(&head))
    }

    fn area_statistics(&self) -> Result<Answer, String> {
        let filter = filter(self.store, &self.value["filter"])?;
        let area = area(self.store, &filter, self.number("top")?);
        Ok(Answer::default().with_head(&rows::area(self.store, &area)))
    }

    fn call_tree(&self) -> Result<Answer, String> {
        let filter = filter(self.store, &self.value["filter"])?;
        let is_nested = self.value["is_nested"].as_bool().unwrap_or(false);
        let branches = tree(self.store, &filter, is_nested);
        let mut answer = Answer::default();
        let head = rows::tree(self.store, &mut answer, &branches);
        Ok(answer.with_head(&head))
    }

    fn stack_costs(&self) -> Result<Answer, String> {
        let filter = filter(self.store, &self.value["filter"])?;
        let costs = stack_costs(self.store, &filter);
        Ok(Answer::default().with_head(&rows::stack_costs(self.store, &costs)))
    }
}
