//! The way to a window on macOS: the application of one of these processes comes to the front. It
//! is found by its process, and nothing is started: a path may lead to what somebody has put there.
//! The application decides itself which of its windows comes.

use anyhow::{Context, Result, ensure};
use objc2::rc::Retained;
use objc2_app_kit::{
    NSApplicationActivationOptions, NSApplicationActivationPolicy, NSRunningApplication,
};

pub(super) fn raise(lineage: &[u32]) -> Result<()> {
    let application = lineage.iter().find_map(|pid| application(*pid));
    let application = application.context("none of its processes is an application")?;
    let all = NSApplicationActivationOptions::ActivateAllWindows;
    ensure!(
        application.activateWithOptions(all),
        "macOS does not raise it"
    );
    Ok(())
}

/// Returns the application of a process, if it has windows; helpers, and what works in the
/// background, have none.
fn application(process: u32) -> Option<Retained<NSRunningApplication>> {
    let process = i32::try_from(process).ok()?;
    let found = NSRunningApplication::runningApplicationWithProcessIdentifier(process)?;
    let has_windows = found.activationPolicy() == NSApplicationActivationPolicy::Regular;
    has_windows.then_some(found)
}
