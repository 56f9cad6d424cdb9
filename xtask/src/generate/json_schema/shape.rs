//! The schema of a type: of its fields, its words, and of the types that it holds.

use std::collections::BTreeMap;

use syn::{GenericArgument, PathArguments, Type};

use super::description::{default, description};
use super::documents::{CHOICES, OWN};
use super::node::{Fields, Node};
use super::types::{Described, Field, Form, Types};

/// The types that are met, each described once: the `$defs` of a schema.
pub struct Definitions<'t> {
    types: &'t Types,
    met: BTreeMap<String, Fields>,
}

impl<'t> Definitions<'t> {
    pub fn new(types: &'t Types) -> Self {
        Self { types, met: BTreeMap::new() }
    }

    pub fn into_fields(self) -> Fields {
        let mut all = Fields::default();
        for (title, fields) in self.met {
            all.push(&title, Node::Object(fields));
        }
        all
    }

    /// `properties` and `required` of a struct.
    pub fn object(&mut self, name: &str, fields: &[Field]) -> Result<Fields, String> {
        let (mut properties, mut required) = (Fields::default(), Vec::new());
        for field in fields {
            let property = self
                .property(name, field)
                .map_err(|what| format!("{name}.{}: {what}", field.name))?;
            properties.push(&field.name, Node::Object(property));
            if field.skip_if.is_none() {
                required.push(Node::from(field.name.as_str()));
            }
        }
        let properties = Node::Object(properties);
        Ok(Fields::of([("properties", properties), ("required", Node::List(required))]))
    }

    fn property(&mut self, owner: &str, field: &Field) -> Result<Fields, String> {
        let optional = inner(&field.kind, "Option");
        let kind = optional.unwrap_or(&field.kind);
        let is_never_null = field.skip_if.as_deref() == Some("Option::is_none");
        let mut node = self.of(kind)?;
        let place = format!("{owner}.{}", field.name);
        if let Some(of) = CHOICES.iter().find(|choice| choice.field == place) {
            let words = of.words.iter().map(|word| Node::from(*word)).collect();
            node = Fields::of([("enum", Node::List(words))]);
            if let Some(default) = of.default {
                let default = serde_json::from_str(default).map_err(|e| e.to_string())?;
                node.push("default", Node::Plain(default));
            }
        }
        if optional.is_some() && !is_never_null {
            node = or_null(node);
        }
        let choice = self.described(kind).map(|described| &described.form);
        if let Some(default) = default(field, optional.is_some(), choice) {
            node.push_second("default", default);
        }
        node.push_second("description", Node::from(description(field, choice)?));
        Ok(node)
    }

    fn described(&self, kind: &Type) -> Option<&'t Described> {
        self.types.get(&name(kind)?)
    }

    /// The schema of a type, without a description.
    fn of(&mut self, kind: &Type) -> Result<Fields, String> {
        if let Some(item) = inner(kind, "Vec") {
            let items = Node::Object(self.of(item)?);
            return Ok(Fields::of([("type", Node::from("array")), ("items", items)]));
        }
        if let Some(value) = inner(kind, "BTreeMap") {
            let values = Node::Object(self.of(value)?);
            return Ok(Fields::of([
                ("type", Node::from("object")),
                ("additionalProperties", values),
            ]));
        }
        if let Type::Tuple(parts) = kind {
            let length = Node::from(parts.elems.len());
            let mut of_parts = Vec::new();
            for part in &parts.elems {
                of_parts.push(self.of(part)?);
            }
            of_parts.dedup();
            let [items] = &of_parts[..] else {
                return Err("a tuple of different types: make it a struct".to_owned());
            };
            let items = Node::Object(items.clone());
            return Ok(Fields::of([
                ("type", Node::from("array")),
                ("items", items),
                ("minItems", length.clone()),
                ("maxItems", length),
            ]));
        }
        let name = name(kind).ok_or("a type without a name: make it a struct")?;
        let simple = |word: &str| Fields::of([("type", Node::from(word))]);
        let at_least_0 =
            |word: &str| Fields::of([("type", Node::from(word)), ("minimum", 0.into())]);
        match name.as_str() {
            "String" => Ok(simple("string")),
            "bool" => Ok(simple("boolean")),
            "f64" => Ok(simple("number")),
            "Seconds" => Ok(at_least_0("number")),
            "i64" | "i32" => Ok(simple("integer")),
            "u64" | "u32" | "usize" => Ok(at_least_0("integer")),
            _ => self.of_named(&name),
        }
    }

    fn of_named(&mut self, name: &str) -> Result<Fields, String> {
        let described = self.types.get(name).ok_or_else(|| {
            format!("`{name}` is not in the files of this schema: name its file in documents.rs")
        })?;
        if described.doc.is_empty() {
            return Err(format!("`{name}` has no doc: readers of the JSON need one"));
        }
        let definition = match &described.form {
            Form::Words { words, .. } => {
                let words = words.iter().map(|(word, _)| Node::from(word.as_str()));
                return Ok(Fields::of([("enum", Node::List(words.collect()))]));
            }
            Form::Either(kinds) => {
                let mut names = Vec::new();
                for kind in kinds {
                    let part = self.of(kind)?.get_mut("type").cloned();
                    names.push(part.ok_or_else(|| format!("`{name}`: only plain values"))?);
                }
                return Ok(Fields::of([("type", Node::List(names))]));
            }
            Form::Own => {
                let own = OWN.iter().find(|(of, _)| *of == name);
                let (_, kinds) = own.ok_or_else(|| {
                    format!("`{name}` writes itself: add it to OWN in documents.rs")
                })?;
                let kinds = kinds.iter().map(|kind| Node::from(*kind)).collect();
                let doc = Node::from(described.doc.as_str());
                Fields::of([("type", Node::List(kinds)), ("description", doc)])
            }
            Form::Fields(_) if self.met.contains_key(&described.title) => Fields::default(),
            Form::Fields(fields) => {
                self.met.insert(described.title.clone(), Fields::default()); // it may hold itself
                let mut definition = Fields::of([
                    ("title", Node::from(described.title.as_str())),
                    ("type", Node::from("object")),
                    ("description", Node::from(described.doc.as_str())),
                ]);
                definition.extend(self.object(name, fields)?);
                definition
            }
        };
        if definition != Fields::default() {
            self.met.insert(described.title.clone(), definition);
        }
        Ok(Fields::of([("$ref", Node::from(format!("#/$defs/{}", described.title)))]))
    }
}

