//! One event: the members that the Trace Event Format and DFTracer share.

use serde::Deserialize;
use serde::de::{IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Number;
use std::borrow::Cow;
use std::fmt;

/// An event as written.
#[derive(Debug, Default, PartialEq, Deserialize)]
pub(super) struct Event<'e> {
    #[serde(borrow, default, deserialize_with = "text_of")]
    pub name: Cow<'e, str>,
    #[serde(borrow, default, deserialize_with = "text_of")]
    pub cat: Cow<'e, str>,
    /// A letter; in DFTracer 2.x a number.
    #[serde(borrow, default)]
    pub ph: Value<'e>,
    #[serde(borrow, default)]
    pub ts: Value<'e>,
    #[serde(borrow, default)]
    pub dur: Value<'e>,
    #[serde(borrow, default)]
    pub pid: Value<'e>,
    #[serde(borrow, default)]
    pub tid: Value<'e>,
    #[serde(borrow, default)]
    pub id: Value<'e>,
    #[serde(borrow, default)]
    pub args: Option<Args<'e>>,
}

/// A member that is a number or a text; what else it can be says nothing to the tables.
#[derive(Debug, Default, Clone, PartialEq)]
pub(super) enum Value<'e> {
    #[default]
    Other,
    Number(Number),
    Text(Cow<'e, str>),
}

impl Value<'_> {
    pub fn as_i64(&self) -> Option<i64> {
        let Self::Number(number) = self else { return None };
        number.as_i64().or_else(|| whole(number.as_f64()?))
    }

    /// A whole number, also one that is written as a text.
    pub fn to_i64(&self) -> Option<i64> {
        self.as_i64().or_else(|| {
            let text = self.as_str()?.trim();
            text.parse().ok().or_else(|| whole(text.parse().ok()?))
        })
    }

    pub fn as_str(&self) -> Option<&str> {
        let Self::Text(text) = self else { return None };
        Some(text)
    }
}

/// A number without a fraction, of which every one up to there has a float of its own.
fn whole(number: f64) -> Option<i64> {
    const MOST: f64 = (1i64 << 53) as f64;
    (number.fract() == 0.0 && number.abs() <= MOST).then_some(number as i64)
}

/// Members of `args`, in their order: events have few, so that looking through them is
/// quicker than a map.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Args<'e>(pub Vec<(Cow<'e, str>, Value<'e>)>);

impl<'e> Args<'e> {
    /// The last of this name: as in a map, and what the end of an event adds counts.
    pub fn get(&self, name: &str) -> Option<&Value<'e>> {
        self.0.iter().rev().find(|(of, _)| of == name).map(|(_, value)| value)
    }
}

/// What kind of event it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    Complete,
    Begin,
    End,
    AsyncBegin,
    AsyncEnd,
    Metadata,
    /// Values at a moment.
    Counter,
    /// Moments, flows, sums over many events: no table holds them.
    Other,
}

impl Event<'_> {
    /// Its phase; `None`: it is no event.
    pub fn phase(&self) -> Option<Phase> {
        if let Some(number) = self.ph.as_i64() {
            // DFTracer 2.x.
            return Some(match number {
                1 => Phase::Complete,
                2 => Phase::Counter,
                4 => Phase::Metadata,
                _ => Phase::Other,
            });
        }
        Some(match self.ph.as_str()? {
            "X" => Phase::Complete,
            "B" => Phase::Begin,
            "E" => Phase::End,
            "b" => Phase::AsyncBegin,
            "e" => Phase::AsyncEnd,
            "M" => Phase::Metadata,
            "C" => Phase::Counter,
            _ => Phase::Other,
        })
    }

    /// A text among its arguments, by the first of these names that is there.
    pub fn text(&self, names: &[&str]) -> Option<&str> {
        let args = self.args.as_ref()?;
        names.iter().find_map(|name| args.get(name)?.as_str()).filter(|text| !text.is_empty())
    }

    /// A number among its arguments; some writers put numbers into texts.
    pub fn number(&self, names: &[&str]) -> Option<i64> {
        let args = self.args.as_ref()?;
        names.iter().find_map(|name| args.get(name)?.to_i64())
    }
}

/// A number, also one that is written as a text; none where it is not finite.
pub(super) fn real(value: &Value<'_>) -> Option<f64> {
    let number = match value {
        Value::Number(number) => number.as_f64(),
        Value::Text(text) => text.trim().parse().ok(),
        Value::Other => None,
    };
    number.filter(|number: &f64| number.is_finite())
}

/// A time as nanoseconds; `unit_ns` is what the numbers count.
pub(super) fn nanoseconds(time: &Value<'_>, unit_ns: i64) -> Option<i64> {
    let whole = match time {
        Value::Number(number) => number.as_i64(),
        Value::Text(text) => text.trim().parse().ok(),
        Value::Other => None,
    };
    if let Some(whole) = whole {
        return whole.checked_mul(unit_ns);
    }
    let ns = real(time)? * unit_ns as f64;
    // Beyond 2^62 a conversion would be wrong, and no clock is there.
    (ns.abs() < (1i64 << 62) as f64).then_some(ns.round() as i64)
}

