//! `generate`: what follows from `schema/`, `metrics/` and `checks/`.
//!
//! One table is one file of `schema/tables/`; from it come the Rust columns
//! (`crates/diya-tables/src/generated/`) and the reference page (`docs/generated/tables/`). The
//! tables of a fleet are in `schema/fleet/`, see [`fleet`]. What the recorder knows is in
//! `schema/functions/`, see [`functions`] and [`system_calls`]; the layout of a segment is in
//! `schema/segment.toml`, see [`segment`]; what can be lost is in `schema/read_issues.toml`, see
//! [`issues`]; the classes of calls are in `diya-model`, see [`classes`]. What the counters of all
//! layers have in common goes into a metric, see [`layer_counters`]. Metrics and checks get a
//! reference page each (`docs/generated/metrics/`, `docs/generated/checks/`), and the questions
//! that checks answer one page, see [`coverage`]. The schema of a report follows from its Rust
//! types, see [`json_schema`], and its TypeScript from the schema, see [`report_types`]. The
//! drawing of the crates is in ARCHITECTURE.md, see [`structure`], and the table of the page's views
//! in the guide, see [`views`]. With `--check` nothing is
//! written: the command fails when a file on disk is not what the schema says.

mod checks;
mod classes;
mod coverage;
mod docs;
mod fleet;
mod functions;
mod issues;
mod json_schema;
mod layer_counters;
mod layers;
mod messages;
mod metrics;
mod report_types;
mod rust;
mod schema;
mod segment;
mod structure;
mod system_calls;
mod views;

use std::path::{Path, PathBuf};

/// Writes, or with `--check` compares, every generated file.
pub fn run(args: &[String]) -> Result<(), String> {
    let root = crate::root();
    let tables = schema::load(&root.join("schema/tables"), &["log"])?;
    let fleet = schema::load(&root.join("schema/fleet"), &fleet::KEYS)?;
    let mut files: Vec<(PathBuf, String)> = rust::files(&tables);
    files.extend(docs::files(&tables));
    files.extend(fleet::files(&fleet));
    files.extend(layer_counters::files(&tables));
    files.extend(issues::files(&issues::load(&root.join("schema/read_issues.toml"))?));
    let functions = functions::load(&root.join("schema/functions"))?;
    files.extend(functions::files(&functions));
    files.extend(messages::files(&messages::load(&root.join("schema/messages.toml"))?));
    files.extend(system_calls::files(&functions)?);
    files.extend(segment::files(&segment::load(&root.join("schema/segment.toml"))?)?);
    files.extend(layers::files());
    files.extend(structure::files(&root)?);
    files.extend(views::files(&root)?);
    let schemas = json_schema::files(&root)?;
    files.extend(report_types::files(&schemas)?);
    files.extend(schemas);
    files.extend(classes::files(&root)?);
    files.extend(metrics::files(&metrics::load(&root)?));
    let checks = checks::load(&root.join("checks"))?;
    files.extend(coverage::files(&root, &checks)?);
    files.extend(checks::files(&checks));
    let gone = gone(&root, &files)?;
    if args.iter().any(|a| a == "--check") {
        return check(&root, &files, &gone);
    }
    for path in &gone {
        std::fs::remove_file(path).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    for (path, text) in &files {
        write_if_changed(&root.join(path), text)?;
    }
    println!("generate: {} files from {} tables", files.len(), tables.len());
    Ok(())
}

/// Leaves equal files alone, so that a build does not start for nothing.
fn write_if_changed(path: &Path, text: &str) -> Result<(), String> {
    if std::fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    let fail = |e: std::io::Error| format!("{}: {e}", path.display());
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(fail)?;
    }
    std::fs::write(path, text).map_err(fail)
}

/// A page that is written by hand, with this text between its two marks.
fn between(root: &Path, page: &str, marks: [&str; 2], text: &str) -> Result<String, String> {
    let [begin, end] = marks;
    let old = std::fs::read_to_string(root.join(page)).map_err(|e| format!("{page}: {e}"))?;
    let parts = old.split_once(begin).and_then(|(head, rest)| {
        let (_, tail) = rest.split_once(end)?;
        Some(format!("{head}{begin}{text}{end}{tail}"))
    });
    parts.ok_or_else(|| format!("{page} has no place for generated text: {begin}{end}"))
}

/// Files below a folder with this extension, by path.
fn files_below(folder: &Path, extension: &str) -> Result<Vec<PathBuf>, String> {
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_path_buf()]);
    while let Some(folder) = folders.pop() {
        let fail = |e: std::io::Error| format!("{}: {e}", folder.display());
        for entry in std::fs::read_dir(&folder).map_err(fail)? {
            let path = entry.map_err(fail)?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == extension) {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// Pages of metrics and checks that are there no more.
fn gone(root: &Path, files: &[(PathBuf, String)]) -> Result<Vec<PathBuf>, String> {
    let mut pages = Vec::new();
    let folders = ["docs/generated/metrics", "docs/generated/checks", "docs/generated/fleet"];
    for folder in folders.map(|f| root.join(f)) {
        if folder.is_dir() {
            pages.extend(files_below(&folder, "md")?);
        }
    }
    pages.retain(|page| files.iter().all(|(path, _)| root.join(path) != *page));
    Ok(pages)
}

fn check(root: &Path, files: &[(PathBuf, String)], gone: &[PathBuf]) -> Result<(), String> {
    let mut stale: Vec<String> = files
        .iter()
        .filter(|(path, text)| {
            std::fs::read_to_string(root.join(path)).map_or(true, |old| old != *text)
        })
        .map(|(path, _)| path.display().to_string())
        .collect();
    stale.extend(gone.iter().map(|path| path.display().to_string()));
    if stale.is_empty() {
        return Ok(());
    }
    Err(format!("not up to date, run `cargo xtask generate`: {}", stale.join(", ")))
}

#[cfg(test)]
mod tests {
    #[test]
    fn generated_files_are_up_to_date() {
        assert_eq!(super::run(&["--check".to_owned()]), Ok(()));
    }
}
