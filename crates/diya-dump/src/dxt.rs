//! `--dxt`: one line per traced call, as darshan-dxt-parser prints them.
//!
//! The layout is that of the development branch after 3.5.0: a thread id at
//! the end of each line and the number of threads of each record. Up to 3.5.0
//! both are missing; what stands before them is the same.
//!
//! Source: docs/formats/darshan-parser-text.md, section 9.

mod blocks;
mod line;
mod stripes;

use super::base::NO_NAME;
use super::head::{self, Listed};
use super::lustre::{self, Layout};
use super::modules::{self, Module, Printer};
use super::names::Names;
use super::text::Text;
use super::{DumpOptions, DumpReport};
use blocks::{Block, RunSlice};
use diya_tables::{CallTable, Layer, Op, Tables};
use line::{Call, Line};
use std::collections::{HashMap, HashSet};
use std::io::{self, Write};

const RULE: &str = "# ***************************************************\n";

const COLUMNS: &str = "# Module    Rank  Wt/Rd  Segment          Offset          Length    \
Start(s)      End(s)";

/// Prints the traced calls of the one log in `tables`, as darshan-dxt-parser.
///
/// Like the original it stops at a module with missing records unless
/// `options.show_incomplete` is set; the report then names the module. Other
/// options have no effect here.
pub fn dump_dxt(
    out: &mut dyn Write,
    tables: &Tables,
    options: &DumpOptions,
) -> io::Result<DumpReport> {
    let names = Names::of(tables);
    let modules = modules::list(tables);
    let mut text = Text::new(out);
    let mut report = DumpReport::default();
    head::print(&mut text, tables, &modules, &names, Listed::WithData, options);
    let is_trace = |m: &Module<'_>| m.printer == Printer::Dxt;
    if !modules.iter().any(|m| is_trace(m) && m.has_data()) {
        text.str("\n# no DXT module data available for this Darshan log.\n");
    }
    let trace = Trace { calls: &tables.calls, names: &names, layouts: layouts_of(tables) };
    // Lustre records are read for the traces, so their gaps count as well.
    let needed = modules.iter().filter(|m| m.has_data());
    for module in needed.filter(|m| is_trace(m) || m.printer == Printer::Lustre) {
        if is_trace(module) {
            text.str("\n").str(RULE).str("# ").str(module.name).str(" module data\n").str(RULE);
        }
        if module.is_partial && !options.show_incomplete {
            report.stopped_at = Some(module.name.to_string());
            break;
        }
        if module.is_partial {
            super::explain::incomplete(&mut text, module.name);
        }
        match module.name {
            "DXT_POSIX" => trace.print(&mut text, Layer::Posix)?,
            "DXT_MPIIO" => trace.print(&mut text, Layer::Mpiio)?,
            _ => {}
        }
    }
    text.finish()?;
    Ok(report)
}

/// Layouts by file. Ranks may have seen different ones; the last is kept.
fn layouts_of(tables: &Tables) -> HashMap<u64, Layout<'_>> {
    lustre::layouts(tables).into_iter().map(|layout| (layout.file_id, layout)).collect()
}

/// What the lines of a trace are made of.
struct Trace<'t> {
    calls: &'t CallTable,
    names: &'t Names<'t>,
    layouts: HashMap<u64, Layout<'t>>,
}

