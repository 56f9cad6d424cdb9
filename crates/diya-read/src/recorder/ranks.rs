//! The calls of all ranks, from the files of each layout.

use super::arguments::Arguments;
use super::bytes::Rest;
use super::calls::{Function, Moment};
use super::code::{BATCH_CALLS, Code};
use super::files::Files;
use super::grammar::Grammar;
use super::issues::Losses;
use super::members::Members;
use super::metadata::{Layout, Metadata};
use super::names::Names;
use super::records::Records;
use super::signatures::Signature;
use super::times::Times;
use crate::Request;
use crate::assemble::{Assembly, Process};
use crate::members::Member;
use diya_tables::FastHashMap;
use std::borrow::Cow;

/// A trace while it is read.
pub(super) struct Trace<'a> {
    assembly: Assembly<'a>,
    metadata: &'a Metadata,
    /// A tick, where that is a whole number of nanoseconds, as it usually is.
    tick_ns: Option<i64>,
    functions: Vec<Function>,
    /// Calls say which thread made them.
    pub has_threads: bool,
    is_real_time: bool,
}

impl<'a> Trace<'a> {
    pub fn new(request: &'a Request<'a>, metadata: &'a Metadata) -> Self {
        Self {
            assembly: Assembly::new(request),
            functions: metadata.functions.iter().map(|name| Function::of(name)).collect(),
            has_threads: false,
            is_real_time: metadata.start_s.is_some(),
            tick_ns: whole_nanoseconds(metadata.tick_s),
            metadata,
        }
    }

    pub fn is_real_time(&self) -> bool {
        self.is_real_time
    }

