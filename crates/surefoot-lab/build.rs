//! A new or removed file of the page is a reason to build again; the embedding macro notices changes of known files only.

fn main() {
    println!("cargo::rerun-if-changed=page");
}
