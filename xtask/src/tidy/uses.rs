//! Which file of a crate uses which, from the paths in its items.

use std::collections::{BTreeMap, BTreeSet};

use syn::visit::{self, Visit};
use syn::{ItemMod, ItemUse, Path, UseTree, Visibility};

use super::SourceFile;

/// The files that each file uses.
pub(super) type Graph = BTreeMap<String, BTreeSet<String>>;

/// A path of modules and items.
type ItemPath = Vec<String>;

/// Re-exports that are followed one after the other: some may lead in a circle.
const MAX_EXPORTS: usize = 6;

/// Uses in the files of all crates, without those of the modules around a file.
pub(super) fn of_crates(files: &[SourceFile]) -> Graph {
    let mut crates: BTreeMap<&str, Crate> = BTreeMap::new();
    for file in files.iter().filter(|file| file.extension() == "rs" && !file.is_generated()) {
        let Some((folder, inner)) = file.path.split_once("/src/") else { continue };
        if inner.split('/').any(|part| part.starts_with("test")) {
            continue;
        }
        // What is no Rust, the compiler refuses.
        let Ok(syntax) = syn::parse_file(&file.text) else { continue };
        let mut module = Module { file: file.path.clone(), ..Module::default() };
        module.visit_file(&syntax);
        crates.entry(folder).or_default().0.entry(module_path(inner)).or_insert(module);
    }
    crates.values().flat_map(Crate::graph).collect()
}

/// `a/b.rs` and `a/b/mod.rs` are the module `a::b`; `lib.rs` and `main.rs` the root.
fn module_path(inner: &str) -> ItemPath {
    let mut parts: ItemPath = inner.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
    if parts.last().is_some_and(|last| last == "mod")
        || matches!(&parts[..], [only] if only == "lib" || only == "main")
    {
        parts.pop();
    }
    parts
}

/// The paths in a file, as they stand there.
#[derive(Default)]
struct Module {
    file: String,
    uses: BTreeSet<ItemPath>,
    exports: BTreeSet<ItemPath>,
}

impl<'s> Visit<'s> for Module {
    fn visit_item_use(&mut self, item: &'s ItemUse) {
        let is_export = !matches!(item.vis, Visibility::Inherited);
        let paths = if is_export { &mut self.exports } else { &mut self.uses };
        leaves(&item.tree, &mut Vec::new(), paths);
    }

    fn visit_item_mod(&mut self, module: &'s ItemMod) {
        let is_test = module.attrs.iter().any(|attribute| {
            attribute.path().is_ident("cfg")
                && attribute.parse_args::<Path>().is_ok_and(|path| path.is_ident("test"))
        });
        if !is_test {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_path(&mut self, path: &'s Path) {
        let parts: ItemPath = path.segments.iter().map(|part| part.ident.to_string()).collect();
        if parts.len() > 1 {
            self.uses.insert(parts);
        }
        visit::visit_path(self, path);
    }
}

/// The paths of a `use`, in full.
fn leaves(tree: &UseTree, before: &mut ItemPath, paths: &mut BTreeSet<ItemPath>) {
    match tree {
        UseTree::Path(path) => {
            before.push(path.ident.to_string());
            leaves(&path.tree, before, paths);
            before.pop();
        }
        UseTree::Group(group) => {
            group.items.iter().for_each(|tree| leaves(tree, before, paths));
        }
        UseTree::Name(name) if name.ident == "self" => drop(paths.insert(before.clone())),
        UseTree::Name(name) => drop(paths.insert(with(before, name.ident.to_string()))),
        UseTree::Rename(rename) => drop(paths.insert(with(before, rename.ident.to_string()))),
        UseTree::Glob(_) => drop(paths.insert(before.clone())),
    }
}

fn with(before: &[String], last: String) -> ItemPath {
    before.iter().cloned().chain([last]).collect()
}

/// The modules of a crate, by their path.
#[derive(Default)]
struct Crate(BTreeMap<ItemPath, Module>);

impl Crate {
    fn graph(&self) -> Graph {
        let of_module = |(path, module): (&ItemPath, &Module)| {
            let used = module.uses.iter().filter_map(|used| self.absolute(path, used));
            let used = used.filter_map(|used| self.module_of(&used, 0));
            // The modules around it are one unit with it.
            let used = used.filter(|(of, _)| !path.starts_with(of));
            (module.file.clone(), used.map(|(_, module)| module.file.clone()).collect())
        };
        self.0.iter().map(of_module).collect()
    }

    /// A path from the root; `None`: it leads to another crate.
    fn absolute(&self, module: &[String], path: &[String]) -> Option<ItemPath> {
        let first = path.first()?;
        let mut base = match first.as_str() {
            "crate" => Vec::new(),
            "self" | "super" => module.to_vec(),
            first => {
                let child = with(module, first.to_owned());
                return self.0.contains_key(&child).then(|| [module, path].concat());
            }
        };
        let mut rest = path;
        while let [first, after @ ..] = rest
            && ["crate", "self", "super"].contains(&first.as_str())
        {
            if first == "super" {
                base.pop()?;
            }
            rest = after;
        }
        Some([&base, rest].concat())
    }

    /// The module that defines an item, also where others export it.
    fn module_of(&self, path: &[String], exports: usize) -> Option<(&ItemPath, &Module)> {
        let longest = (0..=path.len()).rev().find_map(|end| self.0.get_key_value(&path[..end]));
        let (of, module) = longest?;
        let Some(item) = path.get(of.len()).filter(|_| exports < MAX_EXPORTS) else {
            return Some((of, module));
        };
        let mut exported = module.exports.iter().filter(|export| export.last() == Some(item));
        let export = exported.find_map(|export| self.absolute(of, export));
        let export = export.filter(|export| export[..] != path[..of.len() + 1]);
        export.and_then(|export| self.module_of(&export, exports + 1)).or(Some((of, module)))
    }
}
