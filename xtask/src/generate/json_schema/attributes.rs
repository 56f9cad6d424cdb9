//! The doc comment and the serde attributes of a type, a field or a variant.

use syn::{Attribute, Expr, Lit, LitStr, Meta, Token};

/// The serde attributes of a type, a field or a variant.
#[derive(Default)]
pub struct Attributes {
    pub rename: Option<String>,
    pub skip_if: Option<String>,
    pub is_snake_case: bool,
    pub is_skipped: bool,
    pub is_untagged: bool,
}

pub fn read(place: &str, attributes: &[Attribute]) -> Result<Attributes, String> {
    let mut of = Attributes::default();
    for attribute in attributes.iter().filter(|one| one.path().is_ident("serde")) {
        let read = attribute.parse_nested_meta(|meta| {
            let name = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
            let has_text = meta.input.peek(Token![=]);
            let text = has_text.then(|| meta.value()?.parse::<LitStr>()).transpose()?;
            let text = text.map(|text| text.value());
            match (name.as_str(), text) {
                ("rename", text) => of.rename = text,
                ("skip_serializing_if", text) => of.skip_if = text,
                ("rename_all", Some(case)) if case == "snake_case" => of.is_snake_case = true,
                ("skip", _) => of.is_skipped = true,
                ("untagged", _) => of.is_untagged = true,
                ("default", _) => {} // of reading: a schema is about what is written
                _ => {
                    let way_out = "do without, or teach it to json_schema/attributes.rs";
                    let what = format!("`#[serde({name})]` is not known to `xtask generate`");
                    return Err(meta.error(format!("{what}: {way_out}")));
                }
            }
            Ok(())
        });
        read.map_err(|e| format!("{place}: {e}"))?;
    }
    Ok(of)
}

/// Whether it has `#[derive(Serialize)]`.
pub fn is_written(attributes: &[Attribute]) -> bool {
    let mut is_written = false;
    for derive in attributes.iter().filter(|one| one.path().is_ident("derive")) {
        // What is no list of paths, the compiler refuses.
        let _ = derive.parse_nested_meta(|meta| {
            is_written |= meta.path.segments.last().is_some_and(|name| name.ident == "Serialize");
            Ok(())
        });
    }
    is_written
}

/// The first paragraph, in one line.
pub fn doc(place: &str, attributes: &[Attribute]) -> Result<String, String> {
    let line = |attribute: &Attribute| {
        let Meta::NameValue(meta) = &attribute.meta else { return None };
        let Expr::Lit(value) = &meta.value else { return None };
        let Lit::Str(text) = &value.lit else { return None };
        meta.path.is_ident("doc").then(|| text.value().trim().to_owned())
    };
    let lines: Vec<String> =
        attributes.iter().filter_map(line).take_while(|line| !line.is_empty()).collect();
    let text = lines.join(" ");
    if text.contains("[`") {
        let way_out = "write what the JSON calls it, or begin a new paragraph before it";
        return Err(format!(
            "{place}: its doc links to Rust, which readers of JSON do not have: {way_out}"
        ));
    }
    Ok(text)
}

pub fn snake_case(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !out.is_empty() {
            out.push('_');
        }
        out.extend(c.to_lowercase());
    }
    out
}
