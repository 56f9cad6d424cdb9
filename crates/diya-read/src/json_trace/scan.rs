//! Events as tracers write them, in one pass over the bytes.
//!
//! Finding the end of an event and then reading it as JSON in general takes three times as long
//! (lab/costs/trace-cost.md). What is seldom in events, such as an escaped character, and all that is
//! wrong, is left to that way: this one gives nothing then.

use super::event::{Args, Event, Value};
use serde_json::Number;
use std::borrow::Cow;

/// Values inside of values; deeper ones are left to the general way.
const MAX_DEPTH: usize = 16;
/// Digits of which every number fits 64 bits.
const MAX_DIGITS: usize = 18;
/// As many arguments as most events have at most: the list is made once.
const USUAL_ARGS: usize = 8;

/// Letters that a text can have without saying so: ASCII, and neither its end nor an escape.
const IS_PLAIN: [bool; 256] = {
    let mut plain = [false; 256];
    let mut byte = b' ' as usize;
    while byte < 127 {
        plain[byte] = byte != b'"' as usize && byte != b'\\' as usize;
        byte += 1;
    }
    plain
};

/// The event at the start of these bytes, and its length.
pub(super) fn event(bytes: &[u8]) -> Option<(Event<'_>, usize)> {
    let mut scan = Scan { bytes, at: 0 };
    let mut event = Event::default();
    let mut seen = 0u16;
    scan.members(|scan, name| {
        let member = match name {
            b"name" => 0,
            b"cat" => 1,
            b"ph" => 2,
            b"ts" => 3,
            b"dur" => 4,
            b"pid" => 5,
            b"tid" => 6,
            b"id" => 7,
            b"args" => 8,
            _ => return scan.value(0).map(drop),
        };
        // No event has a member twice.
        let bit = 1 << member;
        if seen & bit != 0 {
            return None;
        }
        seen |= bit;
        match member {
            0 => event.name = Cow::Borrowed(scan.text()?),
            1 => event.cat = Cow::Borrowed(scan.text()?),
            2 => event.ph = scan.value(0)?,
            3 => event.ts = scan.value(0)?,
            4 => event.dur = scan.value(0)?,
            5 => event.pid = scan.value(0)?,
            6 => event.tid = scan.value(0)?,
            7 => event.id = scan.value(0)?,
            _ => event.args = Some(scan.args()?),
        }
        Some(())
    })?;
    Some((event, scan.at))
}

struct Scan<'e> {
    bytes: &'e [u8],
    at: usize,
}

impl<'e> Scan<'e> {
    #[inline(always)]
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// The next byte that is no blank.
    #[inline(always)]
    fn next(&mut self) -> Option<u8> {
        loop {
            let byte = self.peek()?;
            self.at += 1;
            match byte {
                b' ' | b'\t' | b'\r' => {}
                // An event on a line of its own: the end of this one is lost.
                b'\n' if self.peek() == Some(b'{') => return None,
                b'\n' => {}
                _ => return Some(byte),
            }
        }
    }

    /// Is this the next byte that is no blank? Then it is taken.
    #[inline(always)]
    fn takes(&mut self, wanted: u8) -> Option<()> {
        (self.next()? == wanted).then_some(())
    }

    /// The members of an object, each with what reads its value.
    fn members(&mut self, mut each: impl FnMut(&mut Self, &'e [u8]) -> Option<()>) -> Option<()> {
        self.takes(b'{')?;
        let mut byte = self.next()?;
        if byte == b'}' {
            return Some(());
        }
        loop {
            if byte != b'"' {
                return None;
            }
            let name = self.rest_of_text()?;
            self.takes(b':')?;
            each(self, name)?;
            match self.next()? {
                b',' => byte = self.next()?,
                b'}' => return Some(()),
                _ => return None,
            }
        }
    }

    fn args(&mut self) -> Option<Args<'e>> {
        let mut args = Vec::with_capacity(USUAL_ARGS);
        self.members(|scan, name| {
            args.push((Cow::Borrowed(std::str::from_utf8(name).ok()?), scan.value(0)?));
            Some(())
        })?;
        Some(Args(args))
    }

