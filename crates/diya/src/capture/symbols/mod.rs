//! Source lines of addresses, from the program's own files: DWARF in the module,
//! in a debug file it names, or in the system's folder of debug files.

mod defined;
mod module;
mod separate;

use diya_read::segment::{Resolver, SourceFrame, Symbol};
use module::Module;
use std::collections::HashMap;
use std::sync::Mutex;

/// Resolves addresses, keeping what was read of each module.
#[derive(Default)]
pub struct Symbols {
    /// `None`: the file is gone, or is not the one that ran.
    modules: Mutex<HashMap<String, Option<Module>>>,
}

impl Resolver for Symbols {
    fn frames(&self, module: &str, build_id: Option<&str>, address: u64) -> Vec<SourceFrame> {
        self.of(module, build_id, |module| module.frames(address)).unwrap_or_default()
    }

    fn symbol(&self, module: &str, build_id: Option<&str>, address: u64) -> Option<Symbol> {
        self.of(module, build_id, |module| module.nearest(address)).flatten()
    }

    fn defined<'a>(&self, program: &str, functions: &[&'a str]) -> Vec<&'a str> {
        defined::defined(program, functions)
    }
}

impl Symbols {
    fn of<T>(
        &self,
        module: &str,
        build_id: Option<&str>,
        ask: impl FnOnce(&Module) -> T,
    ) -> Option<T> {
        let mut modules = self.modules.lock().ok()?;
        let known = modules
            .entry(module.to_string())
            .or_insert_with(|| Module::open(module.as_ref(), build_id));
        known.as_ref().map(ask)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// This test program has debug information or at least a symbol table.
    #[test]
    fn an_address_of_this_program_has_a_function_name() {
        let path = std::env::current_exe().expect("we run");
        let symbols = Symbols::default();
        let module = Module::open(&path, None).expect("can be read");
        let address = module.some_function().expect("has functions");
        let frames = symbols.frames(&path.to_string_lossy(), None, address);
        assert!(frames.iter().any(|f| f.function.is_some()), "{frames:?}");
        let symbol = symbols.symbol(&path.to_string_lossy(), None, address).expect("has a name");
        assert!(symbol.is_inside && !symbol.name.is_empty(), "{symbol:?}");
    }

    #[test]
    fn a_function_of_a_shared_library_is_not_defined_in_the_program() {
        let path = std::env::current_exe().expect("we run");
        let found =
            Symbols::default().defined(&path.to_string_lossy(), &["main", "malloc", "H5Fopen"]);
        assert_eq!(found, ["main"]);
    }

    #[test]
    fn a_module_that_changed_since_has_no_lines() {
        let path = std::env::current_exe().expect("we run").to_string_lossy().into_owned();
        assert!(Symbols::default().frames(&path, Some("00112233"), 0x1000).is_empty());
    }
}
