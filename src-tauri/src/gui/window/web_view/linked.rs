//! Where the program is linked with it, or it is a part of the system: it would not have started.

pub(super) fn tell(title: &str, text: &str) {
    tracing::error!(title, text);
}
