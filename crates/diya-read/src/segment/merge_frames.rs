//! Rows that follow from the whole run: heat maps, and the frames of call stacks.

use super::clock::seconds;
use super::merge::Merged;
use super::ops;
use super::run_facts::Resolver;
use super::stacks::{Stack, StackFrame};
use diya_model::Layer;
use diya_tables::{HeatmapRecord, StackFrameRow, Tables, record_id};

impl Merged<'_> {
    pub(super) fn heat_rows(&mut self, tables: &mut Tables) {
        for ((layer, rank), (read, write)) in std::mem::take(&mut self.heat) {
            let name = match layer {
                ops::POSIX => "heatmap:POSIX",
                ops::STDIO => "heatmap:STDIO",
                ops::MPIIO => "heatmap:MPIIO",
                _ => continue,
            };
            tables.heatmap.push(HeatmapRecord {
                log: self.facts.log,
                layer: Layer::from_number(layer),
                file_id: record_id(name.as_bytes()),
                rank,
                bin_width_s: seconds(self.heat_bin_ns),
                write,
                read,
            });
        }
    }

    pub(super) fn stack_rows(&mut self, resolver: &dyn Resolver, tables: &mut Tables) {
        let log = self.facts.log;
        let mut stacks: Vec<Stack> = std::mem::take(&mut self.stacks).into_values().collect();
        stacks.sort_by_key(|s| s.id);
        for Stack { id: stack_id, frames } in stacks {
            let mut depth = 0;
            let mut push = |row: StackFrameRow<'_>| {
                tables.push_stack_frame(StackFrameRow { depth, ..row });
                depth += 1;
            };
            let none = StackFrameRow {
                log,
                stack_id,
                depth: 0,
                is_inlined: false,
                language: "native",
                ..StackFrameRow::UNKNOWN
            };
            for frame in &frames {
                match frame {
                    StackFrame::Unknown { address } => {
                        push(StackFrameRow { address: Some(*address), ..none })
                    }
                    StackFrame::Interpreted(f) => push(StackFrameRow {
                        function: Some(&f.function),
                        file: Some(&f.file),
                        line: i64::try_from(f.line).ok(),
                        language: "python",
                        ..none
                    }),
                    StackFrame::Native { module, build_id, address } => {
                        let build_id = build_id.as_deref();
                        let row = StackFrameRow {
                            module: Some(module),
                            build_id,
                            address: Some(*address),
                            ..none
                        };
                        let lines = resolver.frames(module, build_id, *address);
                        if lines.is_empty() {
                            push(row);
                        }
                        for line in &lines {
                            push(StackFrameRow {
                                function: line.function.as_deref(),
                                file: line.file.as_deref(),
                                line: line.line.map(i64::from),
                                is_inlined: line.is_inlined,
                                ..row
                            });
                        }
                    }
                }
            }
        }
    }
}
