//! Other principals than the one that a run uses.

use crate::target::{Survey, Target, refuses};
use crate::text::redact_url;

use super::request::Credentials;

/// Why the tokens of others cannot be used, if so: the target refuses them, so that nothing could be told of what they may see. One that
/// may do less need not be let in to everything.
pub(super) async fn refused(
    target: &Target,
    survey: &Survey,
    credentials: &Credentials,
) -> Option<String> {
    let url = target.url().filter(|_| survey.auth)?;
    let others = [
        (&credentials.second, "second-bearer-env", &[401, 403][..]),
        (&credentials.low, "low-scope-bearer-env", &[401]),
    ];
    for (token, key, refusals) in others {
        let Some(token) = token else { continue };
        match refuses(target, token).await {
            Ok(Some(status)) if refusals.contains(&status) => {
                return Some(format!(
                    "{} answers {status} to the token of {key}: name the environment variable that holds one which it takes, or leave {key} out",
                    redact_url(url)
                ));
            }
            Ok(_) => {}
            Err(error) => return Some(error.to_string()),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use mcpspec_refserver::Options;
    use tokio::time::Instant;

    use crate::spec::Transport;
    use crate::target::{Endpoint, Sought, TargetOptions, survey};

    use super::*;

    async fn refusal(second: &str, low: &str) -> Option<String> {
        let server = Options {
            protected: true,
            ..Options::default()
        };
        let options = TargetOptions {
            headers: vec![(
                "Authorization".to_owned(),
                format!("Bearer {}", Options::TOKENS[0]),
            )],
            ..TargetOptions::default()
        };
        let endpoint = Endpoint::Memory(server, Transport::Http);
        let target = Target::start(endpoint, options, Instant::now())
            .await
            .expect("it starts");
        let none = BTreeMap::new();
        let survey = survey(&target, &[], &none, &Sought::default())
            .await
            .expect("the first token is taken");
        let credentials = Credentials {
            second: Some(format!("Bearer {second}")),
            low: Some(format!("Bearer {low}")),
        };
        let refused = refused(&target, &survey, &credentials).await;
        target.finish().await;
        refused
    }

    #[tokio::test(start_paused = true)]
    async fn tokens_of_others_that_are_refused_are_told_and_those_that_are_taken_are_not() {
        let [_, bob] = Options::TOKENS;
        let low = Options::LOW_TOKEN;
        assert_eq!(refusal(bob, low).await, None);
        for (second, low, key) in [
            ("nobody", low, "second-bearer-env"),
            (bob, "nobody", "low-scope-bearer-env"),
        ] {
            let told = refusal(second, low).await.expect("it is refused");
            let due = format!(
                "http://127.0.0.1/mcp answers 401 to the token of {key}: name the environment variable that holds one which it takes, or leave {key} out"
            );
            assert_eq!(told, due);
        }
    }
}
