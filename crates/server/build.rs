//! Takes the built page into the binary. Without one the server still builds and shows a placeholder, unless
//! `WEB_REQUIRED=1` asks for the page.

use std::path::Path;

fn main() {
    let page = Path::new("../../web/dist");
    println!("cargo:rerun-if-env-changed=WEB_REQUIRED");
    // A folder that is missing cannot be watched, and would look like a change at every build.
    if page.is_dir() || std::fs::create_dir_all(page).is_ok() {
        println!("cargo:rerun-if-changed={}", page.display());
    }
    let required = std::env::var("WEB_REQUIRED").is_ok_and(|v| v == "1");
    if required && !page.join("index.html").is_file() {
        println!("cargo::error=WEB_REQUIRED=1, but web/dist/index.html is missing: build the page first");
    }
}