/// The last part of the path of a type.
fn name(kind: &Type) -> Option<String> {
    let Type::Path(path) = kind else { return None };
    path.path.segments.last().map(|part| part.ident.to_string())
}

/// The last argument of a generic type of this name.
fn inner<'k>(kind: &'k Type, outer: &str) -> Option<&'k Type> {
    let Type::Path(path) = kind else { return None };
    let part = path.path.segments.last().filter(|part| part.ident == outer)?;
    let PathArguments::AngleBracketed(arguments) = &part.arguments else { return None };
    match arguments.args.last()? {
        GenericArgument::Type(inner) => Some(inner),
        _ => None,
    }
}

fn or_null(mut node: Fields) -> Fields {
    let null = || Node::from("null");
    if let Some(Node::List(words)) = node.get_mut("enum") {
        words.push(Node::Plain(serde_json::Value::Null));
        return node;
    }
    match node.get_mut("type") {
        Some(kind @ Node::Plain(_)) if *kind != Node::from("array") => {
            *kind = Node::List(vec![kind.clone(), null()]);
            node
        }
        _ => {
            let nothing = Node::Object(Fields::of([("type", null())]));
            Fields::of([("anyOf", Node::List(vec![nothing, Node::Object(node)]))])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    /// Properties and definitions of struct `A`.
    fn of(text: &str) -> Result<(Value, Value), String> {
        let types = Types::parse("a.rs", text)?;
        let mut definitions = Definitions::new(&types);
        let object = definitions.object("A", types.fields("A")?.1)?;
        let json = |fields| serde_json::to_value(Node::Object(fields)).unwrap();
        Ok((json(object), json(definitions.into_fields())))
    }

    #[test]
    fn nothing_is_null_where_it_is_written_and_missing_where_it_is_left_out() {
        let text = r#"#[derive(Serialize)] struct A {
            /// Id; `None`: not recorded.
            id: Option<i64>,
            /// Name; `None`: not known.
            #[serde(skip_serializing_if = "Option::is_none")]
            name: Option<String>,
        }"#;
        let (object, _) = of(text).unwrap();
        let expected = json!({
            "properties": {
                "id": {"type": ["integer", "null"], "description": "Id; null: not recorded."},
                "name": {"type": "string", "description": "Name; missing: not known."},
            },
            "required": ["id"],
        });
        assert_eq!(object, expected);
    }

    #[test]
    fn a_struct_is_defined_once_and_may_be_null() {
        let text = "#[derive(Serialize)] struct A {
            /// One.
            one: Option<B>,
            /// More.
            more: Vec<B>,
        }
        /// A part.
        #[derive(Serialize)] #[serde(rename = \"Part\")] struct B {
            /// Start and end.
            range: (f64, f64),
        }";
        let (object, definitions) = of(text).unwrap();
        let reference = json!({"$ref": "#/$defs/Part"});
        assert_eq!(object["properties"]["one"]["anyOf"], json!([{"type": "null"}, reference]));
        assert_eq!(object["properties"]["more"]["items"], reference);
        let range = &definitions["Part"]["properties"]["range"];
        assert_eq!((&range["minItems"], &range["items"]["type"]), (&json!(2), &json!("number")));
        assert_eq!(definitions["Part"]["title"], "Part");
    }

    #[test]
    fn a_choice_says_what_its_words_mean() {
        let text = "#[derive(Serialize)] struct A {
            /// How it went.
            kind: Kind,
        }
        /// A way.
        #[derive(Serialize)] #[serde(rename_all = \"snake_case\")] enum Kind {
            /// I/O is fast.
            Fast,
            /// It is not known.
            #[default]
            Unknown,
        }";
        let expected = json!({
            "enum": ["fast", "unknown"],
            "default": "unknown",
            "description": "How it went. fast: I/O is fast; unknown: it is not known.",
        });
        assert_eq!(of(text).unwrap().0["properties"]["kind"], expected);
    }

    #[test]
    fn a_field_without_a_doc_and_an_unknown_type_are_refused() {
        let problem = |field: &str| {
            of(&format!("#[derive(Serialize)] struct A {{ {field} }}")).err().unwrap()
        };
        assert_eq!(problem("a: i64"), "A.a: it has no doc: readers of the JSON need one");
        assert!(problem("/** One. */ a: Other").starts_with("A.a: `Other` is not in the files"));
    }
}
