//! Build script: the texts are compiled in, and Cargo does not see that by itself.

fn main() {
    println!("cargo::rerun-if-changed=locales");
}
