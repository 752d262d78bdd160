//! See `beckon::fuzzing::requests`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| beckon::fuzzing::requests(data));
