//! Names of functions as a person would write them.

use std::borrow::Cow;

/// The name without what the compiler adds: modules of Fortran in front (`set::put` for
/// `__set_MOD_put`), no types of C++. Names of other languages stay.
///
/// Sources: GCC `gcc/fortran/trans-decl.cc` (`gfc_sym_mangled_identifier`), LLVM
/// `flang/docs/BijectiveInternalNameUniquing.md`, Intel Fortran compiler guide (`_mp_`).
///
/// ```
/// use diya_model::short_function;
/// assert_eq!(short_function("__set_mod_MOD_set_put"), "set_mod::set_put");
/// assert_eq!(short_function("set_mod_mp_set_put_"), "set_mod::set_put");
/// assert_eq!(short_function("_QMset_modPset_put"), "set_mod::set_put");
/// assert_eq!(short_function("MAIN__"), "main program");
/// assert_eq!(short_function("void io::save<double>(std::vector<double> const&)"), "io::save");
/// assert_eq!(short_function("write_all"), "write_all");
/// ```
pub fn short_function(name: &str) -> Cow<'_, str> {
    match fortran(name) {
        Some(short) => short,
        None if name.contains(['(', '<']) => without_types(name),
        None => Cow::Borrowed(name),
    }
}

fn fortran(name: &str) -> Option<Cow<'_, str>> {
    if matches!(name, "MAIN__" | "_QQmain") {
        return Some("main program".into());
    }
    let gnu = || name.strip_prefix("__")?.split_once("_MOD_");
    let intel = || name.strip_suffix('_')?.split_once("_mp_");
    let flang = || {
        // A name in lower case after each capital letter; a host procedure may stand between.
        let (module, rest) = name.strip_prefix("_QM")?.split_once(['F', 'P'])?;
        Some((module, rest.rsplit_once('P').map_or(rest, |(_, procedure)| procedure)))
    };
    let (module, procedure) = gnu().or_else(intel).or_else(flang)?;
    let is_name = |part: &str| !part.is_empty() && !part.starts_with(|c: char| c.is_ascii_digit());
    let found = is_name(module) && is_name(procedure);
    found.then(|| format!("{module}::{procedure}").into())
}

/// The name without what it returns, takes, and is a template of.
fn without_types(function: &str) -> Cow<'_, str> {
    const NAMELESS: &str = "(anonymous namespace)::";
    let (mut name, mut depth) = (String::new(), 0_usize);
    for c in function.replace(NAMELESS, "").chars() {
        let is_operator = name.ends_with("operator") || name.ends_with("operator<");
        match c {
            '(' if depth == 0 && !name.ends_with("operator") => break,
            '<' | '>' if is_operator && depth == 0 => name.push(c),
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            // A lambda has the types of its arguments in its name.
            '{' if depth == 0 && name.ends_with("::") => {
                name.push_str("lambda");
                break;
            }
            ' ' if depth == 0 => name.clear(),
            _ if depth == 0 => name.push(c),
            _ => {}
        }
    }
    if name.is_empty() { Cow::Borrowed(function) } else { Cow::Owned(name) }
}

#[cfg(test)]
mod tests {
    use super::short_function;

    #[test]
    fn names_of_cxx_go_without_their_types() {
        for (function, name) in [
            (
                "std::basic_ofstream<char, std::char_traits<char> >::~basic_ofstream()",
                "std::basic_ofstream::~basic_ofstream",
            ),
            (
                "std::ostream::operator<<(std::ostream& (*)(std::ostream&))",
                "std::ostream::operator<<",
            ),
            ("std::basic_ostream<char>& std::flush<char>(std::basic_ostream<char>&)", "std::flush"),
            ("(anonymous namespace)::save(int)", "save"),
            ("main::{lambda(int)#1}::operator()(int) const", "main::lambda"),
            ("H5Dwrite", "H5Dwrite"),
        ] {
            assert_eq!(short_function(function), name);
        }
    }

    #[test]
    fn what_only_resembles_fortran_stays() {
        for name in ["__do_global_dtors_aux", "my_mp_", "__MOD_", "_QMonly", "<module>"] {
            assert_eq!(short_function(name), name);
        }
    }

    #[test]
    fn an_inner_procedure_of_a_module_keeps_its_own_name() {
        assert_eq!(short_function("_QMset_modFset_putPstep"), "set_mod::step");
    }
}
