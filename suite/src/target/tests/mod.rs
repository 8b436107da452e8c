//! Tests of targets and surveys, against the reference server and against small servers of scripts.

mod endpoint;
mod reference;
mod scripted;
mod search;
mod trouble;

use std::time::Duration;

use tokio::time::Instant;

use super::{Endpoint, Target, TargetOptions};

/// How long anything may take in these tests.
const PATIENCE: Duration = Duration::from_secs(60);

async fn start(endpoint: Endpoint, options: TargetOptions) -> Target {
    Target::start(endpoint, options, Instant::now())
        .await
        .expect("the target starts")
}
