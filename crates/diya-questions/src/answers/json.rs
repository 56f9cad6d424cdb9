//! From the types of answers to JSON, without serde's derived code, which makes the decoder in
//! each page larger (`crate::json`).

use serde_json::{Map, Value};
use std::marker::PhantomData;

/// What a field of an answer can be.
pub trait ToJson {
    /// Its JSON.
    fn to_json(self) -> Value;
}

/// A column behind the JSON: what names it there.
#[derive(Debug, Clone, PartialEq)]
pub struct Column<T>(Value, PhantomData<T>);

impl<T> Column<T> {
    /// The column that this part of the JSON names.
    pub fn named(name: Value) -> Self {
        Self(name, PhantomData)
    }
}

impl<T> ToJson for Column<T> {
    fn to_json(self) -> Value {
        self.0
    }
}

/// The planes of a tile by name.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Planes(Map<String, Value>);

impl Planes {
    /// Adds a plane.
    pub fn add(&mut self, name: &str, plane: Column<f32>) {
        self.0.insert(name.to_owned(), plane.to_json());
    }
}

impl ToJson for Planes {
    fn to_json(self) -> Value {
        Value::Object(self.0)
    }
}

macro_rules! plain {
    ($($type:ty),*) => {$(
        impl ToJson for $type {
            fn to_json(self) -> Value {
                Value::from(self)
            }
        }
    )*};
}

plain!(bool, i32, u32, u64, usize, i64, f64, String, &'static str, Value);

impl<T: ToJson> ToJson for Option<T> {
    fn to_json(self) -> Value {
        self.map_or(Value::Null, ToJson::to_json)
    }
}

impl<T: ToJson> ToJson for Vec<T> {
    fn to_json(self) -> Value {
        Value::Array(self.into_iter().map(ToJson::to_json).collect())
    }
}

impl<T: ToJson> ToJson for [T; 2] {
    fn to_json(self) -> Value {
        Value::Array(self.into_iter().map(ToJson::to_json).collect())
    }
}

/// The declaration of an answer for the page.
#[cfg(test)]
pub(super) trait TypeScript {
    fn typescript() -> String;
}

/// A struct of an answer. Behind `=>` stands the type of the field in the page.
macro_rules! answer {
    ($(#[doc = $doc:literal])* $name:ident {
        $($(#[doc = $field_doc:literal])* $field:ident: $of:ty => $type:literal,)*
    }) => {
        $(#[doc = $doc])*
        #[derive(Debug, Clone, PartialEq)]
        pub struct $name {
            $($(#[doc = $field_doc])* pub $field: $of,)*
        }

        impl $crate::answers::json::ToJson for $name {
            fn to_json(self) -> serde_json::Value {
                let mut fields = serde_json::Map::new();
                $(fields.insert(
                    stringify!($field).trim_start_matches("r#").to_owned(),
                    $crate::answers::json::ToJson::to_json(self.$field),
                );)*
                serde_json::Value::Object(fields)
            }
        }

        #[cfg(test)]
        impl $crate::answers::json::TypeScript for $name {
            fn typescript() -> String {
                let doc = concat!($($doc),*).trim();
                let mut text = format!("/** {doc} */\nexport interface {} {{\n", stringify!($name));
                $(
                    let doc = concat!($($field_doc),*).trim();
                    let field = stringify!($field).trim_start_matches("r#");
                    text += &format!("  /** {doc} */\n  readonly {field}: {};\n", $type);
                )*
                text + "}\n"
            }
        }
    };
}

pub(super) use answer;
