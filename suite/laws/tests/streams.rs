//! The laws of lines, server-sent events and header values.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// A stream of pieces that mean something to the decoder, and of any bytes.
fn stream(pieces: &'static [&'static str]) -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        8 => select(pieces).prop_map(|piece| piece.as_bytes().to_vec()),
        1 => vec(any::<u8>(), 0..4),
    ];
    vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

/// Sizes of chunks, most of them small.
fn sizes() -> impl Strategy<Value = Vec<u8>> {
    vec(0..8_u8, 0..32)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn chunks_make_no_difference_to_lines(
        cap in 0..12_usize,
        sizes in sizes(),
        stream in stream(&["\n", "\r", "\r\n", "a", "bc", "defgh"]),
    ) {
        mcpspec_laws::lines_in_chunks(cap, &sizes, &stream);
    }

    #[test]
    fn chunks_make_no_difference_to_events(
        cap in 0..40_usize,
        sizes in sizes(),
        stream in stream(&[
            "\n", "\r", "\r\n", "\n\n", "data", "data:", "event:", "id:", "id", "retry:", ":", " ", "x", "12", "\0", "\u{feff}", "é",
            "data: x\n\n", "data:99999999999999999999\n",
        ]),
    ) {
        mcpspec_laws::sse_in_chunks(cap, &sizes, &stream);
    }

    #[test]
    fn any_text_survives_a_header(text in any::<String>()) {
        mcpspec_laws::header_value(text.as_bytes());
    }

    #[test]
    fn header_values_are_decoded_just_if_they_are_canonical(
        start in select(&["", "=?base64?", "=?Base64?", " "]),
        middle in vec(select(b"AQgwZz09+/=-_ ?\t\x7f\xc3".as_slice()), 0..10),
        end in select(&["", "?=", "==?=", "=?="]),
    ) {
        mcpspec_laws::header_value(&[start.as_bytes(), &middle, end.as_bytes()].concat());
    }

    #[test]
    fn any_input_keeps_the_laws(input in vec(any::<u8>(), 0..80)) {
        mcpspec_laws::lines(&input);
        mcpspec_laws::sse(&input);
        mcpspec_laws::header_value(&input);
    }
}
