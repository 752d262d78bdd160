//! The fuzz target that reads `config.toml`: `beckon::fuzzing::config`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| beckon::fuzzing::config(data));
