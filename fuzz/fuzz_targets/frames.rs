//! See `beckon::fuzzing::frames`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| beckon::fuzzing::frames(data));
