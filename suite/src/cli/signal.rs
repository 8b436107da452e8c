//! The signals by which a user ends the program.

/// Waits for Ctrl-C, and on Unix for SIGTERM. Where a signal cannot be listened to, it keeps its usual effect.
pub(super) async fn asked_to_end() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        match signal(SignalKind::terminate()) {
            Ok(mut terminate) => tokio::select! {
                () = ctrl_c() => {}
                _ = terminate.recv() => {}
            },
            Err(_) => ctrl_c().await,
        }
    }
    #[cfg(not(unix))]
    ctrl_c().await;
}

async fn ctrl_c() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending().await
    }
}
