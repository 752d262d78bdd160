//! A sink for reports, by which a room says something without knowing who listens: the loop, or a
//! test.

use std::fmt::{Debug, Formatter};
use std::sync::Arc;

/// A sink for reports of one type. It is cheap to clone. Posting never blocks, and does nothing
/// after the listener has ended.
pub struct Sink<T>(Arc<dyn Fn(T) + Send + Sync>);

impl<T> Sink<T> {
    /// Makes a sink that hands each report to `take`.
    pub fn new(take: impl Fn(T) + Send + Sync + 'static) -> Self {
        Self(Arc::new(take))
    }

    /// Posts a report.
    pub fn post(&self, report: T) {
        (self.0)(report);
    }
}

impl<T> Clone for Sink<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> Debug for Sink<T> {
    fn fmt(&self, out: &mut Formatter<'_>) -> std::fmt::Result {
        out.write_str("Sink")
    }
}
