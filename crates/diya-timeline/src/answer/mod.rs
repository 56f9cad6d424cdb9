//! Answers to questions about the calls, as bytes.

mod checked;
mod describe;
mod rows;

use crate::wire::Answer;
use crate::{
    ActivityQuestion, AreaQuestion, Branch, CallQuestion, CallsQuestion, Kind, NearestCallQuestion,
    Question, StackQuestion, Store, Tile, TileQuestion, TreeQuestion, activity, area, list,
    nearest, ns_of, stack_costs, tile_in, tree, whole_tree,
};
use checked::{axis, filter};
use diya_questions::{CallAnswer, Planes, TileAnswer};
use std::borrow::Cow;
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
pub fn answer(store: &Store, orders: &Orders, question: &Question) -> Option<Answer> {
    let of = Asked { store, orders };
    let answer = match question {
        Question::Describe(_) => Ok(describe::describe(store)),
        Question::Tile(asked) => of.tile(asked),
        Question::Activity(asked) => of.activity(asked),
        Question::NearestCall(asked) => Ok(of.nearest_call(asked)),
        Question::Call(asked) => of.call(asked),
        Question::Calls(asked) => Ok(of.calls(asked)),
        Question::AreaStatistics(asked) => Ok(of.area_statistics(asked)),
        Question::CallTree(asked) => Ok(of.call_tree(asked)),
        Question::StackCosts(asked) => Ok(of.stack_costs(asked)),
        Question::Report(_) | Question::Table(_) | Question::Sql(_) => return None,
    };
    Some(answer.unwrap_or_else(|text| Answer::error(&text)))
}

/// What is needed to answer.
#[derive(Clone, Copy)]
struct Asked<'a> {
    store: &'a Store,
    orders: &'a Orders,
}

impl Asked<'_> {
    fn tile(self, asked: &TileQuestion) -> Result<Answer, String> {
        let (x, y) = (axis(&asked.x)?, axis(&asked.y)?);
        if x.cells.saturating_mul(y.cells) > 1 << 26 {
            return Err("a tile has at most 67 million cells".to_owned());
        }
        let request = crate::TileRequest {
            filter: filter(self.store, &asked.filter),
            x,
            y,
            order: checked::order(self.store, self.orders, asked.order.as_ref())?,
            wanted: checked::planes(&asked.planes),
            is_refined: asked.refine,
        };
        // Taken out, not kept locked: tiles of one page may be drawn side by side.
        let spare = std::mem::take(&mut *self.orders.spare());
        let tile = tile_in(self.store, &request, spare);
        let others = [&tile.bytes, &tile.calls, &tile.longest_s, &tile.library];
        let planes = tile.busy.iter().chain(others);
        let mut answer = Answer::with_room(planes.map(|plane| 4 * plane.len() + 8).sum());
        let mut planes = Planes::default();
        for kind in Kind::ALL {
            if request.wanted.busy[kind as usize] {
                let name = format!("busy_{}", kind.name());
                planes.add(&name, answer.f32(&tile.busy[kind as usize]));
            }
        }
        for (name, is_requested, plane) in [
            ("bytes", request.wanted.bytes, &tile.bytes),
            ("calls", request.wanted.calls, &tile.calls),
            ("longest", request.wanted.longest, &tile.longest_s),
            ("busy_library", request.wanted.library, &tile.library),
        ] {
            if is_requested {
                planes.add(name, answer.f32(plane));
            }
        }
        let head = TileAnswer { width: x.cells, height: y.cells, is_exact: tile.is_exact, planes };
        *self.orders.spare() = tile;
        Ok(answer.with(head))
    }

    fn activity(self, asked: &ActivityQuestion) -> Result<Answer, String> {
        let (filter, cells) = (filter(self.store, &asked.filter), asked.cells as usize);
        if cells == 0 || cells > 1 << 16 || filter.window_ns.0 == i64::MIN {
            return Err("activity needs a window and 1 to 65536 cells".to_owned());
        }
        let curves = activity(self.store, &filter, cells);
        let mut answer = Answer::default();
        let head = diya_questions::Activity {
            layers: self.store.layers.clone(),
            cells,
            busy_tracks: answer.f32(&curves.busy_tracks),
            bytes_per_s: answer.f32(&curves.bytes_per_s),
            longest_s: answer.f32(&curves.longest_s),
        };
        Ok(answer.with(head))
    }

    fn nearest_call(self, asked: &NearestCallQuestion) -> Answer {
        let filter = filter(self.store, &asked.filter);
        let at_ns = (ns_of(asked.at_s), ns_of(asked.tolerance_s).max(0));
        let found = nearest(self.store, &filter, asked.track, at_ns);
        let mut answer = Answer::default();
        let detail = found.map(|call| rows::detail(self.store, &mut answer, call, INSIDE));
        answer.with(CallAnswer { detail })
    }

    fn call(self, asked: &CallQuestion) -> Result<Answer, String> {
        let call = asked.index as usize;
        if call >= self.store.calls.len() {
            return Err(format!("there is no call {call}"));
        }
        let mut answer = Answer::default();
        let detail = Some(rows::detail(self.store, &mut answer, call, INSIDE));
        Ok(answer.with(CallAnswer { detail }))
    }

    fn calls(self, asked: &CallsQuestion) -> Answer {
        let filter = filter(self.store, &asked.filter);
        let (calls, all) = list(self.store, &filter, asked.by, asked.limit.min(1_000_000) as usize);
        let mut answer = Answer::default();
        let head = rows::columns(self.store, &mut answer, &calls, all);
        answer.with(head)
    }

    fn area_statistics(self, asked: &AreaQuestion) -> Answer {
        let filter = filter(self.store, &asked.filter);
        let area = area(self.store, &filter, asked.top as usize);
        Answer::default().with(rows::area(self.store, &area))
    }

    fn call_tree(self, asked: &TreeQuestion) -> Answer {
        let filter = filter(self.store, &asked.filter);
        let branches: Cow<'_, [Branch]> = match filter.is_whole() {
            true => whole_tree(self.store, asked.is_nested).into(),
            false => tree(self.store, &filter, asked.is_nested).into(),
        };
        let mut answer = Answer::default();
        let head = rows::tree(self.store, &mut answer, &branches);
        answer.with(head)
    }

    fn stack_costs(self, asked: &StackQuestion) -> Answer {
        let costs = stack_costs(self.store, &filter(self.store, &asked.filter));
        Answer::default().with(rows::stack_costs(self.store, &costs))
    }
}
