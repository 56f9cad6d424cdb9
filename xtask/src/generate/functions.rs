//! What follows from `schema/functions/*.toml`: the calls the recorder knows.
//!
//! One layer is one file there. From it come the numbers the C library writes,
//! the table the reader looks them up in, and the page that says of every I/O
//! symbol whether it is recorded.

use super::rust::camel;
use diya_model::{Layer, Op};
use serde::Deserialize;
use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// One layer.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LayerFile {
    /// Layer of the functions that name none.
    pub layer: String,
    /// What is recorded.
    pub functions: Vec<Function>,
    /// What is counted, but not recorded call by call.
    #[serde(default)]
    pub counted: Vec<Reasoned>,
    /// What is left out on purpose.
    #[serde(default)]
    pub not_recorded: Vec<Reasoned>,
    /// Name of the file.
    #[serde(skip)]
    pub stem: String,
}

/// One function of the field, and the symbols that stand for it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Function {
    /// Number in a segment; never given to another function.
    pub number: u16,
    /// Name in the C header; unique.
    pub key: String,
    /// Name shown to people.
    pub name: String,
    /// Operation it belongs to.
    pub op: String,
    /// Symbols that are hooked for it, separated by blanks.
    pub symbols: String,
    /// System calls that do the same, with their arguments: see [`super::system_calls`].
    #[serde(default)]
    pub syscalls: String,
    /// Layer, where it differs from the file's.
    pub layer: Option<String>,
    /// What the further number of the record means.
    pub aux: Option<String>,
    /// Made by all ranks together; none: the function alone does not say.
    pub collective: Option<bool>,
    /// Returns before the data have moved.
    #[serde(default)]
    pub nonblocking: bool,
    /// One half of a split collective call.
    #[serde(default)]
    pub split: bool,
    /// The end of an asynchronous request, found by another call: it takes no time of
    /// its own, and `aux` says how long the request was in flight.
    #[serde(default)]
    pub completion: bool,
}

/// Symbols with the reason why they are treated so.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reasoned {
    pub symbols: String,
    pub reason: String,
}

/// Reads and checks all layers.
pub fn load(folder: &Path) -> Result<Vec<LayerFile>, String> {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut layers = Vec::new();
    for path in entries.flatten().map(|e| e.path()) {
        if path.extension().is_none_or(|ext| ext != "toml") {
            continue;
        }
        let at = |e: &dyn std::fmt::Display| format!("{}: {e}", path.display());
        let text = std::fs::read_to_string(&path).map_err(|e| at(&e))?;
        let mut layer: LayerFile = toml::from_str(&text).map_err(|e| at(&e))?;
        layer.stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        layers.push(layer);
    }
    layers.sort_by_key(|l| l.functions.iter().map(|f| f.number).min());
    check(&layers).map_err(|e| format!("{}: {e}", folder.display()))?;
    Ok(layers)
}

fn check(layers: &[LayerFile]) -> Result<(), String> {
    let (mut numbers, mut keys) = (HashSet::new(), HashSet::new());
    for (layer, function) in all(layers) {
        let key = &function.key;
        if !Layer::RECORDED.iter().any(|known| known.name() == layer) {
            return Err(format!("{key}: no layer {layer}; there are {:?}", Layer::RECORDED));
        }
        if Op::from_name(&function.op).is_none() {
            return Err(format!("{key}: no operation {}; there are {:?}", function.op, Op::ALL));
        }
        if function.number == 0 || !numbers.insert(function.number) {
            return Err(format!("{key}: number {} is taken", function.number));
        }
        if function.completion && function.aux.is_none() {
            return Err(format!("{key}: a completion says in aux how long it was in flight"));
        }
        if !keys.insert(key) {
            return Err(format!("{key}: key twice"));
        }
    }
    Ok(())
}

pub(super) fn all(layers: &[LayerFile]) -> impl Iterator<Item = (&str, &Function)> {
    layers.iter().flat_map(|layer| {
        layer.functions.iter().map(|f| (f.layer.as_deref().unwrap_or(&layer.layer), f))
    })
}

