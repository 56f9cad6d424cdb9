//! Traces of TMIO in MessagePack: each summary is a list of numbers in a fixed order.

use super::samples::{Found, MODES, Mode, Sample, Series};

/// Places in the list of a summary; its name is the first.
const TOTAL_BYTES: usize = 3;
const MOST_PHASES: usize = 6;
const MOST_OPS_IN_PHASE: usize = 8;
const MOST_OPS: usize = 9;
const RANKS: usize = 11;
const PHASES: usize = 13;
const MEMBERS: usize = 14;

/// Numbers of a phase: bytes, start, end, required end, sum and mean of the bandwidth that was
/// measured, the same of the one that is required, requests.
const PHASE_MEMBERS: usize = 9;

/// A value.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Value<'b> {
    Number(f64),
    Text(&'b [u8]),
    List(usize),
    /// `nil`, `true` and `false`.
    Word,
}

/// Does a file begin with the list of a summary?
pub(super) fn is_packed(head: &[u8]) -> bool {
    let mut rest = Rest { bytes: head };
    let (list, name) = (rest.value(), rest.value());
    let is_name = |name: &[u8]| modes(name).is_some();
    list == Some(Value::List(MEMBERS)) && matches!(name, Some(Value::Text(name)) if is_name(name))
}

/// The modes of a summary: what was measured, and for nonblocking calls what is required.
fn modes(name: &[u8]) -> Option<(Mode, Option<Mode>)> {
    let named = |name: &str| MODES.into_iter().find(|mode| mode.name == name);
    Some(match name {
        b"read_sync" => (named("read_sync")?, None),
        b"write_sync" => (named("write_sync")?, None),
        b"read_async" => (named("read_async_t")?, named("read_async_b")),
        b"write_async" => (named("write_async_t")?, named("write_async_b")),
        _ => return None,
    })
}

/// Gives each summary of a mode to `take`, in their order.
pub(super) fn summaries(bytes: &[u8], mut take: impl FnMut(Mode, &Sample)) -> Found {
    let mut found = Found::default();
    let mut rest = Rest { bytes };
    while !rest.bytes.is_empty() {
        let begun = bytes.len() - rest.bytes.len();
        if rest.summary(&mut take).is_some() {
            continue;
        }
        found.is_cut = rest.bytes.is_empty();
        if !found.is_cut {
            found.add(u64::try_from(begun).unwrap_or(u64::MAX));
        }
        // The next summary shows where its list begins.
        while !rest.bytes.is_empty() && !is_packed(rest.bytes) {
            rest.bytes = rest.bytes.get(1..).unwrap_or_default();
        }
    }
    found
}

/// Bytes that are still to be read.
struct Rest<'b> {
    bytes: &'b [u8],
}

impl<'b> Rest<'b> {
    /// Reads a list; `None`: it makes no sense, or ends early.
    fn summary(&mut self, take: &mut impl FnMut(Mode, &Sample)) -> Option<()> {
        let Value::List(members) = self.value()? else { return None };
        let Value::Text(name) = self.value()? else { return None };
        let Some((mode, required)) = modes(name) else {
            // Sums of times.
            return self.skip(members.checked_sub(1)?);
        };
        let mut numbers = [f64::NAN; MEMBERS];
        for number in numbers.iter_mut().take(PHASES).skip(1) {
            match self.value()? {
                Value::Number(value) => *number = value,
                Value::Word => {}
                _ => return None,
            }
        }
        let Value::List(phases) = self.value()? else { return None };
        let number = |at: usize| numbers.get(at).copied().filter(|number| number.is_finite());
        let mut sample = Sample {
            ranks: number(RANKS),
            total_bytes: number(TOTAL_BYTES),
            most_phases: number(MOST_PHASES),
            most_ops: number(MOST_OPS),
            most_ops_in_phase: number(MOST_OPS_IN_PHASE),
            ..Sample::default()
        };
        let mut until = Series::default();
        let read = (0..phases).try_for_each(|_| self.phase(&mut sample.phases, &mut until));
        // A list that is cut has the phases so far.
        take(mode, &sample);
        if let Some(required) = required {
            take(required, &Sample { phases: until, ..sample });
        }
        read?;
        self.skip(members.checked_sub(MEMBERS)?)
    }

