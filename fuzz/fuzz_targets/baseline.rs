//! What everything else is measured against: serde_json alone.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| {
    let _ = std::hint::black_box(serde_json::from_slice::<serde_json::Value>(text));
});
