//! Whether a target takes the tokens of others than the one that is used for everything else.

use crate::target::{OpenError, Target};

use super::asker::Asker;

/// Asks a target for `server/discover` with this value of Authorization. Gives the status with which it refuses it, if it does: 401, or
/// 403.
///
/// # Errors
///
/// If no connection can be opened.
pub async fn refuses(target: &Target, authorization: &str) -> Result<Option<u16>, OpenError> {
    let asker = Asker::open(target, "survey with the token of another").await?;
    let answer = asker
        .discover_as(Some(authorization), target.options().timeout)
        .await;
    asker.close().await;
    let status = answer.head.map(|head| head.status);
    Ok(status.filter(|status| matches!(status, 401 | 403)))
}