/// The event of a text; of one that is not quite JSON, what its writer meant.
pub(super) fn event<'e>(text: &'e [u8], repaired: &'e mut String) -> Option<Event<'e>> {
    serde_json::from_slice(text).ok().or_else(|| {
        *repaired = super::repair::repaired(text);
        serde_json::from_str(repaired).ok()
    })
}

/// A name, which can be a number; nothing else is one.
fn text_of<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Cow<'de, str>, D::Error> {
    Ok(match Value::deserialize(from)? {
        Value::Text(text) => text,
        Value::Number(number) => Cow::Owned(number.to_string()),
        Value::Other => Cow::Borrowed(""),
    })
}

/// Process and thread numbers can be texts.
pub(super) fn id(value: &Value<'_>) -> Option<u64> {
    match value {
        Value::Number(number) => number.as_u64().or_else(|| value.as_i64().map(i64::unsigned_abs)),
        Value::Text(text) => {
            Some(text.parse().unwrap_or_else(|_| diya_tables::record_id(text.as_bytes())))
        }
        Value::Other => None,
    }
}

impl<'de: 'e, 'e> Deserialize<'de> for Value<'e> {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Value<'de>;

            fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
                to.write_str("a value")
            }

            fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
                Ok(Value::Other)
            }

            fn visit_unit<E>(self) -> Result<Self::Value, E> {
                Ok(Value::Other)
            }

            fn visit_i64<E>(self, number: i64) -> Result<Self::Value, E> {
                Ok(Value::Number(number.into()))
            }

            fn visit_u64<E>(self, number: u64) -> Result<Self::Value, E> {
                Ok(Value::Number(number.into()))
            }

            fn visit_f64<E>(self, number: f64) -> Result<Self::Value, E> {
                Ok(Number::from_f64(number).map_or(Value::Other, Value::Number))
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Value::Text(Cow::Borrowed(text)))
            }

            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Value::Text(Cow::Owned(text.to_string())))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
                while list.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Value::Other)
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(Value::Other)
            }
        }
        from.deserialize_any(Any)
    }
}

impl<'de: 'e, 'e> Deserialize<'de> for Args<'e> {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Args<'de>;

            fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
                to.write_str("a map")
            }

            fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
                Ok(Args::default())
            }

            fn visit_unit<E>(self) -> Result<Self::Value, E> {
                Ok(Args::default())
            }

            fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
                Ok(Args::default())
            }

            fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
                Ok(Args::default())
            }

            fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
                Ok(Args::default())
            }

            fn visit_str<E>(self, _: &str) -> Result<Self::Value, E> {
                Ok(Args::default())
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
                while list.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Args::default())
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut args = Vec::new();
                while let Some(Value::Text(name)) = map.next_key()? {
                    args.push((name, map.next_value()?));
                }
                Ok(Args(args))
            }
        }
        from.deserialize_any(Members)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_keep_their_nanoseconds() {
        let event: Event<'_> =
            serde_json::from_str(r#"{"ph":"X","ts":1795444950833260,"dur":0.125}"#).expect("JSON");
        assert_eq!(nanoseconds(&event.ts, 1000), Some(1_795_444_950_833_260_000));
        assert_eq!(nanoseconds(&event.dur, 1000), Some(125));
        assert_eq!(event.phase(), Some(Phase::Complete));
    }

    #[test]
    fn numbers_can_be_texts_and_texts_numbers() {
        let text = r#"{"ph":"X","name":7,"cat":null,"ts":"1000","dur":"0.5","pid":3.0,
            "args":{"ret":"4096","offset":8.0,"size":"1e3","count":1.5}}"#;
        let event: Event<'_> = serde_json::from_str(text).expect("JSON");
        assert_eq!((event.name.as_ref(), event.cat.as_ref(), id(&event.pid)), ("7", "", Some(3)));
        let times = (nanoseconds(&event.ts, 1000), nanoseconds(&event.dur, 1000));
        assert_eq!(times, (Some(1_000_000), Some(500)));
        let number = |name| event.number(&[name]);
        assert_eq!(
            (number("ret"), number("offset"), number("size")),
            (Some(4096), Some(8), Some(1000))
        );
        assert_eq!(number("count"), None);
    }

    #[test]
    fn arguments_that_are_no_object_are_none() {
        for args in ["[1,2]", "\"text\"", "7", "null", "1.5", "true"] {
            let text = format!("{{\"ph\":\"X\",\"args\":{args}}}");
            let event: Event<'_> = serde_json::from_str(&text).expect("JSON");
            assert!(event.args.is_none_or(|args| args.0.is_empty()), "{text}");
        }
    }

    #[test]
    fn phases_are_letters_or_numbers() {
        let phase = |text: &str| serde_json::from_str::<Event<'_>>(text).ok()?.phase();
        assert_eq!(phase(r#"{"ph":4}"#), Some(Phase::Metadata));
        assert_eq!(phase(r#"{"ph":2}"#), Some(Phase::Counter));
        assert_eq!(phase(r#"{"ph":3}"#), Some(Phase::Other));
        assert_eq!(phase(r#"{"ph":"E"}"#), Some(Phase::End));
        assert_eq!(phase(r#"{"ph":"i"}"#), Some(Phase::Other));
        assert_eq!(phase(r#"{"name":"no event"}"#), None);
    }
}
