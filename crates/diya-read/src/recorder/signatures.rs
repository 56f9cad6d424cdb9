//! Call signatures (`.cst`): every different call once, by the number that the grammar uses.

use super::arguments::Arguments;
use super::bytes::Rest;
use super::metadata::Layout;
use super::names::Names;
use super::shape::Shape;

/// A call as it was made: all but its time.
#[derive(Debug, Clone, Copy)]
pub(super) struct Signature {
    /// Thread; 0: not recorded.
    pub thread: u64,
    /// Number of the function in `recorder.mt`.
    pub function: u32,
    /// Calls that it is inside of; 0 also when that was not recorded.
    pub depth: u8,
    pub arguments: Arguments,
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

/// The signatures by number, and whether all that are announced could be read. `shape_of`: the
/// shape of a function.
pub(super) fn signatures(
    bytes: &[u8],
    layout: Layout,
    shape_of: impl Fn(u32) -> Shape,
    names: &mut Names,
) -> (Vec<Option<Signature>>, bool) {
    let mut rest = Rest(bytes);
    let announced = rest.count().unwrap_or(0);
    let mut all: Vec<Option<Signature>> = Vec::new();
    let mut is_whole = !bytes.is_empty();
    let mut args = Vec::new();
    for _ in 0..announced {
        let Some((id, key)) =
            prefix(&mut rest, layout).and_then(|(id, key_bytes)| Some((id, rest.take(key_bytes)?)))
        else {
            return (all, false);
        };
        // Numbers count from 0 without a gap: more than there are is damage.
        let key = Some(key).filter(|_| id < announced && id <= bytes.len());
        let signature = key.and_then(|key| {
            let (head, text) = head(key, layout)?;
            args.clear();
            split(text, &mut args);
            let Head { thread, function, depth, count } = head;
            if args.len() != usize::from(count) {
                return None;
            }
            let arguments = Arguments::of(shape_of(function), &args, names);
            Some(Signature { thread, function, depth, arguments })
        });
        is_whole &= signature.is_some();
        if signature.is_some() && all.len() <= id {
            all.resize(id + 1, None);
        }
        if let Some(slot) = all.get_mut(id) {
            *slot = signature;
        }
    }
    (all, is_whole)
}

struct Head {
    thread: u64,
    function: u32,
    depth: u8,
    /// Number of arguments.
    count: u8,
}

fn head(key: &[u8], layout: Layout) -> Option<(Head, &[u8])> {
    let mut rest = Rest(key);
    let thread = rest.u64()?;
    let function = match layout {
        Layout::Packed => u32::try_from(rest.i32()?).ok()?,
        _ => u32::from(rest.u8()?),
    };
    let (depth, count) = (rest.u8()?, rest.u8()?);
    let text_bytes = rest.count()?;
    Some((Head { thread, function, depth, count }, rest.take(text_bytes)?))
}

/// Each argument ends with a blank: those inside of arguments became other letters.
fn split<'b>(text: &'b [u8], args: &mut Vec<&'b [u8]>) {
    if let Some(text) = text.strip_suffix(b" ") {
        args.extend(text.split(|byte| *byte == b' '));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_small() {
        // Traces have millions, which are looked up in no order.
        assert_eq!(size_of::<Option<Signature>>(), 40);
    }
}