fn layer_number(layer: &str) -> u8 {
    Layer::from_name(layer).map_or(0, Layer::number)
}

fn op_number(op: &str) -> u8 {
    Op::from_name(op).map_or(0, Op::number)
}

/// The C header, the Rust table, the tracer's numbers, the pages.
pub fn files(layers: &[LayerFile]) -> Vec<(PathBuf, String)> {
    let mut files = vec![
        (PathBuf::from("capture/include/generated/diya_functions.h"), header(layers)),
        (PathBuf::from("crates/diya-model/src/generated/functions.rs"), rust(layers)),
        (PathBuf::from("crates/diya-model/src/generated/number.rs"), numbers(layers)),
        (PathBuf::from("docs/generated/functions/README.md"), index(layers)),
    ];
    for layer in layers {
        let path = PathBuf::from(format!("docs/generated/functions/{}.md", layer.stem));
        files.push((path, page(layer)));
    }
    files
}

fn header(layers: &[LayerFile]) -> String {
    let mut out = String::from(
        "/* Numbers of layers, operations and functions in a segment.\n \
         * Generated by `cargo xtask generate` from schema/functions. Do not edit. */\n\
         #ifndef DIYA_FUNCTIONS_H\n#define DIYA_FUNCTIONS_H\n\n#include <stdint.h>\n\nenum diya_layer {\n",
    );
    for layer in Layer::RECORDED {
        let _ =
            writeln!(out, "    DIYA_LAYER_{} = {},", layer.name().to_uppercase(), layer.number());
    }
    out.push_str("};\n\nenum diya_op {\n");
    for op in Op::ALL {
        let _ = writeln!(out, "    DIYA_OP_{} = {},", op.name().to_uppercase(), op.number());
    }
    out.push_str("};\n\nenum diya_function {\n");
    for (_, f) in all(layers) {
        let _ = writeln!(out, "    DIYA_F_{} = {},", f.key.to_uppercase(), f.number);
    }
    let count = all(layers).map(|(_, f)| f.number).max().unwrap_or(0) + 1;
    let _ = writeln!(out, "}};\n\n#define DIYA_FUNCTIONS {count}\n");
    for table in ["op", "layer"] {
        let _ = writeln!(
            out,
            "/* The {table} of each function. */\n__attribute__((unused)) static const uint8_t \
             diya_function_{table}[DIYA_FUNCTIONS] = {{"
        );
        for (layer, f) in all(layers) {
            let number = if table == "op" { op_number(&f.op) } else { layer_number(layer) };
            let _ = writeln!(out, "    [{}] = {number},", f.number);
        }
        out.push_str("};\n\n");
    }
    out.push_str(
        "enum diya_traits { DIYA_IS_COLLECTIVE = 1, DIYA_IS_NONBLOCKING = 2, DIYA_IS_SPLIT = 4 };\n\n\
         /* What else is known of each function. */\n__attribute__((unused)) static const uint8_t \
         diya_function_traits[DIYA_FUNCTIONS] = {\n",
    );
    for (_, f) in all(layers) {
        let bits = u8::from(f.collective == Some(true))
            | u8::from(f.nonblocking) << 1
            | u8::from(f.split) << 2;
        if bits != 0 {
            let _ = writeln!(out, "    [{}] = {bits},", f.number);
        }
    }
    out.push_str("};\n\n#endif\n");
    out
}

