//! Build script: only the window program needs Tauri's code generation.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=src-tauri/locales");
    #[cfg(feature = "gui")]
    tauri_build::try_build(
        tauri_build::Attributes::new().capabilities_path_pattern("./src-tauri/capabilities/**/*"),
    )?;
    Ok(())
}
