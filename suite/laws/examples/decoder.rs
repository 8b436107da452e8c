//! How fast the decoder reads, beside serde_json, over the committed messages. Fails below half its speed.

use std::hint::black_box;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use std::{fs, io};

use mcpspec_wire::{Document, Message};

/// How long each reader reads, three times over.
const TURN: Duration = Duration::from_millis(500);

fn main() -> io::Result<ExitCode> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/rpc_bytes");
    let mut messages = Vec::new();
    for entry in fs::read_dir(folder)? {
        messages.push(fs::read(entry?.path())?);
    }
    messages.retain(|text| serde_json::from_slice::<serde_json::Value>(text).is_ok());
    let serde = speed(&messages, |text| {
        drop(black_box(serde_json::from_slice::<serde_json::Value>(text)));
    });
    let document = speed(&messages, |text| drop(black_box(Document::parse(text))));
    let message = speed(&messages, |text| drop(black_box(Message::decode(text))));

    println!(
        "{:<18} {:>8} {:>7} {:>7}",
        "reader", "MB/s", "ratio", "least"
    );
    println!("{:<18} {serde:>8.0} {:>7.2}", "serde_json", 1.0);
    for (name, speed) in [("Document::parse", document), ("Message::decode", message)] {
        println!(
            "{name:<18} {speed:>8.0} {:>7.2} {:>7.2}",
            speed / serde,
            0.5
        );
    }
    let fast = document.min(message) >= serde / 2.0;
    Ok(if fast {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Megabytes a second, the best of three turns.
fn speed(messages: &[Vec<u8>], read: impl Fn(&[u8])) -> f64 {
    let turn = |_| {
        let (start, mut bytes) = (Instant::now(), 0);
        while start.elapsed() < TURN {
            for message in messages {
                read(message);
                bytes += message.len();
            }
        }
        bytes as f64 / start.elapsed().as_secs_f64() / 1e6
    };
    (0..3).map(turn).fold(0.0, f64::max)
}
