//! What follows from `schema/functions/*.toml`: the calls the recorder knows.
//!
//! One layer is one file there. From it come the numbers the C library writes,
//! the table the reader looks them up in, and the page that says of every I/O
//! symbol whether it is recorded.

use serde::Deserialize;
use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Layers, in the order of their numbers in a segment, from 1.
const LAYERS: [&str; 9] = [
    "posix",
    "stdio",
    "mpiio",
    "hdf5_file",
    "hdf5_dataset",
    "hdf5_other",
    "pnetcdf_file",
    "pnetcdf_var",
    "netcdf",
];

/// Operations, in the order of their numbers in a segment, from 1.
const OPS: [&str; 31] = [
    "open",
    "close",
    "read",
    "write",
    "seek",
    "stat",
    "sync",
    "datasync",
    "truncate",
    "allocate",
    "advise",
    "map",
    "unmap",
    "sync_map",
    "dup",
    "control",
    "rename",
    "unlink",
    "make",
    "list",
    "link",
    "attribute",
    "flush",
    "view",
    "info",
    "submit",
    "wait",
    "create",
    "lock",
    "spawn",
    "other",
];

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
        if !LAYERS.contains(&layer) {
            return Err(format!("{key}: no layer {layer}; there are {LAYERS:?}"));
        }
        if !OPS.contains(&function.op.as_str()) {
            return Err(format!("{key}: no operation {}; there are {OPS:?}", function.op));
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

fn all(layers: &[LayerFile]) -> impl Iterator<Item = (&str, &Function)> {
    layers.iter().flat_map(|layer| {
        layer.functions.iter().map(|f| (f.layer.as_deref().unwrap_or(&layer.layer), f))
    })
}

fn number_in(list: &[&str], name: &str) -> usize {
    list.iter().position(|n| *n == name).map_or(0, |at| at + 1)
}

/// The C header, the Rust table, the tracer's numbers, the pages.
pub fn files(layers: &[LayerFile]) -> Vec<(PathBuf, String)> {
    let mut files = vec![
        (PathBuf::from("capture/include/generated/diya_functions.h"), header(layers)),
        (PathBuf::from("crates/diya-read/src/segment/generated/functions.rs"), rust(layers)),
        (PathBuf::from("crates/diya-ptrace/src/linux/generated/functions.rs"), numbers(layers)),
        (PathBuf::from("crates/diya-tables/src/generated/completions.rs"), completions(layers)),
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
    for (at, name) in LAYERS.iter().enumerate() {
        let _ = writeln!(out, "    DIYA_LAYER_{} = {},", name.to_uppercase(), at + 1);
    }
    out.push_str("};\n\nenum diya_op {\n");
    for (at, name) in OPS.iter().enumerate() {
        let _ = writeln!(out, "    DIYA_OP_{} = {},", name.to_uppercase(), at + 1);
    }
    out.push_str("};\n\nenum diya_function {\n");
    for (_, f) in all(layers) {
        let _ = writeln!(out, "    DIYA_F_{} = {},", f.key.to_uppercase(), f.number);
    }
    let count = all(layers).map(|(_, f)| f.number).max().unwrap_or(0) + 1;
    let _ = writeln!(out, "}};\n\n#define DIYA_FUNCTIONS {count}\n");
    for (table, list, of) in [
        (
            "op",
            &OPS[..],
            &(|_: &str, f: &Function| f.op.clone()) as &dyn Fn(&str, &Function) -> String,
        ),
        ("layer", &LAYERS[..], &|layer, _| layer.to_string()),
    ] {
        let _ = writeln!(
            out,
            "/* The {table} of each function. */\n__attribute__((unused)) static const uint8_t diya_function_{table}[DIYA_FUNCTIONS] = {{"
        );
        for (layer, f) in all(layers) {
            let _ = writeln!(out, "    [{}] = {},", f.number, number_in(list, &of(layer, f)));
        }
        out.push_str("};\n\n");
    }
    out.push_str(
        "enum diya_traits { DIYA_IS_COLLECTIVE = 1, DIYA_IS_NONBLOCKING = 2, DIYA_IS_SPLIT = 4 };\n\n\
         /* What else is known of each function. */\n__attribute__((unused)) static const uint8_t diya_function_traits[DIYA_FUNCTIONS] = {\n",
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
         use super::Function;\n\n/// Every function, by number.\npub static FUNCTIONS: &[Function] = &[\n",
    );
    let mut sorted: Vec<_> = all(layers).collect();
    sorted.sort_by_key(|(_, f)| f.number);
    for (layer, f) in sorted {
        let _ = writeln!(
            out,
            "    Function::new({}, {:?}, {}, {}, {:?}, {}, {}),",
            f.number,
            f.name,
            number_in(&LAYERS, layer),
            number_in(&OPS, &f.op),
            f.collective,
            f.nonblocking,
            f.split
        );
    }
    out.push_str("];\n");
    out
}

fn completions(layers: &[LayerFile]) -> String {
    let mut out = String::from(
        "//! Calls that are completions of asynchronous requests.\n\
         // Generated by `cargo xtask generate` from schema/functions. Do not edit.\n\n\
         /// Layer, function and operation of each, as in table `call`. Such a row takes no time: its\n\
         /// `aux` says for how many nanoseconds the request was in flight before.\n\
         pub const COMPLETIONS: &[(&str, &str, &str)] = &[\n",
    );
    let mut all: Vec<_> = all(layers).filter(|(_, f)| f.completion).collect();
    all.sort_by_key(|(_, f)| f.number);
    for (layer, f) in all {
        let _ = writeln!(out, "    ({layer:?}, {:?}, {:?}),", f.name, f.op);
    }
    out.push_str("];\n");
    out
}

/// Of the calls of the POSIX layer, which the ptrace tracer records.
fn numbers(layers: &[LayerFile]) -> String {
    let mut out = String::from(
        "//! Numbers of the POSIX functions in a segment, and of their operations.\n\
         // Generated by `cargo xtask generate` from schema/functions. Do not edit.\n\n",
    );
    let mut posix: Vec<_> = all(layers).filter(|(layer, _)| *layer == LAYERS[0]).collect();
    posix.sort_by_key(|(_, f)| f.number);
    for (_, f) in &posix {
        let _ = writeln!(out, "pub const {}: u16 = {};", f.key.to_uppercase(), f.number);
    }
    for op in ["open", "read", "write"] {
        let _ = writeln!(out, "pub const OP_{}: u8 = {};", op.to_uppercase(), number_in(&OPS, op));
    }
    out.push_str("\n/// Function and operation.\npub const OPERATIONS: &[(u16, u8)] = &[\n");
    for (_, f) in posix {
        let _ = writeln!(out, "    ({}, {}),", f.key.to_uppercase(), number_in(&OPS, &f.op));
    }
    out.push_str("];\n");
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
    let mut out = format!(
        "# Functions of {}\n\nWritten by `cargo xtask generate` from `schema/functions/{}.toml`.\n\n\
         | function | operation | symbols | further number |\n|---|---|---|---|\n",
        layer.stem, layer.stem
    );
    for f in &layer.functions {
        let symbols: Vec<String> = f.symbols.split_whitespace().map(|s| format!("`{s}`")).collect();
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} |",
            f.name,
            f.op,
            symbols.join(" "),
            f.aux.as_deref().unwrap_or("")
        );
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
