//! Requirements: they exist, bind a server, and run where the case runs.

use super::ground::Ground;
use crate::spec::{Role, Transport};
use crate::template::Problem;
use crate::text::closest;

pub(super) fn check(ground: &Ground<'_>, problems: &mut Vec<Problem>) {
    let registry = ground.sources.registry;
    let mut all_known = true;
    for (id, at) in &ground.case.requirements {
        let Some(requirement) = registry.get(id) else {
            all_known = false;
            let problem = Problem::new(*at, format!("there is no requirement `{id}`"));
            let ids = registry.iter().map(|requirement| requirement.id.as_str());
            problems.push(match closest(id, ids) {
                Some(close) => problem.with_help(format!("did you mean `{close}`?")),
                None => problem,
            });
            continue;
        };
        let judged = [Role::Server, Role::AuthorizationServer];
        if !requirement.roles.iter().any(|role| judged.contains(role)) {
            problems.push(Problem::new(*at, format!("`{id}` binds no server")));
        }
    }
    if all_known {
        transports(ground, problems);
    }
}

/// A case runs nowhere where none of its requirements holds.
fn transports(ground: &Ground<'_>, problems: &mut Vec<Problem>) {
    for transport in &ground.case.transports {
        let is_covered = ground
            .requirements()
            .any(|requirement| requirement.transports.covers(*transport));
        if !is_covered {
            let written = ground.data.member("transports");
            let at = written.map_or_else(|| ground.case.requirements[0].1, |data| data.at);
            problems.push(
                Problem::new(
                    at,
                    format!("the case runs on {transport}, where its requirement does not hold"),
                )
                .with_help(format!("write `transports: [{}]`", other(*transport))),
            );
        }
    }
}

fn other(transport: Transport) -> Transport {
    match transport {
        Transport::Stdio => Transport::Http,
        Transport::Http => Transport::Stdio,
    }
}
