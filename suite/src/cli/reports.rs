//! `--report FORMAT[=PATH]`: which reports are written, and where.

use std::path::PathBuf;
use std::str::FromStr;

use crate::report::{Format, UnknownFormat};

use super::CliError;

/// A report that is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ReportOption {
    pub(super) format: Format,
    /// None is standard output.
    pub(super) path: Option<PathBuf>,
}

impl FromStr for ReportOption {
    type Err = UnknownFormat;

    fn from_str(text: &str) -> Result<ReportOption, UnknownFormat> {
        let (name, path) = text.split_once('=').unwrap_or((text, "-"));
        Ok(ReportOption {
            format: name.parse()?,
            path: (!matches!(path, "-" | "")).then(|| path.into()),
        })
    }
}

/// What is to be written: the reports asked for, and the one for the terminal unless another goes to standard output.
///
/// # Errors
///
/// Two of them go to standard output.
pub(super) fn plan(asked: &[ReportOption]) -> Result<Vec<ReportOption>, CliError> {
    let mut reports = asked.to_vec();
    match reports
        .iter()
        .filter(|report| report.path.is_none())
        .count()
    {
        0 => reports.insert(
            0,
            ReportOption {
                format: Format::Terminal,
                path: None,
            },
        ),
        1 => {}
        _ => return Err(CliError::TwoReportsOnStdout),
    }
    Ok(reports)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn option(text: &str) -> ReportOption {
        text.parse().expect("the option is right")
    }

    #[test]
    fn a_report_without_a_path_goes_to_standard_output() {
        for text in ["json", "json=-", "json="] {
            assert_eq!(
                option(text),
                ReportOption {
                    format: Format::Json,
                    path: None
                },
                "{text}"
            );
        }
        let path = Some("a=b.xml".into());
        assert_eq!(
            option("junit=a=b.xml"),
            ReportOption {
                format: Format::Junit,
                path
            }
        );
        assert!("xml=a".parse::<ReportOption>().is_err());
    }

    #[test]
    fn a_report_on_standard_output_replaces_the_one_for_the_terminal() {
        let terminal = option("terminal");
        let file = option("json=a.json");
        assert_eq!(plan(&[]).expect("no conflict"), [option("terminal")]);
        assert_eq!(
            plan(&[option("json=a.json")]).expect("no conflict"),
            [terminal, file]
        );
        assert_eq!(
            plan(&[option("json")]).expect("no conflict"),
            [option("json")]
        );
        assert!(matches!(
            plan(&[option("json"), option("junit")]),
            Err(CliError::TwoReportsOnStdout)
        ));
    }
}
