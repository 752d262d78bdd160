//! The parts of the system that Beckon's programs use: paths, clocks, programs that are started,
//! links to open, a type for secrets.
//!
//! Not here: the keychain, signals and logs, which only the resident program uses.

pub mod children;
pub mod clock;
pub mod external;
pub mod failure;
pub mod foreign;
pub mod paths;
pub mod percent;
pub mod private;
pub mod qr;
pub mod secret;
