//! What each of Beckon's programs takes from the system: paths, clocks, links to open, a type for
//! secrets.
//!
//! Not here: the keychain, processes, signals and logs, which only the resident program uses.

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
