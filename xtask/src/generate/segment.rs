//! What follows from `schema/segment.toml`: the layout of a segment, for the recorder in C
//! and for its readers and writers in Rust.

use super::rust::camel;
use diya_model::SizeBin;
use serde::Deserialize;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The layout.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Format {
    constants: Vec<Constants>,
    enums: Vec<Enum>,
    structs: Vec<Struct>,
}

/// Numbers that belong together.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Constants {
    doc: String,
    #[serde(rename = "type", default)]
    kind: String,
    values: Vec<Constant>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Constant {
    name: String,
    #[serde(default)]
    value: u64,
    /// Instead of a number.
    text: Option<String>,
    doc: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Enum {
    name: String,
    doc: String,
    /// Of the constants in Rust.
    #[serde(rename = "type")]
    kind: String,
    values: Vec<Constant>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Struct {
    name: String,
    doc: String,
    bytes: usize,
    fields: Vec<Field>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Field {
    name: String,
    /// A number, `char`, or another structure.
    #[serde(rename = "type")]
    kind: String,
    count: Option<Count>,
    /// Where it must lie.
    at: Option<usize>,
    doc: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Count {
    Number(usize),
    Named(String),
}

/// Bytes and alignment of a type.
#[derive(Debug, Clone, Copy)]
struct Size {
    bytes: usize,
    alignment: usize,
}

/// Reads the layout.
pub fn load(path: &Path) -> Result<Format, String> {
    let at = |e: &dyn std::fmt::Display| format!("{}: {e}", path.display());
    let text = std::fs::read_to_string(path).map_err(|e| at(&e))?;
    toml::from_str(&text).map_err(|e| at(&e))
}

/// The C header and the Rust types.
pub fn files(format: &Format) -> Result<Vec<(PathBuf, String)>, String> {
    let offsets = format.offsets().map_err(|e| format!("schema/segment.toml: {e}"))?;
    Ok(vec![
        ("capture/include/generated/diya_segment.h".into(), c_header(format, &offsets)),
        ("crates/diya-model/src/generated/segment.rs".into(), rust_types(format, &offsets)),
    ])
}

impl Format {
    fn count(&self, field: &Field) -> Result<usize, String> {
        match &field.count {
            None => Ok(1),
            Some(Count::Number(count)) => Ok(*count),
            Some(Count::Named(name)) if name == "SIZE_BINS" => Ok(SizeBin::COUNT),
            Some(Count::Named(name)) => {
                let mut all = self.constants.iter().flat_map(|group| &group.values);
                let found = all.find(|constant| constant.name == *name);
                found.map(|c| c.value as usize).ok_or_else(|| format!("no constant {name}"))
            }
        }
    }

    /// Offset of every field of every structure, after the rules of C. Padding has to be
    /// written down, so that Rust may read the fields one after the other.
    fn offsets(&self) -> Result<HashMap<(&str, &str), usize>, String> {
        let number = |bytes| Size { bytes, alignment: bytes };
        let mut sizes: HashMap<&str, Size> = [("char", 1), ("u8", 1), ("u32", 4), ("i32", 4)]
            .into_iter()
            .chain([("u64", 8), ("i64", 8)])
            .map(|(name, bytes)| (name, number(bytes)))
            .collect();
        let mut offsets = HashMap::new();
        for structure in &self.structs {
            let (mut at, mut alignment) = (0, 1);
            for field in &structure.fields {
                let place = format!("{}.{}", structure.name, field.name);
                let size = *sizes
                    .get(field.kind.as_str())
                    .ok_or_else(|| format!("{place}: no type {} above it", field.kind))?;
                if at % size.alignment != 0 {
                    return Err(format!("{place}: at {at}, C would pad before it"));
                }
                if field.at.is_some_and(|wanted| wanted != at) {
                    return Err(format!("{place}: it lies at {at}, not at {:?}", field.at));
                }
                offsets.insert((structure.name.as_str(), field.name.as_str()), at);
                at += size.bytes * self.count(field).map_err(|e| format!("{place}: {e}"))?;
                alignment = alignment.max(size.alignment);
            }
            if at != structure.bytes || at % alignment != 0 {
                return Err(format!("{}: its fields take {at} bytes", structure.name));
            }
            sizes.insert(&structure.name, Size { bytes: at, alignment });
        }
        Ok(offsets)
    }
}

type Offsets<'a> = HashMap<(&'a str, &'a str), usize>;

fn c_comment(out: &mut String, doc: &str) {
    let _ = writeln!(out, "\n/* {} */", doc.replace('\n', "\n * "));
}

fn c_constant(constant: &Constant, text: &str) -> String {
    let doc = constant.doc.as_ref().map(|doc| format!(" /* {doc} */")).unwrap_or_default();
    format!("{text}{doc}\n")
}

fn c_header(format: &Format, offsets: &Offsets<'_>) -> String {
    let mut out = String::from(
        "/* Constants and structures of a segment; diya_trace.h says how they follow each other.\n \
         * Generated by `cargo xtask generate` from schema/segment.toml. Do not edit. */\n\
         #ifndef DIYA_SEGMENT_LAYOUT_H\n#define DIYA_SEGMENT_LAYOUT_H\n\n#include <stddef.h>\n#include <stdint.h>\n",
    );
    for group in &format.constants {
        c_comment(&mut out, &group.doc);
        for constant in &group.values {
            let value = match (&constant.text, group.kind.as_str()) {
                (Some(text), _) => format!("\"{text}\""),
                (None, "u8") => format!("0x{:02x}u", constant.value),
                (None, _) if constant.value > 0xffff => format!("0x{:x}u", constant.value),
                (None, _) => format!("{}u", constant.value),
            };
            let text = format!("#define DIYA_{} {value}", constant.name);
            out.push_str(&c_constant(constant, &text));
        }
    }
    c_comment(&mut out, "Darshan's size bins: the largest request of each but the last.");
    let largest: Vec<String> =
        SizeBin::ALL.iter().filter_map(|bin| bin.largest_bytes).map(|n| n.to_string()).collect();
    let _ = writeln!(
        out,
        "#define DIYA_SIZE_BINS {}u\n#define DIYA_SIZE_BIN_LARGEST {{{}}}",
        SizeBin::COUNT,
        largest.join(", ")
    );
    for group in &format.enums {
        c_comment(&mut out, &group.doc);
        let _ = writeln!(out, "enum diya_{} {{", group.name);
        for constant in &group.values {
            let text = format!("    DIYA_{} = {},", constant.name, constant.value);
            out.push_str(&c_constant(constant, &text));
        }
        out.push_str("};\n");
    }
    for structure in &format.structs {
        c_comment(&mut out, &structure.doc);
        let name = format!("struct diya_{}", structure.name);
        let _ = writeln!(out, "{name} {{");
        for field in &structure.fields {
            let _ = write!(out, "    {} {}{};", c_type(&field.kind), field.name, c_count(field));
            let doc = field.doc.as_ref().map(|doc| format!(" /* {doc} */")).unwrap_or_default();
            let _ = writeln!(out, "{doc}");
        }
        let _ = writeln!(out, "}};\n_Static_assert(sizeof({name}) == {}, \"\");", structure.bytes);
        for field in &structure.fields {
            let at = offsets[&(structure.name.as_str(), field.name.as_str())];
            let _ =
                writeln!(out, "_Static_assert(offsetof({name}, {}) == {at}, \"\");", field.name);
        }
    }
    out.push_str("\n#endif\n");
    out
}

fn c_type(kind: &str) -> String {
    match kind {
        "char" => "char".into(),
        "u8" => "uint8_t".into(),
        "u32" => "uint32_t".into(),
        "i32" => "int32_t".into(),
        "u64" => "uint64_t".into(),
        "i64" => "int64_t".into(),
        structure => format!("struct diya_{structure}"),
    }
}

fn c_count(field: &Field) -> String {
    match &field.count {
        None => String::new(),
        Some(Count::Number(count)) => format!("[{count}]"),
        Some(Count::Named(name)) => format!("[DIYA_{name}]"),
    }
}

fn rust_doc(out: &mut String, indent: &str, doc: &str) {
    for line in doc.lines() {
        let _ = writeln!(out, "{indent}/// {line}");
    }
}

fn rust_types(format: &Format, offsets: &Offsets<'_>) -> String {
    let mut out = String::from(
        "//! Layout of a segment.\n\
         // Generated by `cargo xtask generate` from schema/segment.toml. Do not edit.\n\n\
         use crate::SizeBin;\nuse crate::layout::{Layout, Text, layout};\n",
    );
    for group in &format.constants {
        let _ = writeln!(out, "\n// {}\n", group.doc.replace('\n', "\n// "));
        for constant in &group.values {
            match &constant.text {
                Some(text) => {
                    let bytes = text.len();
                    let _ =
                        writeln!(out, "pub const {}: &[u8; {bytes}] = b\"{text}\";", constant.name);
                }
                None => rust_constant(&mut out, constant, &group.kind),
            }
        }
    }
    for group in &format.enums {
        let _ = writeln!(out, "\n// {}\n", group.doc.replace('\n', "\n// "));
        for constant in &group.values {
            rust_constant(&mut out, constant, &group.kind);
        }
    }
    for structure in &format.structs {
        let name = camel(&structure.name);
        out.push_str("\nlayout! {\n");
        rust_doc(&mut out, "    ", &structure.doc);
        let _ = writeln!(out, "    {name} {{");
        for field in &structure.fields {
            if let Some(doc) = &field.doc {
                rust_doc(&mut out, "        ", doc);
            }
            let _ = writeln!(out, "        {}: {},", field.name, rust_type(field));
        }
        let _ = writeln!(
            out,
            "    }}\n}}\nconst _: () = assert!({name}::BYTES == {});",
            structure.bytes
        );
        let _ = writeln!(out, "\n/// Offsets of the fields.\nimpl {name} {{");
        for field in &structure.fields {
            let at = offsets[&(structure.name.as_str(), field.name.as_str())];
            let _ = writeln!(out, "    pub const {}_AT: usize = {at};", field.name.to_uppercase());
        }
        out.push_str("}\n");
    }
    out
}

fn rust_constant(out: &mut String, constant: &Constant, kind: &str) {
    if let Some(doc) = &constant.doc {
        rust_doc(out, "", doc);
    }
    let value = match kind {
        "u8" => format!("0x{:02x}", constant.value),
        _ if constant.value > 0xffff => {
            format!("0x{:04x}_{:04x}", constant.value >> 16, constant.value & 0xffff)
        }
        _ => constant.value.to_string(),
    };
    let _ = writeln!(out, "pub const {}: {kind} = {value};", constant.name);
}

fn rust_type(field: &Field) -> String {
    let count = match &field.count {
        None => None,
        Some(Count::Number(count)) => Some(count.to_string()),
        Some(Count::Named(name)) if name == "SIZE_BINS" => Some("SizeBin::COUNT".into()),
        Some(Count::Named(name)) => Some(format!("{name} as usize")),
    };
    let kind = match field.kind.as_str() {
        "char" => return format!("Text<{}>", count.unwrap_or_else(|| "1".into())),
        "u8" | "u32" | "i32" | "u64" | "i64" => field.kind.clone(),
        structure => camel(structure),
    };
    match count {
        None => kind,
        Some(count) => format!("[{kind}; {count}]"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offsets(fields: &str, bytes: usize) -> Result<usize, String> {
        let text = format!(
            "constants = []\nenums = []\n[[structs]]\nname = \"a\"\ndoc = \"\"\nbytes = {bytes}\nfields = [{fields}]"
        );
        let format: Format = toml::from_str(&text).map_err(|e| e.to_string())?;
        format.offsets().map(|offsets| offsets[&("a", "y")])
    }

    #[test]
    fn fields_follow_each_other_without_padding() {
        let pair = "{ name = \"x\", type = \"u32\", count = 2 }, { name = \"y\", type = \"u64\" }";
        assert_eq!(offsets(pair, 16), Ok(8));
        assert!(offsets(pair, 24).unwrap_err().contains("16 bytes"));
        let padded = "{ name = \"x\", type = \"u32\" }, { name = \"y\", type = \"u64\" }";
        assert!(offsets(padded, 16).unwrap_err().contains("pad"));
    }

    #[test]
    fn a_field_that_moved_is_an_error() {
        let moved = "{ name = \"x\", type = \"u32\" }, { name = \"y\", type = \"u32\", at = 8 }";
        assert!(offsets(moved, 8).unwrap_err().contains("lies at 4"));
    }
}
