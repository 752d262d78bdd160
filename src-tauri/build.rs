//! Build script: only the window program needs Tauri's code generation.

fn main() {
    println!("cargo::rerun-if-changed=src-tauri/locales");
    #[cfg(feature = "gui")]
    tauri_build::try_build(
        tauri_build::Attributes::new().capabilities_path_pattern("./src-tauri/capabilities/**/*"),
    )
    .expect("tauri.conf.json and src-tauri/capabilities describe a valid app");
}
