//! Functions that a program's own file defines.

use object::read::ReadCache;
use object::read::elf::ElfFile64;
use object::{Object as _, ObjectSymbol as _};
use std::fs::File;

/// Which of these functions are defined in the file. Reads its tables of symbols and
/// nothing else; a file that is gone, or has no such tables, defines none.
pub fn defined<'a>(program: &str, functions: &[&'a str]) -> Vec<&'a str> {
    let is_file = std::fs::metadata(program).is_ok_and(|about| about.is_file());
    let Some(file) = is_file.then(|| File::open(program).ok()).flatten() else {
        return Vec::new();
    };
    let cache = ReadCache::new(file);
    let Ok(elf) = ElfFile64::<object::Endianness, _>::parse(&cache) else { return Vec::new() };
    let mut found: Vec<&str> = Vec::new();
    for symbol in elf.symbols().chain(elf.dynamic_symbols()).filter(|s| s.is_definition()) {
        let Ok(name) = symbol.name() else { continue };
        if let Some(function) = functions.iter().find(|f| **f == name)
            && !found.contains(function)
        {
            found.push(function);
        }
    }
    found
}
