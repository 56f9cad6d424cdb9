//! LUSTRE: how files are striped. Records of varying size.
//!
//! Version 1 holds one plain layout; version 2 a list of components and the
//! targets of all of them in one row. Source: darshan-lustre-log-format.h.

use super::bytes::{Cursor, Order, text_of};
use crate::Selection;
use crate::walk::{Damage, Sink, take_whole};
use diya_tables::{LustreComponentRow, LustreTargetRow, Tables};

/// More stripes than Lustre allows in a layout (2000), with room to grow; what
/// claims more is damaged.
const MAX_STRIPES: i64 = 1 << 20;
const MAX_COMPONENTS: i64 = 1 << 16;
const COMPONENT_BYTES: usize = 72;

/// Decodes the records.
pub(crate) struct Lustre<'a> {
    pub version: u32,
    pub order: Order,
    pub log: i32,
    pub selection: &'a Selection,
    pub tables: &'a mut Tables,
}

struct Component {
    numbers: [i64; 7],
    pool: String,
}

impl Lustre<'_> {
    /// The record at the front; `Ok(None)`: it is not whole yet.
    fn record(&mut self, bytes: &[u8]) -> Result<Option<usize>, Damage> {
        let mut at = Cursor::new(bytes, self.order);
        let (id, rank) = match at.base() {
            None => return Ok(None),
            Some(Ok(base)) => base,
            Some(Err(rank)) => return Err(Damage(format!("a LUSTRE record claims rank {rank}"))),
        };
        let whole = if self.version == 1 {
            self.version_1(&mut at, id, rank)?
        } else {
            self.version_2(&mut at, id, rank)?
        };
        Ok(whole.map(|()| bytes.len() - at.rest().len()))
    }

    fn version_1(&mut self, at: &mut Cursor<'_>, id: u64, rank: i32) -> Result<Option<()>, Damage> {
        let Some([osts, mdts, offset, size, width]) = words::<5>(at) else { return Ok(None) };
        let stripes = checked(width, MAX_STRIPES, "stripes")?;
        // The C struct has room for one target even when there is none.
        let Some(ids) = at.take(stripes.max(1) * 8) else { return Ok(None) };
        if !self.selection.wants(id, rank) {
            return Ok(Some(()));
        }
        self.tables.push_lustre_component(LustreComponentRow {
            log: self.log,
            file_id: id,
            rank,
            component: 0,
            stripe_size: known(size),
            stripe_count: known(width),
            ext_start: Some(0),
            osts: known(osts),
            mdts: known(mdts),
            stripe_offset: known(offset),
            ..LustreComponentRow::UNKNOWN
        });
        self.targets(id, rank, 0, ids, stripes);
        Ok(Some(()))
    }

    fn version_2(&mut self, at: &mut Cursor<'_>, id: u64, rank: i32) -> Result<Option<()>, Damage> {
        let Some([components, stripes]) = words::<2>(at) else { return Ok(None) };
        let components = checked(components, MAX_COMPONENTS, "components")?;
        let stripes = checked(stripes, MAX_STRIPES, "stripes")?;
        let Some(bytes) = at.take(components * COMPONENT_BYTES) else { return Ok(None) };
        let Some(ids) = at.take(stripes * 8) else { return Ok(None) };
        if !self.selection.wants(id, rank) {
            return Ok(Some(()));
        }
        let mut used = 0;
        let list = bytes.chunks_exact(COMPONENT_BYTES).filter_map(|b| component(b, self.order));
        for (number, component) in (0..).zip(list.collect::<Vec<_>>()) {
            let [size, count, pattern, flags, start, end, mirror] = component.numbers;
            // A component with stripe size -1 is unused space: nothing follows.
            if size == -1 {
                break;
            }
            self.tables.push_lustre_component(LustreComponentRow {
                log: self.log,
                file_id: id,
                rank,
                component: number,
                stripe_size: known(size),
                stripe_count: known(count),
                stripe_pattern: known(pattern),
                flags: known(flags),
                ext_start: known(start),
                ext_end: known(end),
                mirror_id: known(mirror),
                pool_name: Some(component.pool.as_str()).filter(|p| !p.is_empty()),
                ..LustreComponentRow::UNKNOWN
            });
            let count = usize::try_from(count).unwrap_or(0).min(stripes - used);
            let own = ids.get(used * 8..(used + count) * 8).unwrap_or_default();
            self.targets(id, rank, number, own, count);
            used += count;
        }
        Ok(Some(()))
    }

    fn targets(&mut self, id: u64, rank: i32, component: i32, ids: &[u8], stripes: usize) {
        let mut at = Cursor::new(ids, self.order);
        for stripe in 0..i32::try_from(stripes).unwrap_or(i32::MAX) {
            let Some(ost_id) = at.i64() else { return };
            self.tables.push_lustre_target(LustreTargetRow {
                log: self.log,
                file_id: id,
                rank,
                component,
                stripe,
                ost_id: known(ost_id),
            });
        }
    }
}

fn component(bytes: &[u8], order: Order) -> Option<Component> {
    let mut at = Cursor::new(bytes, order);
    let numbers = words::<7>(&mut at)?;
    Some(Component { numbers, pool: text_of(at.rest()).into_owned() })
}

fn words<const N: usize>(at: &mut Cursor<'_>) -> Option<[i64; N]> {
    let mut out = [0; N];
    for word in &mut out {
        *word = at.i64()?;
    }
    Some(out)
}

/// -1 stands for "not available".
fn known(value: i64) -> Option<i64> {
    Some(value).filter(|v| *v != -1)
}

fn checked(count: i64, max: i64, what: &str) -> Result<usize, Damage> {
    let is_sane = (0..=max).contains(&count);
    let count = usize::try_from(count).ok().filter(|_| is_sane);
    count.ok_or_else(|| Damage(format!("a LUSTRE record claims an impossible number of {what}")))
}

impl Sink for Lustre<'_> {
    fn take(&mut self, bytes: &[u8]) -> Result<usize, Damage> {
        take_whole(bytes, |rest| self.record(rest))
    }

    fn reset(&mut self) {}
}
