//! `check`: judges a server.

use std::io::IsTerminal;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, watch};
use tokio::task::JoinError;

use crate::config::{Baseline, Settings, Surroundings};
use crate::event::{Event, TargetInfo};
use crate::report::{
    self, Folder, Format, Meta, Progress, Rehearsal, RenderOptions, Report, Verbosity,
};
use crate::run::{self, RunOptions, RunRequest, TargetRequest};
use crate::text::{Redactor, terminal_safe};

use super::check_args::{CheckArguments, ColorMode, OutputArguments};
use super::configured::Known;
use super::output::{tell, tell_insecure, tell_warning};
use super::reports::{self, ReportOption};
use super::suite::{self, Loaded};
use super::targets;
use super::{CliError, Exit};

/// Seed of invented names, so that two runs send the same.
const SEED: u64 = 20_260_728;

/// How long a rate may hold a run back without a word.
const SLOW: Duration = Duration::from_secs(1);

/// Columns that prose is wrapped to where there is no terminal.
const COLUMNS: usize = 100;

pub(super) async fn check(arguments: CheckArguments) -> Result<Exit, CliError> {
    let reports = reports::plan(&arguments.output.report)?;
    for path in reports.iter().filter_map(|report| report.path.as_deref()) {
        report::check_writable(path)?;
    }
    let baseline = arguments
        .judging
        .baseline
        .as_deref()
        .map(read_baseline)
        .transpose()?;
    let loaded = suite::load(&arguments.suite)?;
    if let Some(baseline) = &baseline {
        baseline.hold_against(&loaded.suite)?;
    }
    let selection = arguments.selection.selection()?;
    let cases: Vec<_> = loaded
        .suite
        .cases()
        .iter()
        .filter(|case| selection.takes(case))
        .cloned()
        .collect();
    if cases.is_empty() {
        return Err(CliError::NothingSelected);
    }
    let mut redactor = Redactor::new();
    let known = Known {
        settings: read_settings(&arguments, &loaded)?,
        profiles: loaded.profiles.clone(),
    };
    let targets = targets::targets(&arguments, &known, &mut redactor)?;
    warn_of_insecure(&arguments, &targets);
    let pacer = targets
        .iter()
        .find_map(|target| target.options.pacer.clone());
    let told = redactor.clone();
    let meta = Meta {
        suite_digest: loaded.digest.clone(),
        seed: SEED,
        strict: arguments.judging.strict,
        redactor,
    };
    let (interrupt, interrupted) = watch::channel(false);
    let request = RunRequest {
        suite: Arc::new(loaded.suite),
        cases,
        targets,
        options: RunOptions {
            jobs: arguments.judging.jobs.into(),
            seed: SEED,
            max_run: arguments.judging.max_run,
            interrupt: interrupted,
        },
    };
    tokio::spawn(interrupt_on_signal(interrupt));
    if arguments.judging.dry_run {
        return rehearse(request, Rehearsal::new(meta), told, &arguments).await;
    }
    let mut report = judge(request, Folder::new(meta), told, &arguments.output).await;
    let held = pacer.map(|pacer| pacer.held()).unwrap_or_default();
    if let Some(rate) = arguments.target.max_rate
        && held >= SLOW
    {
        let seconds = held.as_secs();
        tell(&format!(
            "note: --max-rate {rate} held requests back for {seconds} s"
        ));
    }
    if let Some(baseline) = baseline {
        report::compare(&baseline, &mut report, arguments.judging.strict);
    }
    write(&report, &reports, &arguments)?;
    let is_on_terminal =
        |report: &ReportOption| report.path.is_none() && report.format == Format::Terminal;
    if let Some(difference) = &report.baseline
        && !reports.iter().any(is_on_terminal)
    {
        // The report for people says it already, where it is printed.
        tell(&difference.to_string());
    }
    Ok(Exit::of_report(report.summary.exit_code))
}

/// Says loudly whose certificates are not looked at.
fn warn_of_insecure(arguments: &CheckArguments, targets: &[TargetRequest]) {
    let insecure = targets.iter().filter(|target| target.options.insecure);
    let urls: Vec<&str> = insecure
        .filter_map(|target| target.shown_url.as_deref())
        .collect();
    if arguments.target.insecure {
        tell_insecure(&urls);
    }
}

