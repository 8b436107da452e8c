//! Tools that take a while, and say how far they are.

use std::time::Duration;

use serde_json::{Value, json};

use super::{
    content::text,
    tools::{Job, Tool, Work, object},
};
use crate::{
    call::Level,
    server::{Outcome, Reply},
};

/// The tools.
pub(super) fn tools() -> Vec<Tool> {
    vec![
        Tool::read_only(
            "slow",
            "Works for some seconds, reports progress, and can be cancelled.",
            object(
                json!({
                    "seconds": { "type": "number", "minimum": 0, "maximum": 3600 },
                    "job": { "type": "string", "description": "The name under which count finds it" },
                }),
                &[],
            ),
            Work::Takes(|job| Box::pin(slow(job))),
        ),
        Tool::read_only(
            "count",
            "Says how many steps a slow job has made since the server was started.",
            object(json!({ "job": { "type": "string" } }), &[]),
            Work::Now(|server, arguments| {
                let steps = server.world().counted(job_name(arguments.get("job")));
                json!({ "content": [text(steps.to_string())] })
            }),
        ),
        Tool::read_only(
            "progress",
            "Reports progress several times.",
            object(
                json!({ "steps": { "type": "integer", "minimum": 1, "maximum": 1000 } }),
                &[],
            ),
            Work::Takes(|job| Box::pin(progress(job))),
        ),
        Tool::read_only(
            "log",
            "Logs one message of each level.",
            object(json!({}), &[]),
            Work::Takes(|job| Box::pin(log(job))),
        ),
    ]
}

fn job_name(argument: Option<&Value>) -> &str {
    argument.and_then(Value::as_str).unwrap_or("slow")
}

/// Twenty steps a second.
async fn slow(job: Job) -> Outcome {
    const STEP: Duration = Duration::from_millis(50);
    let seconds = job
        .arguments
        .get("seconds")
        .and_then(Value::as_f64)
        .unwrap_or(12.0);
    let name = job_name(job.arguments.get("job"));
    let steps = (seconds / STEP.as_secs_f64()).round() as u64;
    for step in 0..steps {
        tokio::time::sleep(STEP).await;
        job.server.world().count(name);
        // Five times a second is enough for anyone.
        if step % 4 == 0 {
            job.sink.progress(step + 1, steps, "Still at it.");
        }
        if step % 20 == 0 {
            job.sink
                .log(Level::Info, json!({ "step": step + 1, "of": steps }));
        }
    }
    Ok(Reply::from(
        json!({ "content": [text(format!("Done after {steps} steps."))] }),
    ))
}

async fn progress(job: Job) -> Outcome {
    let steps = job
        .arguments
        .get("steps")
        .and_then(Value::as_u64)
        .unwrap_or(5);
    for step in 1..=steps {
        job.sink.progress(step, steps, "One step further.");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    Ok(Reply::from(
        json!({ "content": [text(format!("Made {steps} steps."))] }),
    ))
}

async fn log(job: Job) -> Outcome {
    for level in Level::ALL {
        job.sink.log(
            level,
            json!(format!("A message of level {}.", level.name())),
        );
        // The other end gets a turn.
        tokio::task::yield_now().await;
    }
    Ok(Reply::from(
        json!({ "content": [text("All levels were logged.")] }),
    ))
}