fn rust(layers: &[LayerFile]) -> String {
    let mut out = String::from(
        "//! Functions of a segment, by number.\n\
         // Generated by `cargo xtask generate` from schema/functions. Do not edit.\n\n\
         use crate::{Function, Layer, Op};\n\n/// Every function, by number.\npub const FUNCTIONS: &[Function] = &[\n",
    );
    let mut sorted: Vec<_> = all(layers).collect();
    sorted.sort_by_key(|(_, f)| f.number);
    for (layer, f) in sorted {
        let (layer, op) = (camel(layer), camel(&f.op));
        let plain =
            format!("Function::plain({}, {:?}, Layer::{layer}, Op::{op})", f.number, f.name);
        let traits: String = [
            f.collective.map(|is| format!("is_collective: Some({is}), ")),
            f.nonblocking.then(|| "is_nonblocking: true, ".to_owned()),
            f.split.then(|| "is_split: true, ".to_owned()),
            f.completion.then(|| "is_completion: true, ".to_owned()),
        ]
        .into_iter()
        .flatten()
        .collect();
        let _ = if traits.is_empty() {
            writeln!(out, "    {plain},")
        } else {
            writeln!(out, "    Function {{ {traits}..{plain} }},")
        };
    }
    out.push_str("];\n");
    out
}

/// Of the calls of the POSIX layer, which the ptrace tracer records.
fn numbers(layers: &[LayerFile]) -> String {
    let mut out = String::from(
        "//! Numbers of the POSIX functions in a segment, by name.\n\
         // Generated by `cargo xtask generate` from schema/functions. Do not edit.\n\n",
    );
    let is_posix = |layer: &str| layer == Layer::Posix.name();
    let mut posix: Vec<_> = all(layers).filter(|(layer, _)| is_posix(layer)).collect();
    posix.sort_by_key(|(_, f)| f.number);
    for (_, f) in &posix {
        let _ = writeln!(out, "pub const {}: u16 = {};", f.key.to_uppercase(), f.number);
    }
    out
}

fn index(layers: &[LayerFile]) -> String {
    let mut out = String::from(
        "# Recorded functions\n\n\
         What `diya run` records, counts, or leaves out on purpose, symbol by symbol.\n\
         Written by `cargo xtask generate` from `schema/functions`.\n\n\
         | layer | functions | symbols | counted only | left out |\n|---|---:|---:|---:|---:|\n",
    );
    let words = |list: &[Reasoned]| {
        list.iter().map(|r| r.symbols.split_whitespace().count()).sum::<usize>()
    };
    for layer in layers {
        let symbols: usize =
            layer.functions.iter().map(|f| f.symbols.split_whitespace().count()).sum();
        let _ = writeln!(
            out,
            "| [{0}]({0}.md) | {1} | {symbols} | {2} | {3} |",
            layer.stem,
            layer.functions.len(),
            words(&layer.counted),
            words(&layer.not_recorded)
        );
    }
    out
}

fn page(layer: &LayerFile) -> String {
    let has_syscalls = layer.functions.iter().any(|f| !f.syscalls.is_empty());
    let [head, line] = if has_syscalls { [" system calls |", "---|"] } else { [""; 2] };
    let mut out = format!(
        "# Functions of {}\n\nWritten by `cargo xtask generate` from `schema/functions/{}.toml`.\n\n\
         | function | operation | symbols |{head} further number |\n|---|---|---|{line}---|\n",
        layer.stem, layer.stem
    );
    let code = |words: &mut dyn Iterator<Item = &str>| {
        words.map(|word| format!("`{word}`")).collect::<Vec<_>>().join(" ")
    };
    for f in &layer.functions {
        let symbols = code(&mut f.symbols.split_whitespace());
        let syscalls = code(&mut f.syscalls.split_inclusive(')').map(str::trim));
        let syscalls = if has_syscalls { format!(" {syscalls} |") } else { String::new() };
        let aux = f.aux.as_deref().unwrap_or("");
        let _ = writeln!(out, "| {} | {} | {symbols} |{syscalls} {aux} |", f.name, f.op);
    }
    for (title, list) in
        [("Counted only", &layer.counted), ("Left out on purpose", &layer.not_recorded)]
    {
        if list.is_empty() {
            continue;
        }
        let _ = writeln!(out, "\n## {title}\n\n| symbols | reason |\n|---|---|");
        for entry in list {
            let symbols: Vec<String> =
                entry.symbols.split_whitespace().map(|s| format!("`{s}`")).collect();
            let _ = writeln!(out, "| {} | {} |", symbols.join(" "), entry.reason);
        }
    }
    out
}
