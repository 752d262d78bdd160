//! The TypeScript of what the windows are told. `BECKON_WRITE_BINDINGS=1 cargo test bindings`
//! writes it anew.

use super::{
    Activity, AlwaysGrant, CardTested, Finding, HistoryPage, HubJoined, HubLeft, HubView,
    Integrations, LocalAgent, Problem, ServerTested, Settings, Verdict, View,
};
use crate::config::ForwardWhen;
use crate::wire::Nearby;
use crate::wire::Paired;
use std::collections::BTreeMap;
use std::path::Path;
use ts_rs::{Config, TS};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../ui/src/bindings");

#[test]
fn the_bindings_of_the_web_pages_are_those_of_these_types() {
    let fresh = tempfile::tempdir().unwrap();
    write(fresh.path());
    if std::env::var_os("BECKON_WRITE_BINDINGS").is_some() {
        let _ = std::fs::remove_dir_all(FOLDER);
        write(Path::new(FOLDER));
    }
    let (fresh, there) = (read(fresh.path()), read(Path::new(FOLDER)));
    let stale: Vec<&String> = fresh
        .keys()
        .chain(there.keys())
        .filter(|&f| fresh.get(f) != there.get(f))
        .collect();
    assert!(stale.is_empty(), "stale in ui/src/bindings: {stale:?}");
}

fn write(folder: &Path) {
    let config = Config::new().with_out_dir(folder).with_large_int("number");
    View::export_all(&config).unwrap();
    Settings::export_all(&config).unwrap();
    Integrations::export_all(&config).unwrap();
    LocalAgent::export_all(&config).unwrap();
    HistoryPage::export_all(&config).unwrap();
    Activity::export_all(&config).unwrap();
    AlwaysGrant::export_all(&config).unwrap();
    Finding::export_all(&config).unwrap();
    Verdict::export_all(&config).unwrap();
    HubView::export_all(&config).unwrap();
    HubJoined::export_all(&config).unwrap();
    HubLeft::export_all(&config).unwrap();
    ServerTested::export_all(&config).unwrap();
    Problem::export_all(&config).unwrap();
    Paired::export_all(&config).unwrap();
    CardTested::export_all(&config).unwrap();
    Nearby::export_all(&config).unwrap();
    ForwardWhen::export_all(&config).unwrap();
}

fn read(folder: &Path) -> BTreeMap<String, String> {
    let files = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(Result::ok);
    let files = files.filter_map(|file| {
        let text = std::fs::read_to_string(file.path()).ok()?;
        Some((file.file_name().to_string_lossy().into_owned(), text))
    });
    files.collect()
}
