//! The fuzz target that reads the bytes of a hub's server: `beckon::fuzzing::hub`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| beckon::fuzzing::hub(data));
