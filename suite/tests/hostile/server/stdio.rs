//! Serving standard input and output.

use std::io::{self, BufRead, Write};
use std::process::ExitCode;

use super::deed::Next;
use super::record::Record;
use super::{Order, Speech, answers, legacy};

/// Serves until the input ends, nobody listens any more, or a deed ends it.
pub(super) fn serve(order: &Order) -> ExitCode {
    match lines(order) {
        // Nobody listens any more.
        Ok(()) | Err(_) => ExitCode::SUCCESS,
    }
}

fn lines(order: &Order) -> io::Result<()> {
    let record = Record::open(order.record.as_deref());
    let mut output = io::stdout().lock();
    if let Some(deed) = order.deed_at(Order::START)
        && deed.on_stdio(None, &mut output)? == Next::End
    {
        return Ok(());
    }
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        let text = line.trim_ascii();
        if !text.is_empty() && take(order, &record, text, &mut output)? == Next::End {
            return Ok(());
        }
        line.clear();
    }
    Ok(())
}

fn take(order: &Order, record: &Record, text: &[u8], output: &mut impl Write) -> io::Result<Next> {
    let reply = match answers::read(text) {
        Err(reply) => reply,
        Ok(message) => {
            record.note(&message);
            let reply = match order.speech {
                Speech::Modern => answers::reply(&message, None),
                Speech::Legacy => legacy::reply(&message, None),
            };
            let method = message["method"].as_str().unwrap_or_default();
            if let Some(deed) = order.deed_at(method) {
                return deed.on_stdio(reply.answer.as_ref(), output);
            }
            reply
        }
    };
    if let Some(answer) = reply.answer {
        writeln!(output, "{answer}")?;
        output.flush()?;
    }
    Ok(Next::Serve)
}
