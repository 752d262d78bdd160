//! `beckon-window`: the only program that links a web view. So far it is the settings page.
#![cfg_attr(windows, windows_subsystem = "windows")]

fn main() {
    let app = tauri::Builder::default().setup(|app| {
        tauri::WebviewWindowBuilder::new(app, "settings", tauri::WebviewUrl::default())
            .title("Beckon")
            .inner_size(720.0, 520.0)
            .build()?;
        Ok(())
    });
    if let Err(error) = app.run(tauri::generate_context!()) {
        // Nobody sees a window; the caller sees the reason and the code.
        tracing::error!(%error, "the window cannot be opened");
        std::process::exit(1);
    }
}
