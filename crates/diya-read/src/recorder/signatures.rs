//! Call signatures (`.cst`): every different call once, by the number that the grammar uses.

use super::bytes::Rest;
use super::metadata::Layout;

/// A call as it was made: all but its time.
#[derive(Debug, Clone)]
pub(super) struct Signature<'b> {
    /// Thread; 0: not recorded.
    pub thread: u64,
    /// Number of the function in `recorder.mt`.
    pub function: usize,
    /// Calls that it is inside of; 0 also when that was not recorded.
    pub depth: u8,
    pub args: Vec<&'b [u8]>,
}

/// Bytes of a signature before its key, by layout.
fn prefix(rest: &mut Rest<'_>, layout: Layout) -> Option<(usize, usize)> {
    let id = rest.count()?;
    if layout == Layout::Grammar23 {
        return Some((id, rest.count()?));
    }
    let _rank = rest.i32()?;
    let key_bytes = rest.count()?;
    let _calls = rest.u32()?;
    Some((id, key_bytes))
}

/// The signatures by number, and whether all that are announced could be read.
pub(super) fn signatures(bytes: &[u8], layout: Layout) -> (Vec<Option<Signature<'_>>>, bool) {
    let mut rest = Rest(bytes);
    let announced = rest.count().unwrap_or(0);
    let mut all: Vec<Option<Signature<'_>>> = Vec::new();
    let mut is_whole = !bytes.is_empty();
    for _ in 0..announced {
        let Some((id, key)) =
            prefix(&mut rest, layout).and_then(|(id, key_bytes)| Some((id, rest.take(key_bytes)?)))
        else {
            return (all, false);
        };
        // Numbers count from 0 without a gap: more than there are is damage.
        let signature = signature(key, layout).filter(|_| id < announced && id <= bytes.len());
        is_whole &= signature.is_some();
        if signature.is_some() && all.len() <= id {
            all.resize_with(id + 1, || None);
        }
        if let Some(slot) = all.get_mut(id) {
            *slot = signature;
        }
    }
    (all, is_whole)
}

fn signature(key: &[u8], layout: Layout) -> Option<Signature<'_>> {
    let mut rest = Rest(key);
    let thread = rest.u64()?;
    let function = match layout {
        Layout::Packed => rest.count()?,
        _ => usize::from(rest.u8()?),
    };
    let (depth, count) = (rest.u8()?, rest.u8()?);
    let text_bytes = rest.count()?;
    let text = rest.take(text_bytes)?;
    // Each argument ends with a blank.
    let args: Vec<&[u8]> = match text.strip_suffix(b" ") {
        Some(text) => text.split(|byte| *byte == b' ').collect(),
        None => Vec::new(),
    };
    (args.len() == usize::from(count)).then_some(Signature { thread, function, depth, args })
}
