//! Finds the pages that `scripts/page.sh` built in `web/dist`. Where it could not run, for
//! want of Node.js, reports become the plain page of `src/without-scripts.html`, which says so.

use std::path::Path;

fn main() {
    let home = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_else(|_| ".".to_owned());
    let home = Path::new(&home);
    let plain = home.join("src/without-scripts.html");
    for (variable, name) in [("DIYA_REPORT_PAGE", "report.html"), ("DIYA_FLEET_PAGE", "fleet.html")]
    {
        let built = home.join("../../web/dist").join(name);
        println!("cargo:rerun-if-changed={}", built.display());
        let page = if built.is_file() {
            built
        } else {
            println!("cargo:warning=web/dist/{name} is not built: run scripts/page.sh (Node.js)");
            plain.clone()
        };
        println!("cargo:rustc-env={variable}={}", page.display());
    }
}
