//! The API's socket in the file system, beside its port: only its owner reaches it, so nobody can
//! pose as Beckon there, and nobody else can crowd it.

#[cfg_attr(unix, path = "socket/unix.rs")]
#[cfg_attr(not(unix), path = "socket/none.rs")]
mod platform;

pub(in crate::api) use platform::{SocketListener, bind};