    fn phase(&mut self, measured: &mut Series, required: &mut Series) -> Option<()> {
        let Value::List(PHASE_MEMBERS) = self.value()? else { return None };
        let mut numbers = [0.0; PHASE_MEMBERS];
        for number in &mut numbers {
            let Value::Number(value) = self.value()? else { return None };
            *number = value;
        }
        let [bytes, start_s, end_s, required_s, _, mean, _, required_mean, _] = numbers;
        // The mean of several requests is not what the phase moved in its time.
        let seconds = end_s - start_s;
        let bandwidth = if seconds > 0.0 { bytes / seconds } else { mean };
        measured.push(bandwidth, start_s, end_s);
        required.push(required_mean, start_s, required_s);
        Some(())
    }

    /// Passes over values, and those in them.
    fn skip(&mut self, values: usize) -> Option<()> {
        let mut left = values;
        while left > 0 {
            left -= 1;
            if let Value::List(members) = self.value()? {
                left = left.saturating_add(members);
            }
        }
        Some(())
    }

    fn take(&mut self, count: usize) -> Option<&'b [u8]> {
        let Some((taken, rest)) = self.bytes.split_at_checked(count) else {
            self.bytes = &[];
            return None;
        };
        self.bytes = rest;
        Some(taken)
    }

    /// A number of so many bytes, the highest first.
    fn whole(&mut self, count: usize) -> Option<u64> {
        Some(self.take(count)?.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    fn length(&mut self, count: usize) -> Option<usize> {
        usize::try_from(self.whole(count)?).ok()
    }

    fn value(&mut self) -> Option<Value<'b>> {
        let kind = self.take(1)?.first().copied()?;
        let number = |number: u64| Value::Number(number as f64);
        Some(match kind {
            0x00..=0x7f => number(kind.into()),
            0x90..=0x9f => Value::List(usize::from(kind & 0xf)),
            0xa0..=0xbf => Value::Text(self.take(usize::from(kind & 0x1f))?),
            0xc0 | 0xc2 | 0xc3 => Value::Word,
            0xca => Value::Number(f32::from_bits(u32::try_from(self.whole(4)?).ok()?).into()),
            0xcb => Value::Number(f64::from_bits(self.whole(8)?)),
            0xcc..=0xcf => number(self.whole(1 << (kind & 3))?),
            0xd0..=0xd3 => {
                let bytes = 1 << (kind & 3);
                let shift = 64 - 8 * bytes as u32;
                Value::Number((self.whole(bytes)? << shift).cast_signed().wrapping_shr(shift) as f64)
            }
            0xd9..=0xdb => {
                let length = self.length(1 << (kind - 0xd9))?;
                Value::Text(self.take(length)?)
            }
            0xdc | 0xdd => Value::List(self.length(2 << (kind & 1))?),
            0xe0..=0xff => Value::Number(f64::from(kind.cast_signed())),
            // Maps and others: TMIO writes none.
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Real numbers as MessagePack has them.
    fn reals(numbers: &[f64]) -> Vec<u8> {
        numbers.iter().flat_map(|number| [&[0xcb], &number.to_be_bytes()[..]].concat()).collect()
    }

    /// A summary of a mode with two phases of a rank.
    fn summary(name: &str) -> Vec<u8> {
        let mut bytes = vec![0x9e, 0xa0 | name.len() as u8];
        bytes.extend(name.bytes());
        // Two words, then 3000 bytes, ..., 2 phases a rank, ..., 1 request a phase, 2 in all, ...
        bytes.extend([0xc2, 0xc3, 0xcd, 0x0b, 0xb8, 0, 0, 2, 2, 1, 2, 2, 1, 4]);
        bytes.push(0x92);
        for (data, start_s) in [([0xcd, 0x03, 0xe8], 1.0), ([0xcd, 0x07, 0xd0], 3.0)] {
            bytes.push(0x99);
            bytes.extend(data);
            bytes.extend(reals(&[start_s, start_s + 0.5, start_s + 1.0, 0.0, 7.0, 0.0, 9.0]));
            bytes.push(1);
        }
        bytes
    }

    /// Name of a mode, bandwidths and ends of its phases.
    type Mode = (&'static str, Vec<f64>, Vec<f64>);

    fn found(bytes: &[u8]) -> (Vec<Mode>, Found) {
        let mut all = Vec::new();
        let found = summaries(bytes, |mode, sample| {
            let Series { bandwidth, end_s, .. } = sample.phases.clone();
            all.push((mode.name, bandwidth, end_s));
        });
        (all, found)
    }

    #[test]
    fn nonblocking_calls_have_a_time_that_was_measured_and_one_that_is_required() {
        let mut bytes = summary("write_async");
        // Sums of times follow.
        bytes.extend([0x93, 0xa7]);
        bytes.extend(b"io_time");
        bytes.extend(reals(&[1.0, 2.0]));
        bytes.extend(summary("read_sync"));
        assert!(is_packed(&bytes) && !is_packed(b"\x93\xa7io_time") && !is_packed(b"{"));
        let (all, found) = found(&bytes);
        let measured = vec![2000.0, 4000.0];
        let expected = [
            ("write_async_t", measured.clone(), vec![1.5, 3.5]),
            ("write_async_b", vec![9.0, 9.0], vec![2.0, 4.0]),
            ("read_sync", measured, vec![1.5, 3.5]),
        ];
        assert_eq!(all, expected);
        assert!(!found.is_cut && found.damaged == 0);
    }

    #[test]
    fn a_cut_or_damaged_file_has_the_summaries_around() {
        let whole = [summary("write_sync"), summary("read_sync")].concat();
        let (all, cut) = found(&whole[..whole.len() - 20]);
        assert_eq!((all.len(), all[1].1.len(), cut.is_cut), (2, 1, true));
        let mut damaged = whole.clone();
        damaged[20] = 0xc1;
        let (all, found) = found(&damaged);
        assert_eq!(
            (all.len(), all[0].0, found.damaged, found.damage),
            (1, "read_sync", 1, Some(0))
        );
    }

    #[test]
    fn numbers_of_all_widths_are_read() {
        fn value(bytes: &[u8]) -> Option<Value<'_>> {
            Rest { bytes }.value()
        }
        let number = |bytes: &[u8]| match value(bytes) {
            Some(Value::Number(number)) => number,
            other => panic!("{other:?}"),
        };
        assert_eq!((number(&[0x7f]), number(&[0xff]), number(&[0xe0])), (127.0, -1.0, -32.0));
        assert_eq!((number(&[0xcc, 200]), number(&[0xd0, 0x80])), (200.0, -128.0));
        assert_eq!(number(&[0xd1, 0xff, 0xfe]), -2.0);
        assert_eq!(number(&[0xd3, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfd]), -3.0);
        assert_eq!(number(&[0xcf, 0, 0, 0, 1, 0, 0, 0, 0]), 4_294_967_296.0);
        assert_eq!(number(&[0xca, 0x3f, 0x80, 0, 0]), 1.0);
        assert_eq!(value(&[0xdc, 1, 0]), Some(Value::List(256)));
        assert_eq!(value(&[0xdd, 0, 1, 0, 0]), Some(Value::List(65_536)));
        assert_eq!(value(&[0xda, 0, 1, b'x']), Some(Value::Text(b"x")));
        assert_eq!((value(&[0xc1]), value(&[0xcb, 1]), value(&[])), (None, None, None));
    }
}
