//! Systems on which the web view is linked or a part of the system: without it the program would
//! not have started.

pub(super) fn tell(title: &str, text: &str) {
    tracing::error!(title, text);
}
