//! A run loop that hears of locking, sleep and waking.
//!
//! Not here: when the last input was.

use crate::presence::FactSink;
use crate::presence::evidence::PresenceFact;
use beckon_core::PresenceSource;
use objc2_core_foundation::{
    CFDictionary, CFNotificationCallback, CFNotificationCenter, CFNotificationName,
    CFNotificationSuspensionBehavior, CFRunLoop, CFString, kCFRunLoopDefaultMode,
};
use objc2_io_kit::{
    IOAllowPowerChange, IONotificationPort, IONotificationPortRef, IORegisterForSystemPower,
    io_connect_t, io_service_t,
};
use std::cell::Cell;
use std::ffi::c_void;
use std::ptr::{null, null_mut};

/// The notifications of locking and unlocking. They are in no header, but told since Mac OS X 10.5.
const LOCKED: &str = "com.apple.screenIsLocked";
const UNLOCKED: &str = "com.apple.screenIsUnlocked";

/// `kIOMessageCanSystemSleep` and its like of `IOMessage.h`.
const CAN_SLEEP: u32 = 0xE000_0270;
const WILL_SLEEP: u32 = 0xE000_0280;
const HAS_POWERED_ON: u32 = 0xE000_0300;

/// The state that the callbacks work with. It lives as long as the program.
struct Listener {
    sink: FactSink,
    /// The connection over which leave to sleep is given.
    power: Cell<io_connect_t>,
}

/// Listens on this thread for as long as the program runs.
pub(super) fn listen(sink: FactSink) {
    let listener: &'static Listener = Box::leak(Box::new(Listener {
        sink,
        power: Cell::new(0),
    }));
    listen_for(LOCKED, Some(on_lock), listener);
    listen_for(UNLOCKED, Some(on_unlock), listener);
    if listen_for_sleep(listener) {
        listener
            .sink
            .post((PresenceSource::System, PresenceFact::Asleep(false)));
    } else {
        tracing::info!("sleep is only seen by its end");
    }
    CFRunLoop::run();
}

/// Listens for a distributed notification. They come on the thread that asked first. That may be
/// the main one, so the callbacks only pass on what they hear.
fn listen_for(name: &'static str, callback: CFNotificationCallback, listener: &'static Listener) {
    let Some(center) = CFNotificationCenter::distributed_center() else {
        return;
    };
    let name = CFString::from_static_str(name);
    let behaviour = CFNotificationSuspensionBehavior::DeliverImmediately;
    let observer = std::ptr::from_ref(listener).cast();
    // SAFETY: the observer is never freed, and the callbacks take it for what it is.
    #[expect(unsafe_code)]
    unsafe {
        center.add_observer(observer, callback, Some(&name), null(), behaviour);
    }
}

fn listen_for_sleep(listener: &'static Listener) -> bool {
    let (mut port, mut notifier): (IONotificationPortRef, _) = (null_mut(), 0);
    let observer = std::ptr::from_ref(listener).cast_mut().cast();
    // SAFETY: the observer is never freed, and the other places are ours.
    #[expect(unsafe_code)]
    let power =
        unsafe { IORegisterForSystemPower(observer, &mut port, Some(on_power), &mut notifier) };
    if power == 0 || port.is_null() {
        return false;
    }
    listener.power.set(power);
    // SAFETY: the port was made just now and is never destroyed; the mode is a constant.
    #[expect(unsafe_code)]
    let (source, mode) = unsafe {
        (
            IONotificationPort::run_loop_source(port),
            kCFRunLoopDefaultMode,
        )
    };
    let (Some(source), Some(here)) = (source, CFRunLoop::current()) else {
        return false;
    };
    here.add_source(Some(&source), mode);
    true
}

#[expect(unsafe_code)]
unsafe extern "C-unwind" fn on_lock(
    _: *mut CFNotificationCenter,
    observer: *mut c_void,
    _: *const CFNotificationName,
    _: *const c_void,
    _: *const CFDictionary,
) {
    // SAFETY: the observer is the listener that was registered.
    unsafe { say(observer, PresenceFact::Locked(true)) }
}

#[expect(unsafe_code)]
unsafe extern "C-unwind" fn on_unlock(
    _: *mut CFNotificationCenter,
    observer: *mut c_void,
    _: *const CFNotificationName,
    _: *const c_void,
    _: *const CFDictionary,
) {
    // SAFETY: the observer is the listener that was registered.
    unsafe { say(observer, PresenceFact::Locked(false)) }
}

/// Posts a fact through the listener.
///
/// # Safety
/// `observer` is a [`Listener`] that is never freed.
#[expect(unsafe_code)]
unsafe fn say(observer: *mut c_void, fact: PresenceFact) {
    // SAFETY: as above.
    let sink = unsafe { &(*observer.cast::<Listener>()).sink };
    sink.post((PresenceSource::System, fact));
}

/// Passes on that the machine will sleep or has woken. A program that is told of a sleep to come
/// has to give leave, or holds it up for half a minute.
#[expect(unsafe_code)]
unsafe extern "C-unwind" fn on_power(
    observer: *mut c_void,
    _: io_service_t,
    message: u32,
    argument: *mut c_void,
) {
    // SAFETY: the observer is the listener that was registered.
    let listener = unsafe { &*observer.cast::<Listener>() };
    match message {
        WILL_SLEEP => listener
            .sink
            .post((PresenceSource::System, PresenceFact::Asleep(true))),
        HAS_POWERED_ON => listener
            .sink
            .post((PresenceSource::System, PresenceFact::Asleep(false))),
        _ => {}
    }
    if matches!(message, CAN_SLEEP | WILL_SLEEP) {
        IOAllowPowerChange(listener.power.get(), argument.addr().cast_signed());
    }
}
