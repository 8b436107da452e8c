#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| mcpspec_laws::rpc_bytes(text));