    fn text(&mut self) -> Option<&'e str> {
        self.takes(b'"')?;
        std::str::from_utf8(self.rest_of_text()?).ok()
    }

    /// A text up to and with its closing mark: of ASCII, without escaped characters.
    fn rest_of_text(&mut self) -> Option<&'e [u8]> {
        let rest = self.bytes.get(self.at..)?;
        let length = rest.iter().position(|&byte| !IS_PLAIN[usize::from(byte)])?;
        if rest.get(length) != Some(&b'"') {
            return None;
        }
        self.at += length + 1;
        rest.get(..length)
    }

    fn value(&mut self, depth: usize) -> Option<Value<'e>> {
        match self.next()? {
            b'"' => {
                let text = std::str::from_utf8(self.rest_of_text()?).ok()?;
                Some(Value::Text(Cow::Borrowed(text)))
            }
            b'-' | b'0'..=b'9' => {
                self.at -= 1;
                self.number().map(Value::Number)
            }
            b't' => self.word(b"rue"),
            b'f' => self.word(b"alse"),
            b'n' => self.word(b"ull"),
            b'[' if depth < MAX_DEPTH => self.list(depth + 1),
            b'{' if depth < MAX_DEPTH => {
                self.at -= 1;
                self.members(|scan, _| scan.value(depth + 1).map(drop))?;
                Some(Value::Other)
            }
            _ => None,
        }
    }

    fn word(&mut self, rest: &[u8]) -> Option<Value<'e>> {
        let end = self.at + rest.len();
        let is_it = self.bytes.get(self.at..end)? == rest;
        self.at = end;
        is_it.then_some(Value::Other)
    }

    fn list(&mut self, depth: usize) -> Option<Value<'e>> {
        if self.next()? == b']' {
            return Some(Value::Other);
        }
        self.at -= 1;
        loop {
            self.value(depth)?;
            match self.next()? {
                b',' => {}
                b']' => return Some(Value::Other),
                _ => return None,
            }
        }
    }

    /// A number; whole ones without a look at their text.
    fn number(&mut self) -> Option<Number> {
        let first = self.next()?;
        let start = self.at - 1;
        let is_negative = first == b'-';
        let digits_from = start + usize::from(is_negative);
        self.at = digits_from;
        let mut whole = 0i64;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            whole = whole.wrapping_mul(10).wrapping_add(i64::from(digit - b'0'));
            self.at += 1;
        }
        let digits = self.at - digits_from;
        let has_zero_first = self.bytes.get(digits_from) == Some(&b'0');
        if digits == 0 || digits > MAX_DIGITS || (has_zero_first && digits > 1) {
            return None;
        }
        if !matches!(self.peek()?, b'.' | b'e' | b'E') {
            // A zero with a sign is no whole number.
            let is_whole = !(is_negative && whole == 0);
            return is_whole.then(|| Number::from(if is_negative { -whole } else { whole }));
        }
        let rest = self.bytes.get(self.at..)?;
        let length = rest
            .iter()
            .position(|b| !matches!(b, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-'))?;
        self.at += length;
        serde_json::from_slice(self.bytes.get(start..self.at)?).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines of tracers, and lines that are unusual or damaged.
    const LINES: [&str; 30] = [
        concat!(
            r#"{"id":2,"name":"open","cat":"POSIX","pid":9,"tid":9,"ts":1795444950830793,"#,
            r#""dur":2445,"ph":1,"args":{"hhash":"68","flags":578,"fhash":"10"}}"#
        ),
        r#"{ "ph" : "X" , "ts" : 1.5, "dur":1e3, "args" : { } }"#,
        "{\n  \"ph\": \"X\",\n  \"ts\": -0.25, \"args\": {\n \"Dims\": [[1, 2], []], \
         \"a\": {\"b\": null}, \"c\": [true, false]\n }\n}",
        r#"{"ph":"X","name":"a\nb","args":{"\u0041":"\t"}}"#,
        r#"{"ph":"X","name":"größe"}"#,
        r#"{"ph":"X","ts":9223372036854775807,"dur":18446744073709551615}"#,
        r#"{"ph":"X","ts":123456789012345678901234567890}"#,
        r#"{"ph":"X","ts":-0,"dur":0,"pid":-7,"tid":"12","id":null}"#,
        r#"{"ph":"X","ts":null,"args":null}"#,
        r#"{"ph":true,"pid":[1],"tid":{"a":1}}"#,
        r#"{"ph":"X","ph":"B"}"#,
        r#"{"ph":"X","args":{"ret":1,"ret":2}}"#,
        r#"{"ph":"X","other":1,"other":{"ph":"B"}}"#,
        r#"{}"#,
        r#"{"ph":"X","ts":01}"#,
        r#"{"ph":"X","ts":1.}"#,
        r#"{"ph":"X","ts":-}"#,
        r#"{"ph":"X","ts":1e}"#,
        r#"{"ph":"X","ts":"1"}"#,
        r#"{"ph":"X","name":1}"#,
        r#"{"ph":"X","name":null}"#,
        r#"{"ph":"X","args":[1]}"#,
        r#"{"ph":"X",}"#,
        r#"{"ph":"X" "ts":1}"#,
        r#"{"ph":"X","args":{"a":[1,]}}"#,
        r#"{"ph":"X","args":{"a":[,1]}}"#,
        r#"{"ph":"X","args":{"a":tru}}"#,
        r#"{"ph":"X","a":nulls}"#,
        r#"{ph:"X"}"#,
        "{\"ph\":\"X\",\"name\":\"a\tb\"}",
    ];

    #[test]
    fn an_event_is_what_the_general_way_reads() {
        let mut quick = 0;
        for line in LINES {
            let general = serde_json::from_str::<Event<'_>>(line).ok();
            if let Some((event, length)) = event(line.as_bytes()) {
                assert_eq!((Some(event), length), (general, line.len()), "{line}");
                quick += 1;
            }
        }
        assert_eq!(quick, 8);
    }

    #[test]
    fn an_event_ends_before_what_follows_it() {
        let first = r#"{"ph":"X","args":{"a":"}"}}"#;
        for rest in ["", ",", "]", " \n{", "\n{\"ph\":\"B\"}"] {
            let text = format!("{first}{rest}");
            assert_eq!(
                event(text.as_bytes()).map(|(_, length)| length),
                Some(first.len()),
                "{rest}"
            );
        }
        for cut in 1..first.len() {
            assert!(event(&first.as_bytes()[..cut]).is_none());
        }
        // The end of the first is lost.
        assert!(event(b"{\"ph\":\"X\",\n{\"ph\":\"B\"}}").is_none());
    }
}
