//! JSON whose fields stay in their order: a schema is read from top to bottom.

use serde::{Serialize, Serializer};
use serde_json::Value;

/// A value of JSON.
#[derive(Debug, Clone, PartialEq)]
pub enum Node {
    Plain(Value),
    List(Vec<Node>),
    Object(Fields),
}

/// The fields of an object.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Fields(Vec<(String, Node)>);

impl Fields {
    pub fn of<const N: usize>(fields: [(&str, Node); N]) -> Self {
        Self(fields.into_iter().map(|(name, node)| (name.to_owned(), node)).collect())
    }

    pub fn push(&mut self, name: &str, node: Node) {
        self.0.push((name.to_owned(), node));
    }

    /// Puts a field behind the first one.
    pub fn push_second(&mut self, name: &str, node: Node) {
        self.0.insert(self.0.len().min(1), (name.to_owned(), node));
    }

    pub fn extend(&mut self, more: Self) {
        self.0.extend(more.0);
    }

    pub fn get_mut(&mut self, name: &str) -> Option<&mut Node> {
        self.0.iter_mut().find(|(of, _)| of == name).map(|(_, node)| node)
    }

    pub fn without(&self, names: &[&str]) -> Self {
        Self(self.0.iter().filter(|(name, _)| !names.contains(&name.as_str())).cloned().collect())
    }
}

impl<T: Into<Value>> From<T> for Node {
    fn from(value: T) -> Self {
        Self::Plain(value.into())
    }
}

impl Serialize for Node {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Plain(value) => value.serialize(to),
            Self::List(items) => items.serialize(to),
            Self::Object(fields) => {
                to.collect_map(fields.0.iter().map(|(name, node)| (name, node)))
            }
        }
    }
}