    pub fn into_assembly(self) -> Assembly<'a> {
        self.assembly
    }

    fn process(&mut self, rank: i32, start_ns: i64) -> usize {
        let size = self.metadata.ranks;
        self.assembly.process(Process {
            rank,
            mpi_rank: (size > 1).then_some(rank),
            mpi_size: (size > 1).then_some(size),
            start_ns,
            ..Process::default()
        })
    }

    fn ended(&mut self, process: usize, end_ns: i64) {
        if let Some(process) = self.assembly.processes.get_mut(process) {
            process.end_ns = Some(end_ns.max(process.start_ns));
        }
    }

    fn ns(&self, start_ns: i64, ticks: i64) -> i64 {
        let since_ns = match self.tick_ns {
            Some(tick_ns) => ticks.saturating_mul(tick_ns),
            None => (ticks as f64 * self.metadata.tick_s * 1e9).round() as i64,
        };
        start_ns.saturating_add(since_ns)
    }

    /// Version 2.2: a file of calls and one of the rank's start.
    pub fn records(&mut self, members: &Members<'_>, losses: &mut Losses) {
        let mut is_real_time = true;
        for rank in present(self.metadata.ranks, losses, |rank| {
            members.get(&format!("{rank}.itf")).is_some()
        }) {
            let Some(file) = members.get(&format!("{rank}.itf")) else { continue };
            let start_s = members.get(&format!("{rank}.mt")).and_then(|m| Rest(m.bytes).f64());
            let start_s = start_s.filter(|s| s.is_finite() && *s > 0.0 && *s < 1e10);
            is_real_time &= start_s.is_some();
            let start_ns = nanoseconds(start_s.unwrap_or_default());
            let process = self.process(rank, start_ns);
            let (mut names, whole) = (Names::default(), FastHashMap::default());
            let mut files = Files::new(&mut names, &whole, true);
            let mut records = Records::of(file.bytes);
            let mut last_ns = start_ns;
            for record in records.by_ref() {
                let Some(function) = self.functions.get(record.function) else {
                    losses.unknown_calls += 1;
                    continue;
                };
                let start = self.ns(start_ns, record.start);
                let end_ns = self.ns(start_ns, record.end);
                last_ns = last_ns.max(end_ns);
                let at = Moment { process, thread: 0, start_ns: start, end_ns };
                let result = Some(record.result);
                let arguments = Arguments::of(function.shape, &record.args, files.names);
                files.call(function, arguments, result, at, &mut self.assembly);
            }
            self.ended(process, last_ns);
            if records.damaged > 0 || file.is_cut {
                losses.damaged(file.offset);
            }
        }
        self.is_real_time = is_real_time;
    }

    /// Versions after 2.2: signatures, a grammar and times of each rank.
    pub fn grammars(&mut self, members: &Members<'_>, losses: &mut Losses) {
        let layout = self.metadata.layout;
        let is_merged = self.metadata.is_merged;
        let shared_name = if layout == Layout::Packed { "recorder.cst" } else { "0.cst" };
        let shared_file = members.get(shared_name).filter(|_| is_merged);
        let shared = shared_file.map(|file| (unfolded(file, layout, losses), file.offset));
        let mut shared_code = shared.as_ref().map(|(bytes, offset)| {
            let (code, is_whole) = Code::of(bytes, layout, &self.functions);
            if !is_whole {
                losses.damaged(*offset);
            }
            code
        });
        let merged = is_merged.then(|| Merged::of(members, self.metadata, losses));
        let times = AllTimes::of(members, self.metadata);
        let metadata = self.metadata;
        let has_files = |rank: i32| match &merged {
            Some(merged) => {
                shared_code.is_some()
                    && merged.grammar_of(rank).is_some()
                    && times.has(rank, members)
            }
            None => {
                members.get(&format!("{rank}.cst")).is_some()
                    && members.get(&format!("{rank}.cfg")).is_some()
                    && times.has(rank, members)
            }
        };
        for rank in present(metadata.ranks, losses, has_files) {
            let own = (!is_merged).then(|| {
                let file = |ending| members.get(&format!("{rank}.{ending}"));
                let mut unfold = |ending| file(ending).map(|file| unfolded(file, layout, losses));
                (unfold("cst"), unfold("cfg"))
            });
            let (mut own_code, own_grammar);
            let (code, grammar) = match (&own, &mut shared_code, &merged) {
                (Some((signatures, rules)), ..) => {
                    let is_whole;
                    let bytes = signatures.as_deref().unwrap_or_default();
                    (own_code, is_whole) = Code::of(bytes, layout, &self.functions);
                    own_grammar = Grammar::of(rules.as_deref().unwrap_or_default());
                    if !is_whole || !own_grammar.is_whole {
                        let file = members.get(&format!("{rank}.cst"));
                        losses.damaged(file.map_or(0, |file| file.offset));
                    }
                    (&mut own_code, &own_grammar)
                }
                (None, Some(shared), Some(merged)) => {
                    let Some(grammar) = merged.grammar_of(rank) else { continue };
                    (shared, grammar)
                }
                _ => continue,
            };
            let (stamps, is_whole) = times.of_rank(rank, members);
            if !is_whole {
                losses.damaged(times.offset(rank, members));
            }
            self.rank(rank, code, grammar, &stamps, losses);
        }
    }

    fn rank(
        &mut self,
        rank: i32,
        code: &mut Code,
        grammar: &Grammar,
        stamps: &[u8],
        losses: &mut Losses,
    ) {
        let start_ns = nanoseconds(self.metadata.start_s.unwrap_or_default());
        let process = self.process(rank, start_ns);
        let Code { signatures, has_depths, names, whole_paths } = code;
        let mut files = Files::new(names, whole_paths, false);
        let mut times = Times::of(stamps);
        let mut lanes = Lanes::default();
        let mut last_ns = start_ns;
        let mut timed = 0u64;
        let mut calls = grammar.walk().zip(times.by_ref());
        let mut batch = Vec::with_capacity(BATCH_CALLS);
        let mut of_batch = Vec::with_capacity(BATCH_CALLS);
        loop {
            batch.extend(calls.by_ref().take(BATCH_CALLS));
            if batch.is_empty() {
                break;
            }
            timed += batch.len() as u64;
            let signature = |(number, _): &(usize, _)| signatures.get(*number).copied().flatten();
            of_batch.extend(batch.iter().map(signature));
            for (signature, (_, (start, end))) in of_batch.drain(..).zip(batch.drain(..)) {
                let function = |signature: Signature| {
                    let number = usize::try_from(signature.function).ok()?;
                    Some((signature, self.functions.get(number)?))
                };
                let Some((signature, function)) = signature.and_then(function) else {
                    losses.unknown_calls += 1;
                    continue;
                };
                let (start, end_ns) = (self.ns(start_ns, start), self.ns(start_ns, end));
                last_ns = last_ns.max(end_ns);
                self.has_threads |= signature.thread != 0;
                let thread = match signature.thread {
                    0 if *has_depths => lanes.lane(signature.depth, start, end_ns),
                    thread => thread,
                };
                let at = Moment { process, thread, start_ns: start, end_ns };
                files.call(function, signature.arguments, None, at, &mut self.assembly);
            }
        }
        self.ended(process, last_ns);
        losses.untimed_calls =
            losses.untimed_calls.saturating_add(grammar.calls().saturating_sub(timed));
        let stamped = stamps.len() as u64 / 8;
        losses.idle_times += stamped.saturating_sub(grammar.calls());
    }
}

/// Ranks whose files are there; the others are counted.
fn present(
    ranks: i32,
    losses: &mut Losses,
    has_files: impl Fn(i32) -> bool,
) -> std::vec::IntoIter<i32> {
    // A damaged number of ranks is not worth a name for each of them.
    const MAX_RANKS: i32 = 1 << 24;
    let ranks = ranks.min(MAX_RANKS);
    let there: Vec<i32> = (0..ranks).filter(|rank| has_files(*rank)).collect();
    losses.missing_ranks += u64::try_from(ranks).unwrap_or(0) - there.len() as u64;
    there.into_iter()
}

fn nanoseconds(s: f64) -> i64 {
    (s * 1e9).round() as i64
}

fn whole_nanoseconds(s: f64) -> Option<i64> {
    /// Far more than the error of a product.
    const NEAR: f64 = 1e-12;
    let ns = s * 1e9;
    ((ns - ns.round()).abs() <= NEAR * ns && ns >= 1.0).then_some(ns.round() as i64)
}

