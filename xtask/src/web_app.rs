//! `web-app`: the static page that opens a dropped log in the browser alone.
//!
//! Reader, metrics, checks and the SQL engine become one wasm module; Node.js
//! puts the page together. The result, `web/dist-app/`, is a folder for any web
//! server; it is not part of the sources (docs/decisions/0012).

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cargo::{cargo, run as run_command, target_dir};
use crate::wasm::{TARGET, install_target};

/// As `wasm-bindgen` is called in `Cargo.lock`: its tool has to be of the same version.
const BINDGEN: &str = "wasm-bindgen";
/// Where the module and its JavaScript go; the page's build takes them from there.
const GENERATED: &str = "web/generated";
/// Bytes of stack: the SQL engine plans by recursion, the linker's own 1 MiB is
/// too little for a union of many parts, and a stack cannot grow in wasm.
const STACK: &str = "link-arg=-zstack-size=16777216";

/// Builds the module and the page.
pub fn run(_: &[String]) -> Result<(), String> {
    let root = crate::root();
    install_target()?;
    let bindgen = bindgen(&root)?;
    run_command(
        cargo(&root)
            // Every browser of the last years has it; the page says so to others.
            .env("RUSTFLAGS", "-C target-feature=+simd128")
            .args(["rustc", "--locked", "--profile", "web", "-p", "diya-browser", "--lib"])
            .args(["--crate-type", "cdylib", "--target", TARGET, "--", "-C", STACK]),
    )?;
    let module = target_dir(&root)?.join(TARGET).join("web").join("diya_browser.wasm");
    run_command(
        Command::new(bindgen)
            .current_dir(&root)
            .args(["--target", "web", "--no-typescript", "--out-name", "engine"])
            .args(["--remove-name-section", "--remove-producers-section"])
            .args(["--out-dir", GENERATED])
            .arg(module),
    )?;
    let web = root.join("web");
    let npm = |args: &[&str]| run_command(Command::new("npm").current_dir(&web).args(args));
    if !web.join("node_modules").is_dir() {
        npm(&["ci", "--no-audit", "--no-fund"])?;
    }
    npm(&["run", "--silent", "build:app"])?;
    println!(
        "\nThe page is in {}. It needs a web server, any will do:\n    \
         python3 -m http.server --directory {0} 8000\n    http://localhost:8000",
        web.join("dist-app").display()
    );
    Ok(())
}

/// The tool of the version in `Cargo.lock`: on PATH, built before, or built now.
fn bindgen(root: &Path) -> Result<PathBuf, String> {
    let lock = std::fs::read_to_string(root.join("Cargo.lock")).map_err(|e| e.to_string())?;
    let version = locked_version(&lock, BINDGEN).ok_or("Cargo.lock names no wasm-bindgen")?;
    let is_it = |tool: &Path| {
        let output = Command::new(tool).arg("--version").output();
        output.is_ok_and(|o| String::from_utf8_lossy(&o.stdout).trim().ends_with(version))
    };
    let tools = target_dir(root)?.join("tools");
    let built = tools.join("bin").join(BINDGEN);
    if let Some(found) = [PathBuf::from(BINDGEN), built.clone()].into_iter().find(|t| is_it(t)) {
        return Ok(found);
    }
    let mut install = cargo(root);
    install.args(["install", "wasm-bindgen-cli", "--version", version, "--root"]);
    run_command(install.arg(&tools))?;
    Ok(built)
}

/// Version of a package in the text of a lock file.
fn locked_version<'l>(lock: &'l str, name: &str) -> Option<&'l str> {
    let mut lines = lock.lines().skip_while(|line| *line != format!("name = \"{name}\""));
    lines.nth(1)?.strip_prefix("version = \"")?.strip_suffix('"')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_that_of_the_package_itself() {
        let lock = "[[package]]\nname = \"wasm-bindgen-macro\"\nversion = \"9.9.9\"\n\n\
                    [[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.130\"\n";
        assert_eq!(locked_version(lock, BINDGEN), Some("0.2.130"));
        assert_eq!(locked_version(lock, "nothing"), None);
    }
}
