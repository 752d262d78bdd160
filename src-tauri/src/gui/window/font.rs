//! The desktop's own font by its name. The pages would say `system-ui`, which WebKitGTK looks for anew
//! with each size and weight: a page is drawn 20 ms later (`docs/measured.md`).

/// Its family, where that is needed.
#[cfg(target_os = "linux")]
pub(super) fn family() -> Option<String> {
    use gtk::prelude::GtkSettingsExt;

    let name = gtk::Settings::default()?.gtk_font_name()?;
    let families = gtk::pango::FontDescription::from_string(&name).family()?;
    families
        .split(',')
        .map(|family| family.trim().to_owned())
        .find(|family| !family.is_empty())
}

/// Its family, where that is needed.
#[cfg(not(target_os = "linux"))]
pub(super) fn family() -> Option<String> {
    None
}
