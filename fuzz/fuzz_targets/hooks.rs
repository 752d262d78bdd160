//! See `beckon::fuzzing::hooks`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| beckon::fuzzing::hooks(data));
