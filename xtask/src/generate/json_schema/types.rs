//! The types that serde writes as JSON, as they stand in Rust.

use std::collections::BTreeMap;
use std::path::Path;

use syn::{Expr, Item, ItemConst, ItemEnum, ItemStruct, Lit};

use super::attributes::{self, doc, is_written, snake_case};

/// A type of JSON.
pub struct Described {
    /// The Rust name, or that of `#[serde(rename)]`.
    pub title: String,
    pub doc: String,
    pub form: Form,
}

pub enum Form {
    Fields(Vec<Field>),
    /// An enum without values: words, and the one of `#[default]`.
    Words {
        words: Vec<(String, String)>,
        default: Option<String>,
    },
    /// `#[serde(untagged)]`: one of these.
    Either(Vec<syn::Type>),
    /// Its `Serialize` is written by hand.
    Own,
}

pub struct Field {
    pub name: String,
    pub doc: String,
    pub kind: syn::Type,
    /// When it is left out.
    pub skip_if: Option<String>,
}

/// Types by their Rust names, and constants.
#[derive(Default)]
pub struct Types {
    types: BTreeMap<String, Described>,
    constants: BTreeMap<String, u32>,
}

impl Types {
    pub fn read(root: &Path, paths: &[&str]) -> Result<Self, String> {
        let mut all = Self::default();
        for path in paths {
            let text =
                std::fs::read_to_string(root.join(path)).map_err(|e| format!("{path}: {e}"))?;
            all.add(&text).map_err(|problem| format!("{path}: {problem}"))?;
        }
        Ok(all)
    }

    #[cfg(test)]
    pub fn parse(path: &str, text: &str) -> Result<Self, String> {
        let mut all = Self::default();
        all.add(text).map_err(|problem| format!("{path}: {problem}"))?;
        Ok(all)
    }

    fn add(&mut self, text: &str) -> Result<(), String> {
        for item in syn::parse_file(text).map_err(|e| e.to_string())?.items {
            let (name, described) = match item {
                Item::Struct(of) if is_written(&of.attrs) => {
                    (of.ident.to_string(), of_struct(&of)?)
                }
                Item::Enum(of) => (of.ident.to_string(), of_enum(&of)?),
                Item::Const(of) => {
                    self.constants.extend(of_const(&of));
                    continue;
                }
                _ => continue,
            };
            self.types.insert(name, described);
        }
        Ok(())
    }

    pub fn get(&self, name: &str) -> Option<&Described> {
        self.types.get(name)
    }

    /// Doc and fields of a struct.
    pub fn fields(&self, name: &str) -> Result<(&str, &[Field]), String> {
        match self.get(name) {
            Some(Described { doc, form: Form::Fields(fields), .. }) => Ok((doc, fields)),
            _ => Err(format!("no struct `{name}` with `Serialize` in its files")),
        }
    }

    pub fn constant(&self, name: &str) -> Result<u32, String> {
        self.constants.get(name).copied().ok_or_else(|| format!("no constant `{name}: u32`"))
    }
}

fn of_struct(item: &ItemStruct) -> Result<Described, String> {
    let name = item.ident.to_string();
    let attributes = attributes::read(&name, &item.attrs)?;
    let mut fields = Vec::new();
    for field in &item.fields {
        let Some(ident) = &field.ident else {
            return Err(format!("{name}: has fields without names, which JSON cannot describe"));
        };
        let place = format!("{name}.{ident}");
        let of = attributes::read(&place, &field.attrs)?;
        if of.is_skipped {
            continue;
        }
        fields.push(Field {
            name: of.rename.unwrap_or_else(|| ident.to_string()),
            doc: doc(&place, &field.attrs)?,
            kind: field.ty.clone(),
            skip_if: of.skip_if,
        });
    }
    let doc = doc(&name, &item.attrs)?;
    Ok(Described { title: attributes.rename.unwrap_or(name), doc, form: Form::Fields(fields) })
}

fn of_enum(item: &ItemEnum) -> Result<Described, String> {
    let name = item.ident.to_string();
    let attributes = attributes::read(&name, &item.attrs)?;
    let has_values = item.variants.iter().any(|variant| !variant.fields.is_empty());
    let form = if !is_written(&item.attrs) {
        Form::Own
    } else if attributes.is_untagged {
        let values = item.variants.iter().flat_map(|variant| &variant.fields);
        Form::Either(values.map(|value| value.ty.clone()).collect())
    } else if has_values {
        return Err(format!("{name}: an enum with values needs `#[serde(untagged)]`"));
    } else {
        let (mut words, mut default) = (Vec::new(), None);
        for variant in &item.variants {
            let place = format!("{name}::{}", variant.ident);
            let of = attributes::read(&place, &variant.attrs)?;
            let word = of.rename.unwrap_or_else(|| match attributes.is_snake_case {
                true => snake_case(&variant.ident.to_string()),
                false => variant.ident.to_string(),
            });
            if variant.attrs.iter().any(|one| one.path().is_ident("default")) {
                default = Some(word.clone());
            }
            words.push((word, doc(&place, &variant.attrs)?));
        }
        Form::Words { words, default }
    };
    let doc = doc(&name, &item.attrs)?;
    Ok(Described { title: attributes.rename.unwrap_or(name), doc, form })
}

fn of_const(item: &ItemConst) -> Option<(String, u32)> {
    let Expr::Lit(value) = &*item.expr else { return None };
    let Lit::Int(number) = &value.lit else { return None };
    Some((item.ident.to_string(), number.base10_parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(text: &str) -> String {
        Types::parse("a.rs", text).err().unwrap()
    }

    #[test]
    fn the_first_paragraph_of_a_doc_describes() {
        let text = "/// A list,\n/// with an end.\n///\n/// In [`Rust`] a vector.\n\
                    #[derive(Serialize)] struct List {}";
        let types = Types::parse("a.rs", text).unwrap();
        assert_eq!(types.fields("List").unwrap().0, "A list, with an end.");
    }

    #[test]
    fn names_are_those_that_serde_writes() {
        let text = "#[derive(Debug, Serialize)] #[serde(rename = \"Column\")] struct MetricColumn {\
                    #[serde(rename = \"type\")] kind: String, #[serde(skip)] of_us: bool }\
                    #[derive(Serialize)] #[serde(rename_all = \"snake_case\")]\
                    enum Kind { AtSpeed, #[default] Other }";
        let types = Types::parse("a.rs", text).unwrap();
        assert_eq!(types.get("MetricColumn").unwrap().title, "Column");
        let (_, fields) = types.fields("MetricColumn").unwrap();
        assert_eq!(fields.iter().map(|field| &field.name).collect::<Vec<_>>(), ["type"]);
        let Form::Words { words, default } = &types.get("Kind").unwrap().form else { panic!() };
        assert_eq!(words.iter().map(|(word, _)| word).collect::<Vec<_>>(), ["at_speed", "other"]);
        assert_eq!(default.as_deref(), Some("other"));
    }

    #[test]
    fn what_is_not_understood_is_an_error_with_its_place() {
        let text = "#[derive(Serialize)] struct A { #[serde(flatten)] b: B }";
        let way_out = "do without, or teach it to json_schema/attributes.rs";
        let expected =
            format!("a.rs: A.b: `#[serde(flatten)]` is not known to `xtask generate`: {way_out}");
        assert_eq!(problem(text), expected);
        let linked = problem("#[derive(Serialize)] struct A {\n/// As [`B`].\nb: u32 }");
        assert!(linked.starts_with("a.rs: A.b: its doc links to Rust"), "{linked}");
    }
}
