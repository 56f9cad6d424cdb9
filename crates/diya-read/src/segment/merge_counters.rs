//! Rows of counters: of each file and rank, and of each function.

use super::clock::seconds;
use super::merge::{FileKey, Merged};
use super::ops;
use super::rows::{self, Summary};
use super::tally::OpSums;
use diya_model::Function;
use diya_model::segment::NAME_PIPE;
use diya_tables::{Layer, ModuleRow, Op, OpCountRow, Tables};
use std::collections::BTreeSet;

impl Merged<'_> {
    pub(super) fn counter_rows(&mut self, tables: &mut Tables) {
        let log = self.facts.log;
        let by_file = std::mem::take(&mut self.latest);
        let functions = std::mem::take(&mut self.functions);
        let mut rest = functions.iter().peekable();
        while let Some(file_key) = rest.peek().map(|((key, ..), _)| *key) {
            let (layer, file_id, rank) = file_key;
            let mut all = [OpSums::default(); ops::OPS as usize + 1];
            while let Some(((_, function, op), sums)) =
                rest.next_if(|((key, ..), _)| *key == file_key)
            {
                if let Some(slot) = all.get_mut(usize::from(*op)) {
                    slot.merge(sums);
                }
                self.op_count(file_key, *function, *op, sums, tables);
            }
            let kind = self.files.get(&file_id).map_or(0, |f| f.kind);
            // MPI_Init and the like concern no file.
            let is_about_files = all.iter().take(usize::from(ops::OTHER)).any(|o| o.calls > 0);
            // Darshan counts streams that are no files, descriptors it does not.
            let is_counted = is_about_files && (kind != NAME_PIPE || layer == ops::STDIO);
            let Some(table) = rows::table_of(layer).filter(|_| is_counted) else {
                continue;
            };
            let mut access = self.accesses.remove(&file_key).unwrap_or_default();
            let (common_sizes, common_strides) = (access.sizes.top(), access.strides.top());
            let attributes = by_file.get(&file_id);
            let alignment = attributes.and_then(|all| all.get("posix:block_size")?.parse().ok());
            let summary = Summary {
                log,
                file_id,
                rank,
                parent_id: self.files.get(&file_id).and_then(|f| f.parent_id),
                layer,
                ops: all,
                access,
                alignment: alignment.unwrap_or(4096),
                selections: self.selections.get(&(file_id, rank)).copied().unwrap_or_default(),
                attributes,
                common_sizes,
                common_strides,
            };
            rows::push(&summary, tables.builder(table));
        }
        let layers: BTreeSet<u8> = functions.keys().map(|((layer, ..), ..)| *layer).collect();
        for name in layers.into_iter().filter_map(Layer::from_number).map(Layer::name) {
            tables.push_module(ModuleRow {
                log,
                module: name,
                is_partial: false,
                is_decoded: true,
                ..ModuleRow::UNKNOWN
            });
        }
    }

    fn op_count(&self, key: FileKey, function: u16, op: u8, sums: &OpSums, tables: &mut Tables) {
        let (layer, file_id, rank) = key;
        let (Some(layer), Some(op)) = (Layer::from_number(layer), Op::from_number(op)) else {
            return;
        };
        let signed = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
        let is_recorded = function != 0;
        tables.push_op_count(OpCountRow {
            log: self.facts.log,
            file_id,
            rank,
            layer: layer.name(),
            op: op.name(),
            function: Function::of(function).map(|f| f.name),
            calls: signed(sums.calls),
            failed: signed(sums.failed),
            bytes: matches!(op, Op::Read | Op::Write).then_some(signed(sums.bytes)),
            time_s: seconds(sums.busy_ns),
            exclusive_s: is_recorded
                .then(|| seconds(sums.busy_ns.saturating_sub(sums.inner_ns).max(0))),
            first_s: (sums.first_ns != i64::MAX).then(|| seconds(sums.first_ns)),
            last_s: (sums.last_ns != i64::MIN).then(|| seconds(sums.last_ns)),
        });
    }
}
