//! What a run tells of a target before it judges it.

use crate::event::{SurveyInfo, TargetInfo, TriggerInfo};
use crate::spec::Transport;
use crate::target::{ServedEra, Survey};

use super::request::TargetRequest;

/// A target as its report begins: what was learned of it, or why it cannot be used.
pub(super) fn target_info(
    index: usize,
    wanted: &TargetRequest,
    transport: Transport,
    found: Option<&Survey>,
    unusable: Option<String>,
) -> TargetInfo {
    let server_info = found.and_then(|survey| survey.server_info.as_ref());
    let own_name = server_info.and_then(|info| info.get("name")?.as_str().map(str::to_owned));
    TargetInfo {
        index,
        name: wanted
            .name
            .clone()
            .or(own_name)
            .unwrap_or_else(|| "target".to_owned()),
        transport,
        command: wanted.shown_command.clone(),
        url: wanted.shown_url.clone(),
        insecure: wanted.options.insecure,
        survey: found.map(survey_info),
        unusable,
        exit: None,
    }
}

fn survey_info(survey: &Survey) -> SurveyInfo {
    let era = match survey.era {
        ServedEra::Modern => "modern",
        ServedEra::Dual => "dual",
        ServedEra::Legacy => "legacy",
    };
    let mut versions = survey.supported_versions.clone();
    if let Some(legacy) = &survey.legacy_version
        && !versions.contains(legacy)
    {
        versions.push(legacy.clone());
    }
    let triggers = survey.triggers.iter();
    SurveyInfo {
        era: era.to_owned(),
        supported_versions: versions,
        capabilities: survey.capabilities.to_serde().unwrap_or_default(),
        server_info: survey
            .server_info
            .as_ref()
            .and_then(|info| info.to_serde().ok()),
        triggers: triggers
            .map(|(name, trigger)| TriggerInfo {
                name: name.clone(),
                source: trigger.source.clone(),
            })
            .collect(),
    }
}
