//! The fuzz target that registers servers: `beckon::fuzzing::registrations`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| beckon::fuzzing::registrations(data));
