//! LUSTRE: the layout of a file, component by component.
//!
//! Old records hold one plain layout; they print as one component whose
//! pattern, flags and mirror are not available.

use super::base::{Frame, NO_NAME};
use super::names::Names;
use super::text::Text;
use diya_tables::{TableBuilder, TableId, Tables, lustre_component, lustre_target};
use std::io;

/// An extent of a file and the targets it is striped over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Component<'t> {
    pub stripe_size: i64,
    pub stripe_count: i64,
    pattern: Option<i64>,
    flags: Option<i64>,
    pub ext_start: i64,
    /// -1: up to the end of the file.
    pub ext_end: i64,
    mirror_id: i64,
    pool: Option<&'t str>,
    pub targets: Vec<i64>,
}

/// The layout of a file on a rank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Layout<'t> {
    pub file_id: u64,
    rank: i32,
    pub components: Vec<Component<'t>>,
}

/// All layouts, in the order of the log.
pub(super) fn layouts(tables: &Tables) -> Vec<Layout<'_>> {
    let Some(table) = tables.table(TableId::LustreComponent) else { return Vec::new() };
    let mut targets = Targets { table: tables.table(TableId::LustreTarget), row: 0 };
    let mut layouts: Vec<Layout<'_>> = Vec::new();
    for row in 0..table.rows() {
        let number = table.i32(lustre_component::COMPONENT, row).unwrap_or(0);
        let file_id = table.u64(lustre_component::FILE_ID, row).unwrap_or(0);
        let rank = table.i32(lustre_component::RANK, row).unwrap_or(-1);
        let component = component(table, row, targets.take(file_id, rank, number));
        match layouts.last_mut() {
            Some(last) if number > 0 && (last.file_id, last.rank) == (file_id, rank) => {
                last.components.push(component);
            }
            _ => layouts.push(Layout { file_id, rank, components: vec![component] }),
        }
    }
    layouts
}

fn component(table: &TableBuilder, row: usize, targets: Vec<i64>) -> Component<'_> {
    let number = |column| table.i64(column, row);
    Component {
        stripe_size: number(lustre_component::STRIPE_SIZE).unwrap_or(-1),
        stripe_count: number(lustre_component::STRIPE_COUNT).unwrap_or(-1),
        pattern: number(lustre_component::STRIPE_PATTERN),
        flags: number(lustre_component::FLAGS),
        ext_start: number(lustre_component::EXT_START).unwrap_or(-1),
        ext_end: number(lustre_component::EXT_END).unwrap_or(-1),
        mirror_id: number(lustre_component::MIRROR_ID).unwrap_or(-1),
        pool: table.str(lustre_component::POOL_NAME, row),
        targets,
    }
}

/// Rows of `lustre_target`, which come in the order of the components.
struct Targets<'t> {
    table: Option<&'t TableBuilder>,
    row: usize,
}

impl Targets<'_> {
    fn take(&mut self, file_id: u64, rank: i32, component: i32) -> Vec<i64> {
        let Some(table) = self.table else { return Vec::new() };
        let mut targets = Vec::new();
        let is_own = |row| {
            table.u64(lustre_target::FILE_ID, row) == Some(file_id)
                && table.i32(lustre_target::RANK, row) == Some(rank)
                && table.i32(lustre_target::COMPONENT, row) == Some(component)
        };
        // Each component counts its stripes from 0, so two alike do not merge.
        while is_own(self.row)
            && table.i32(lustre_target::STRIPE, self.row) == i32::try_from(targets.len()).ok()
        {
            targets.push(table.i64(lustre_target::OST_ID, self.row).unwrap_or(-1));
            self.row += 1;
        }
        targets
    }
}

/// Prints all layouts.
pub(super) fn print(
    text: &mut Text<'_>,
    tables: &Tables,
    module: &str,
    names: &Names<'_>,
) -> io::Result<()> {
    let mut frame = Frame::default();
    for layout in layouts(tables) {
        let place = names.place(layout.file_id, NO_NAME);
        frame.set(module, layout.rank, layout.file_id, &place);
        let stripes = layout.components.iter().map(|c| c.stripe_count).sum();
        int(text, &frame, "LUSTRE_NUM_COMPONENTS", layout.components.len() as i64);
        int(text, &frame, "LUSTRE_NUM_STRIPES", stripes);
        for (number, component) in (1..).zip(&layout.components) {
            print_component(text, &frame, number, component);
        }
        text.flush_full()?;
    }
    Ok(())
}

fn print_component(text: &mut Text<'_>, frame: &Frame, number: usize, component: &Component<'_>) {
    let name = |end: &str| format!("LUSTRE_COMP{number}_{end}");
    let words = |text: &mut Text<'_>, end: &str, value: &str| {
        frame.line(text, &name(end), |text| {
            text.str(value);
        });
    };
    int(text, frame, &name("STRIPE_SIZE"), component.stripe_size);
    int(text, frame, &name("STRIPE_COUNT"), component.stripe_count);
    words(text, "STRIPE_PATTERN", pattern_text(component.pattern));
    words(text, "FLAGS", &flags_text(component.flags));
    int(text, frame, &name("EXT_START"), component.ext_start);
    int(text, frame, &name("EXT_END"), component.ext_end);
    int(text, frame, &name("MIRROR_ID"), component.mirror_id);
    words(text, "POOL_NAME", component.pool.unwrap_or("N/A"));
    for (stripe, target) in component.targets.iter().enumerate() {
        int(text, frame, &name(&format!("OST_ID_{stripe}")), *target);
    }
}

fn int(text: &mut Text<'_>, frame: &Frame, name: &str, value: i64) {
    frame.line(text, name, |text| {
        text.i64(value);
    });
}

/// Source: lustreapi.h (LLAPI_LAYOUT_*), as darshan-lustre-logutils.c names them.
fn pattern_text(pattern: Option<i64>) -> &'static str {
    match pattern {
        Some(0) => "raid0",
        Some(2) => "mdt",
        Some(4) => "raid0,overstriped",
        Some(8) => "foreign",
        _ => "N/A",
    }
}

/// Names of the lowest flag bits (LCME_FL_*), from bit 0.
const FLAGS: [&str; 12] = [
    "stale",
    "prefrd",
    "prefwr",
    "offline",
    "init",
    "nosync",
    "extension",
    "parity",
    "compress",
    "partial",
    "nocompr",
    "neg",
];

fn flags_text(flags: Option<i64>) -> String {
    let Some(flags) = flags else { return "N/A".to_string() };
    let names = FLAGS.iter().enumerate().filter(|(bit, _)| flags >> bit & 1 == 1);
    let names: Vec<&str> = names.map(|(_, name)| *name).collect();
    if names.is_empty() { "0".to_string() } else { names.join(",") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_named_from_the_lowest_bit() {
        assert_eq!(flags_text(Some(0)), "0");
        assert_eq!(flags_text(Some(0x10)), "init");
        assert_eq!(flags_text(Some(0b1001)), "stale,offline");
        assert_eq!(flags_text(None), "N/A");
    }

    #[test]
    fn only_four_patterns_have_a_name() {
        assert_eq!(pattern_text(Some(0)), "raid0");
        assert_eq!(pattern_text(Some(1)), "N/A");
        assert_eq!(pattern_text(None), "N/A");
    }
}