impl Trace<'_> {
    fn print(&self, text: &mut Text<'_>, layer: Layer) -> io::Result<()> {
        let found = blocks::find(self.calls, layer);
        for block in &found.blocks {
            let slices = found.slices.get(block.slices.clone()).unwrap_or_default();
            // The layout matters to POSIX calls only: those are what the file
            // system gets to see.
            let layout = self.layouts.get(&block.file_id).filter(|_| layer == Layer::Posix);
            self.print_head(text, block, slices, layout);
            self.print_lines(text, block, slices, layout)?;
        }
        Ok(())
    }

    fn print_head(
        &self,
        text: &mut Text<'_>,
        block: &Block,
        slices: &[RunSlice],
        layout: Option<&Layout<'_>>,
    ) {
        let place = self.names.place(block.file_id, NO_NAME);
        let host = block.host.map_or("", |host| self.calls.name(host));
        text.str("\n# DXT, file_id: ").u64(block.file_id).str(", file_name: ").str(place.name);
        text.str("\n# DXT, rank: ").i64(i64::from(block.rank)).str(", hostname: ").str(host);
        text.str("\n# DXT, number of threads: ").u64(self.threads(slices));
        text.str("\n# DXT, write_count: ").u64(block.writes);
        text.str(", read_count: ").u64(block.reads);
        text.str("\n# DXT, mnt_pt: ").str(place.mount).str(", fs_type: ").str(place.fs_type);
        text.str("\n");
        if let Some(layout) = layout {
            stripes::print_components(text, &layout.components);
        }
        text.str(COLUMNS);
        text.str(if layout.is_some() { "   [OST]" } else { "" }).str("   Pthread-ID\n");
    }

    fn print_lines(
        &self,
        text: &mut Text<'_>,
        block: &Block,
        slices: &[RunSlice],
        layout: Option<&Layout<'_>>,
    ) -> io::Result<()> {
        let mut segments = [0_u64; 2];
        for slice in slices {
            let chunk = self.calls.chunk(slice.chunk);
            let segment = &mut segments[usize::from(slice.op == Op::Read)];
            let line = Line::new(block.layer, block.rank, slice.op);
            let has_thread = chunk.thread.get(slice.calls.start).is_some();
            for call in slice.calls.clone() {
                let offset = if slice.has_offset { chunk.offset_bytes[call] } else { -1 };
                let size = chunk.size_bytes[call];
                let (start_s, end_s) = (chunk.start_s[call], chunk.end_s[call]);
                let values = Call { segment: *segment, offset, size, start_s, end_s };
                *segment += 1;
                if !has_thread && layout.is_none() {
                    line.push_whole(&mut text.bytes, values);
                } else {
                    line.push(&mut text.bytes, values);
                    if let Some(layout) = layout {
                        text.str("  ");
                        stripes::print_targets(text, &layout.components, offset, size);
                    }
                    match has_thread {
                        true => push_thread(text, chunk.thread.get(call).unwrap_or_default()),
                        false => drop(text.str("   N/A\n")),
                    }
                }
                text.flush_full()?;
            }
        }
        Ok(())
    }

    /// Threads that made the calls; calls without a thread id are of one thread.
    fn threads(&self, slices: &[RunSlice]) -> u64 {
        let mut seen = HashSet::new();
        let mut last = None;
        for slice in slices {
            let chunk = self.calls.chunk(slice.chunk);
            let threads = chunk.thread.values().get(slice.calls.clone());
            let is_known = chunk.thread.get(slice.calls.start).is_some();
            for thread in threads.filter(|_| is_known).into_iter().flatten() {
                // Most calls come from the thread of the call before.
                if last != Some(*thread) {
                    seen.insert(*thread);
                    last = Some(*thread);
                }
            }
        }
        u64::try_from(seen.len().max(1)).unwrap_or(u64::MAX)
    }
}

/// The last column of a line: at least four wide.
fn push_thread(text: &mut Text<'_>, thread: u64) {
    let width = usize::try_from(thread.checked_ilog10().unwrap_or(0) + 1).unwrap_or(4);
    text.str("   ").str("   ".get(width.min(4) - 1..).unwrap_or_default()).u64(thread).str("\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_column_of_the_thread_is_at_least_four_wide() {
        let column = |thread| {
            let mut out = Vec::new();
            let mut text = Text::new(&mut out);
            push_thread(&mut text, thread);
            text.finish().expect("a vector takes everything");
            String::from_utf8(out).expect("text")
        };
        assert_eq!(column(0), "      0\n");
        assert_eq!(column(42), "     42\n");
        assert_eq!(column(140_737_488_351_232), "   140737488351232\n");
    }
}
