//! The reading of rows that another program may have damaged, or written in another form.

use super::opening;
use anyhow::Result;
use rusqlite::{Row, Rows};

/// Returns the rows that can be understood. A row that cannot must not keep Beckon from starting:
/// an open ask comes back from its source.
pub(super) fn readable<T>(
    mut rows: Rows<'_>,
    read: impl Fn(&Row<'_>) -> Result<T>,
) -> Result<Vec<T>> {
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        match read(row) {
            Ok(row) => all.push(row),
            Err(error) if opening::is_of_sqlite(&error) => return Err(error),
            Err(error) => {
                let error = format!("{error:#}");
                tracing::warn!(error, "a row of the database is not understood");
            }
        }
    }
    Ok(all)
}
