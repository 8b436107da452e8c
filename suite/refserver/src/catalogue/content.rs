//! Blocks of content.

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

/// The smallest PNG: one transparent pixel.
pub(crate) const PNG: &[u8] =
    b"\x89PNG\x0d\x0a\x1a\x0a\x00\x00\x00\x0dIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\
    \x06\x00\x00\x00\x1f\x15\xc4\x89\x00\x00\x00\x0bIDATx\xdac`\x00\x02\x00\x00\x05\
    \x00\x01\xe9\xfa\xdc\xd8\x00\x00\x00\x00IEND\xaeB`\x82";

/// A WAV file of four silent samples.
pub(crate) const WAV: &[u8] =
    b"RIFF(\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00@\x1f\x00\x00@\x1f\x00\
    \x00\x01\x00\x08\x00data\x04\x00\x00\x00\x80\x80\x80\x80";

/// Standard base64, as all binary data has it.
pub(crate) fn base64(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// A text block.
pub(crate) fn text(text: impl Into<String>) -> Value {
    json!({ "type": "text", "text": text.into() })
}

/// A block of media: `image` or `audio`.
pub(crate) fn media(kind: &str, bytes: &[u8], mime_type: &str) -> Value {
    json!({ "type": kind, "data": base64(bytes), "mimeType": mime_type })
}

/// An icon that needs no network.
pub(crate) fn icon() -> Value {
    json!({ "src": format!("data:image/png;base64,{}", base64(PNG)), "mimeType": "image/png", "sizes": ["1x1"] })
}
