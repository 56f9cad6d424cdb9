//! From JSON to the types of questions, without serde's derived code: that makes
//! the decoder in each page a sixth larger (100 kB before it is packed).

use serde_json::Value;

/// What a field of a question can be; the text of an error is for the reader of the page.
pub(crate) trait FromJson: Sized {
    fn from_json(value: &Value) -> Result<Self, String>;
}

/// A field; one that is missing is as null.
pub(crate) fn field<T: FromJson>(of: &Value, name: &str) -> Result<T, String> {
    T::from_json(&of[name]).map_err(|what| format!("{name}: {what}"))
}

macro_rules! plain {
    ($($type:ty: $as:ident, $what:literal;)*) => {$(
        impl FromJson for $type {
            fn from_json(value: &Value) -> Result<Self, String> {
                let found = value.$as().and_then(|found| Self::try_from(found).ok());
                found.ok_or_else(|| format!(concat!("not ", $what, ": {}"), value))
            }
        }
    )*};
}

plain! {
    u32: as_u64, "a whole number";
    i32: as_i64, "a whole number";
    i64: as_i64, "a whole number";
    f64: as_f64, "a number";
}

/// Text that is missing is empty.
impl FromJson for String {
    fn from_json(value: &Value) -> Result<Self, String> {
        match value {
            Value::Null => Ok(Self::new()),
            Value::String(text) => Ok(text.clone()),
            other => Err(format!("not a text: {other}")),
        }
    }
}

/// What is missing is not so.
impl FromJson for bool {
    fn from_json(value: &Value) -> Result<Self, String> {
        match value {
            Value::Null => Ok(false),
            Value::Bool(is_so) => Ok(*is_so),
            other => Err(format!("neither true nor false: {other}")),
        }
    }
}

impl<T: FromJson> FromJson for Option<T> {
    fn from_json(value: &Value) -> Result<Self, String> {
        if value.is_null() { Ok(None) } else { T::from_json(value).map(Some) }
    }
}

impl<T: FromJson> FromJson for Vec<T> {
    fn from_json(value: &Value) -> Result<Self, String> {
        let list = value.as_array().ok_or_else(|| format!("not a list: {value}"))?;
        list.iter().map(T::from_json).collect()
    }
}

/// A struct of a question: its fields are public, and read by their names.
macro_rules! object {
    ($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $type:ty,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq)]
        #[cfg_attr(test, derive(ts_rs::TS))]
        pub struct $name {
            $($(#[$field_doc])* pub $field: $type,)*
        }

        impl $crate::json::FromJson for $name {
            fn from_json(value: &serde_json::Value) -> Result<Self, String> {
                if !value.is_object() {
                    return Err(format!("not an object: {value}"));
                }
                Ok(Self { $($field: $crate::json::field(value, stringify!($field))?,)* })
            }
        }
    };
}

/// One of several names.
macro_rules! choice {
    ($(#[$doc:meta])* $name:ident { $($(#[$name_doc:meta])* $variant:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[cfg_attr(test, derive(ts_rs::TS))]
        pub enum $name {
            $($(#[$name_doc])* #[cfg_attr(test, ts(rename = $text))] $variant,)*
        }

        impl $crate::json::FromJson for $name {
            fn from_json(value: &serde_json::Value) -> Result<Self, String> {
                match value.as_str().unwrap_or_default() {
                    $($text => Ok(Self::$variant),)*
                    _ => Err(format!("{value} is not known")),
                }
            }
        }
    };
}

pub(crate) use {choice, object};
