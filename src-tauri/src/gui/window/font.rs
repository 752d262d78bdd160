//! The desktop's own font by its name. The pages would say `system-ui`, which WebKitGTK looks for
//! anew with each size and weight, so that a page is drawn 20 ms later (`docs/measured.md`).

/// Returns the font's family.
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

/// Returns nothing: the pages' `system-ui` serves here.
#[cfg(not(target_os = "linux"))]
pub(super) fn family() -> Option<String> {
    None
}