/// The bytes of a file, without the packing of version 3.
fn unfolded<'b>(file: Member<'b>, layout: Layout, losses: &mut Losses) -> Cow<'b, [u8]> {
    if layout != Layout::Packed {
        return Cow::Borrowed(file.bytes);
    }
    let (bytes, is_whole) = Rest(file.bytes).packed().unwrap_or_default();
    if !is_whole {
        losses.damaged(file.offset);
    }
    Cow::Owned(bytes)
}

/// Grammars that several ranks share: `ug.mt` has the number of each rank's.
struct Merged {
    numbers: Vec<u32>,
    grammars: Vec<Grammar>,
}

impl Merged {
    fn of(members: &Members<'_>, metadata: &Metadata, losses: &mut Losses) -> Self {
        let Some(file) = members.get("ug.mt") else {
            return Self { numbers: Vec::new(), grammars: Vec::new() };
        };
        let mut rest = Rest(file.bytes);
        let ranks = usize::try_from(metadata.ranks).unwrap_or(0);
        let numbers: Vec<u32> = (0..ranks).map_while(|_| rest.u32()).collect();
        let announced = rest.count().unwrap_or(0);
        let mut damaged = |offset, grammar: Grammar| {
            if !grammar.is_whole {
                losses.damaged(offset);
            }
            grammar
        };
        let grammars = if metadata.layout == Layout::Packed {
            let file = members.get("ug.cfg");
            let mut rest = Rest(file.map_or(&[], |file| file.bytes));
            let offset = file.map_or(0, |file| file.offset);
            let packed = (0..announced).map_while(|_| rest.packed());
            packed.map(|(bytes, _)| damaged(offset, Grammar::of(&bytes))).collect()
        } else {
            let files = (0..announced).map_while(|number| members.get(&format!("{number}.cfg")));
            files.map(|file| damaged(file.offset, Grammar::of(file.bytes))).collect()
        };
        Self { numbers, grammars }
    }

    fn grammar_of(&self, rank: i32) -> Option<&Grammar> {
        let number = *usize::try_from(rank).ok().and_then(|rank| self.numbers.get(rank))?;
        usize::try_from(number).ok().and_then(|number| self.grammars.get(number))
    }
}

/// Times of all ranks: a file each, or parts of `recorder.ts`.
struct AllTimes<'b> {
    /// Parts by rank; `None`: a file each.
    parts: Option<Vec<&'b [u8]>>,
    is_packed: bool,
}

impl<'b> AllTimes<'b> {
    fn of(members: &Members<'b>, metadata: &Metadata) -> Self {
        let is_packed = metadata.has_packed_times;
        if metadata.layout != Layout::Packed {
            return Self { parts: None, is_packed };
        }
        let mut rest = Rest(members.get("recorder.ts").map_or(&[], |file| file.bytes));
        let sizes: Vec<u64> = (0..metadata.ranks).map_while(|_| rest.u64()).collect();
        let part = |size: u64| {
            let wanted = usize::try_from(size).unwrap_or(usize::MAX).min(rest.0.len());
            rest.take(wanted)
        };
        Self { parts: Some(sizes.into_iter().map_while(part).collect()), is_packed }
    }

    fn has(&self, rank: i32, members: &Members<'_>) -> bool {
        match &self.parts {
            Some(parts) => usize::try_from(rank).is_ok_and(|rank| rank < parts.len()),
            None => members.get(&format!("{rank}.ts")).is_some(),
        }
    }

    /// The times of a rank, and whether they could be unfolded to their end.
    fn of_rank(&self, rank: i32, members: &Members<'b>) -> (Cow<'b, [u8]>, bool) {
        let part = match &self.parts {
            Some(parts) => usize::try_from(rank).ok().and_then(|rank| parts.get(rank)).copied(),
            None => members.get(&format!("{rank}.ts")).map(|file| file.bytes),
        };
        let part = part.unwrap_or_default();
        if !self.is_packed {
            return (Cow::Borrowed(part), part.len() % 8 == 0);
        }
        let (bytes, is_whole) = Rest(part).packed().unwrap_or_default();
        (Cow::Owned(bytes), is_whole)
    }

    fn offset(&self, rank: i32, members: &Members<'_>) -> u64 {
        let name = match &self.parts {
            Some(_) => "recorder.ts".to_string(),
            None => format!("{rank}.ts"),
        };
        members.get(&name).map_or(0, |file| file.offset)
    }
}

/// Threads of a rank whose calls do not say theirs.
///
/// Calls come with their depth, the outermost first. An outermost call that begins before
/// another one of its thread has ended must be of another thread.
#[derive(Debug, Default)]
struct Lanes {
    /// End of the last outermost call of each lane.
    ends: Vec<i64>,
    current: usize,
}

impl Lanes {
    fn lane(&mut self, depth: u8, start_ns: i64, end_ns: i64) -> u64 {
        if depth == 0 {
            let free = self.ends.iter().position(|end| *end <= start_ns);
            self.current = free.unwrap_or(self.ends.len());
            match self.ends.get_mut(self.current) {
                Some(end) => *end = end_ns,
                None => self.ends.push(end_ns),
            }
        }
        self.current as u64
    }
}