/// Runs, shows progress and folds what happens into the report.
async fn judge(
    request: RunRequest,
    mut folder: Folder,
    redactor: Redactor,
    output: &OutputArguments,
) -> Report {
    let mut progress = Progress::new(!output.no_progress && !output.quiet);
    let (sender, mut events) = mpsc::unbounded_channel();
    let run = tokio::spawn(run::run(request, sender));
    while let Some(event) = events.recv().await {
        progress.suspend(|| tell_misnamed(&event, &redactor));
        progress.event(&event);
        folder.event(&event);
    }
    drop(progress);
    tell_broken(run.await);
    folder.finish()
}

/// Says before a case runs what is wrong with the triggers of the configuration: in the report it would stand among the reasons of what
/// was skipped.
fn tell_misnamed(event: &Event, redactor: &Redactor) {
    if let Event::Misnamed { text } = event {
        let text = redactor.redact(text);
        tell_warning(&format!("{}: {}", Settings::FILE, terminal_safe(&text)));
    }
}

/// Tells of a panic, which is a defect of mcpspec. What was found until then is still reported, as a run that broke off.
fn tell_broken(run: Result<(), JoinError>) {
    if let Err(error) = run {
        tell(&format!("the run broke off: {error}"));
    }
}

/// Finds out and prints what a run would send.
async fn rehearse(
    request: RunRequest,
    mut rehearsal: Rehearsal,
    redactor: Redactor,
    arguments: &CheckArguments,
) -> Result<Exit, CliError> {
    let (sender, mut events) = mpsc::unbounded_channel();
    let run = tokio::spawn(run::rehearse(request, sender));
    while let Some(event) = events.recv().await {
        tell_misnamed(&event, &redactor);
        rehearsal.event(&event);
    }
    tell_broken(run.await);
    let options = render_options(Format::Terminal, None, arguments);
    let (page, report) = rehearsal.finish(&options);
    report::write(None, &page)?;
    let is_unusable = |target: &TargetInfo| target.unusable.is_some();
    Ok(match &report.interrupted {
        Some(early) if early.by_user => Exit::Interrupted,
        Some(_) => Exit::NotJudged,
        None if report.targets.iter().any(is_unusable) => Exit::NotJudged,
        None => Exit::Clean,
    })
}

fn write(
    report: &Report,
    reports: &[ReportOption],
    arguments: &CheckArguments,
) -> Result<(), CliError> {
    for ReportOption { format, path } in reports {
        let options = render_options(*format, path.as_deref(), arguments);
        report::write(path.as_deref(), &report::render(*format, report, &options))?;
    }
    Ok(())
}

/// How a report is rendered that goes to a file, or without a path to standard output.
fn render_options(
    format: Format,
    path: Option<&Path>,
    arguments: &CheckArguments,
) -> RenderOptions {
    let on_terminal = path.is_none() && std::io::stdout().is_terminal();
    RenderOptions {
        strict: arguments.judging.strict,
        verbosity: verbosity(&arguments.output),
        color: match arguments.output.color {
            ColorMode::Always => format == Format::Terminal,
            ColorMode::Never => false,
            ColorMode::Auto => {
                on_terminal && anstream::stdout().current_choice() != anstream::ColorChoice::Never
            }
        },
        width: COLUMNS,
    }
}

fn verbosity(output: &OutputArguments) -> Verbosity {
    match (output.quiet, output.verbose) {
        (true, _) => Verbosity::Quiet,
        (_, true) => Verbosity::Verbose,
        (false, false) => Verbosity::Normal,
    }
}

/// The configuration in the working directory, if there is one.
fn read_settings(arguments: &CheckArguments, loaded: &Loaded) -> Result<Settings, CliError> {
    let profiles: Vec<&str> = loaded
        .profiles
        .iter()
        .map(|profile| profile.name.as_str())
        .collect();
    let around = Surroundings {
        variables: &|name| std::env::var(name).ok(),
        profiles: &profiles,
        is_chosen: &|name| {
            let names = &arguments.names;
            !arguments.names_target() && (names.is_empty() || names.iter().any(|one| one == name))
        },
    };
    let path = Path::new(Settings::FILE);
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Settings::read(Settings::FILE, &text, &around)?),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Settings::default()),
        Err(source) => Err(CliError::Read {
            path: path.to_owned(),
            source,
        }),
    }
}

fn read_baseline(path: &Path) -> Result<Baseline, CliError> {
    let text = std::fs::read_to_string(path).map_err(|source| CliError::Read {
        path: path.to_owned(),
        source,
    })?;
    Ok(Baseline::read(&path.display().to_string(), &text)?)
}

/// Asks the run to end on Ctrl-C, and on Unix on SIGTERM.
async fn interrupt_on_signal(interrupt: watch::Sender<bool>) {
    super::signal::asked_to_end().await;
    // Without a receiver the run is over.
    let _ = interrupt.send(true);
}
