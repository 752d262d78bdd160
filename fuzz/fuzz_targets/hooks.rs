//! The fuzz target that reads the input of Claude Code's hooks: `beckon::fuzzing::hooks`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| beckon::fuzzing::hooks(data));
