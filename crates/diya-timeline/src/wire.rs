//! Answers as bytes: a JSON head, and columns behind it. The format is that of
//! `web/README.md`; a worker and a server send the same bytes.

use crate::{Column, ToJson};
use serde_json::{Value, json};

/// First bytes of every answer.
const MAGIC: &[u8; 4] = b"DYA1";

/// An answer under construction; columns are written before the head that
/// names them.
#[derive(Debug, Default, Clone)]
pub struct Answer {
    head: Vec<u8>,
    columns: Vec<u8>,
}

macro_rules! column {
    ($name:ident, $type:ty, $text:literal) => {
        /// Appends a column; gives what stands for it in the head.
        pub fn $name(&mut self, values: &[$type]) -> Column<$type> {
            const WIDTH: usize = size_of::<$type>();
            let at = self.columns.len();
            // Each column begins at a multiple of 8.
            let bytes = (values.len() * WIDTH).next_multiple_of(8);
            self.columns.resize(at + bytes, 0);
            let room = self.columns[at..].chunks_exact_mut(WIDTH);
            room.zip(values).for_each(|(room, value)| room.copy_from_slice(&value.to_le_bytes()));
            Column::named(json!({ "$column": [$text, at, values.len()] }))
        }
    };
}

impl Answer {
    column!(u8, u8, "u8");
    column!(i32, i32, "i32");
    column!(u32, u32, "u32");
    column!(f32, f32, "f32");
    column!(f64, f64, "f64");

    /// The answer with one of the types that `diya-questions` declares.
    #[must_use]
    pub fn with(self, head: impl ToJson) -> Self {
        self.with_head(&head.to_json())
    }

    /// The answer with this head.
    #[must_use]
    pub fn with_head(mut self, head: &Value) -> Self {
        self.head.extend_from_slice(MAGIC);
        let json = head.to_string();
        self.head.extend_from_slice(&u32::try_from(json.len()).unwrap_or(0).to_le_bytes());
        self.head.extend_from_slice(json.as_bytes());
        self.head.resize(self.head.len().next_multiple_of(8), 0);
        self
    }

    /// An answer that cannot be given, in words for the user.
    pub fn error(text: &str) -> Self {
        Self::default().with_head(&json!({ "error": text }))
    }

    /// The answer with another head: who holds more than calls adds to it.
    #[must_use]
    pub fn amended(self, amend: impl FnOnce(&mut Value)) -> Self {
        let json = self.head.get(8..).unwrap_or_default();
        let end = json.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
        let mut head = serde_json::from_slice(&json[..end]).unwrap_or(Value::Null);
        amend(&mut head);
        Self { head: Vec::new(), columns: self.columns }.with_head(&head)
    }

    /// Its two parts, one behind the other on the wire.
    pub fn parts(&self) -> [&[u8]; 2] {
        [&self.head, &self.columns]
    }

    /// Its two parts, without a copy.
    pub fn into_parts(self) -> [Vec<u8>; 2] {
        [self.head, self.columns]
    }

    /// An answer with room for so many bytes of columns: growing would copy them.
    pub fn with_room(bytes: usize) -> Self {
        Self { head: Vec::new(), columns: Vec::with_capacity(bytes) }
    }

    /// Length on the wire.
    pub fn len(&self) -> usize {
        self.head.len() + self.columns.len()
    }

    /// Nothing in it, not even a head.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The whole answer.
    pub fn bytes(&self) -> Vec<u8> {
        self.parts().concat()
    }
}
