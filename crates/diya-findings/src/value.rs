//! A single value of a result.

use serde::de::{Deserializer, Visitor};
use serde::{Deserialize, Serialize, Serializer};

/// Seconds of a run: never below 0, which the schema of a report says, too.
pub type Seconds = f64;

/// A value of a result row; null: not measured. Ids of 64 bits are decimal text, since many readers
/// of JSON would round them (RFC 7493).
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)] // the names say it
pub enum Value {
    /// Not measured.
    Null,
    Integer(i64),
    /// Ids use all 64 bits.
    Unsigned(u64),
    Real(f64),
    Flag(bool),
    Text(String),
}

impl Value {
    /// As a real number, where it is one.
    ///
    /// ```
    /// use diya_findings::Value;
    /// assert_eq!(Value::Integer(3).number(), Some(3.0));
    /// assert_eq!(Value::Null.number(), None);
    /// ```
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Integer(value) => Some(*value as f64),
            Self::Unsigned(value) => Some(*value as f64),
            Self::Real(value) => Some(*value),
            Self::Null | Self::Flag(_) | Self::Text(_) => None,
        }
    }

    /// As a whole number, where it is one.
    pub fn integer(&self) -> Option<i64> {
        match self {
            Self::Integer(value) => Some(*value),
            Self::Unsigned(value) => i64::try_from(*value).ok(),
            _ => None,
        }
    }
}

/// Ids that use all 64 bits become text: JavaScript and many other readers of
/// JSON would round them (RFC 7493, section 2.2).
impl Serialize for Value {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => to.serialize_none(),
            Self::Integer(value) => to.serialize_i64(*value),
            Self::Unsigned(value) => to.collect_str(value),
            Self::Real(value) => to.serialize_f64(*value),
            Self::Flag(value) => to.serialize_bool(*value),
            Self::Text(value) => to.serialize_str(value),
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(AnyValue)
    }
}

/// Takes what a format that describes itself holds, JSON above all.
struct AnyValue;

impl Visitor<'_> for AnyValue {
    type Value = Value;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("null, a number, a flag or a text")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Integer(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(i64::try_from(value).map_or(Value::Unsigned(value), Value::Integer))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Real(value))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Flag(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::Text(value.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_survive_json() {
        let json = r#"[null,-3,7,1.5,2.0,true,"a"]"#;
        let values: Vec<Value> = serde_json::from_str(json).unwrap();
        assert_eq!(values[4], Value::Real(2.0));
        assert_eq!(serde_json::to_string(&values).unwrap(), json);
    }

    #[test]
    fn ids_of_64_bits_are_text() {
        let json = serde_json::to_string(&Value::Unsigned(u64::MAX)).unwrap();
        assert_eq!(json, "\"18446744073709551615\"");
    }
}
