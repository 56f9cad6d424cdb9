//! A single value of a result.

use serde::{Serialize, Serializer};

/// A value of a result row.
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
    /// use diya_checks::Value;
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
    pub(crate) fn integer(&self) -> Option<i64> {
        match self {
            Self::Integer(value) => Some(*value),
            Self::Unsigned(value) => i64::try_from(*value).ok(),
            _ => None,
        }
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => to.serialize_none(),
            Self::Integer(value) => to.serialize_i64(*value),
            Self::Unsigned(value) => to.serialize_u64(*value),
            Self::Real(value) => to.serialize_f64(*value),
            Self::Flag(value) => to.serialize_bool(*value),
            Self::Text(value) => to.serialize_str(value),
        }
    }
}
