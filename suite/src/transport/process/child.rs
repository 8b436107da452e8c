//! Starting a process and waiting for its end.

use std::io;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

#[cfg(unix)]
use process_wrap::tokio::ProcessGroup;
use process_wrap::tokio::{ChildWrapper, CommandWrap, KillOnDrop};
use tokio::io::AsyncRead;
use tokio::process::{ChildStdin, ChildStdout};

use crate::transcript::ExitStatus;
use crate::transport::stdio::Process;

use super::descendants::{self, Running};
use super::stderr::Tail;

/// How long the last words of a process that ended are waited for, since a child of it may hold the pipe.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// A command as it is started.
#[derive(Debug, Clone)]
pub(crate) struct CommandLine {
    /// The program and its arguments, at least the former.
    pub(crate) words: Vec<String>,
    /// Environment variables added to those of this program.
    pub(crate) env: Vec<(String, String)>,
    /// Its working directory, if it is another one.
    pub(crate) cwd: Option<PathBuf>,
}

/// Why a command could not be started.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("cannot start {command}: {problem}")]
pub(crate) struct ChildError {
    /// Its first word.
    pub(crate) command: String,
    /// What the system said, and what to do.
    pub(crate) problem: String,
}

/// A process that was started.
pub(crate) struct Child {
    /// Its standard input.
    pub(crate) input: ChildStdin,
    /// Its standard output.
    pub(crate) output: ChildStdout,
    /// Its end. If it is dropped the process is killed.
    pub(crate) exit: Pin<Box<dyn Future<Output = ExitStatus> + Send>>,
    /// What can be done to it.
    pub(crate) handle: Arc<Handle>,
}

/// What can be done to a process.
#[derive(Debug)]
pub(crate) struct Handle {
    /// The process and its group have the same number.
    id: u32,
    mark: String,
    stderr: Tail,
    /// Whether it was reaped, so that its number may be another's by now.
    reaped: AtomicBool,
    /// Other systems than Unix: asks the task that waits for the process to end it.
    #[cfg(not(unix))]
    kill: tokio::sync::Notify,
}

impl Child {
    /// Starts a command as the leader of a group of its own, and reads what it writes to standard error.
    pub(crate) fn start(line: &CommandLine) -> Result<Child, ChildError> {
        descendants::adopt();
        let program = line.words.first().map(String::as_str).unwrap_or_default();
        let (mark, marks) = descendants::mark();
        let mut command = CommandWrap::with_new(program, |command| {
            command
                .args(line.words.iter().skip(1))
                .envs(line.env.iter().map(|(name, value)| (name, value)));
            command.env(descendants::VARIABLE, marks);
            command
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped());
            if let Some(cwd) = &line.cwd {
                command.current_dir(cwd);
            }
        });
        // Not a session of its own: that takes a fork, which copies the page tables of this program for every start.
        #[cfg(unix)]
        command.wrap(ProcessGroup::leader());
        let command = command.wrap(KillOnDrop);
        let ((mut child, id), running) = Running::start(|| {
            let child = command.spawn()?;
            let id = child.id().expect("nobody has waited for the process yet");
            Ok(((child, id), id))
        })
        .map_err(|error: io::Error| ChildError {
            command: program.to_owned(),
            problem: explain(&error, program, line.cwd.as_deref()),
        })?;
        let stderr = Tail::default();
        let streams = (
            child.stdin().take(),
            child.stdout().take(),
            child.stderr().take(),
        );
        let (Some(input), Some(output), Some(errors)) = streams else {
            unreachable!("three pipes were asked for");
        };
        tokio::spawn(stderr.clone().read(errors));
        let handle = Arc::new(Handle {
            id,
            mark,
            stderr,
            reaped: AtomicBool::new(false),
            #[cfg(not(unix))]
            kill: tokio::sync::Notify::new(),
        });
        let exit = Box::pin(wait(child, handle.clone(), running));
        Ok(Child {
            input,
            output,
            exit,
            handle,
        })
    }
}

/// Waits for the process alone, not for others of its group.
#[cfg(unix)]
async fn wait(
    mut child: Box<dyn ChildWrapper>,
    handle: Arc<Handle>,
    running: Running,
) -> ExitStatus {
    let status = child.inner_mut().wait().await;
    drop(running);
    handle.reaped.store(true, Ordering::SeqCst);
    handle.stderr.ended(LAST_WORDS).await;
    told(status)
}

/// Waits for the process, and ends it when asked to.
#[cfg(not(unix))]
async fn wait(
    mut child: Box<dyn ChildWrapper>,
    handle: Arc<Handle>,
    _running: Running,
) -> ExitStatus {
    let status = loop {
        tokio::select! {
            status = child.wait() => break status,
            () = handle.kill.notified() => drop(child.start_kill()),
        }
    };
    handle.reaped.store(true, Ordering::SeqCst);
    handle.stderr.ended(LAST_WORDS).await;
    told(status)
}

fn told(status: io::Result<std::process::ExitStatus>) -> ExitStatus {
    let Ok(status) = status else {
        // Another part of this program reaped it; how it ended is lost.
        return ExitStatus::default();
    };
    ExitStatus {
        code: status.code(),
        #[cfg(unix)]
        signal: std::os::unix::process::ExitStatusExt::signal(&status),
        #[cfg(not(unix))]
        signal: None,
    }
}

impl Handle {
    /// Keeps the end of another stream of the process together with that of standard error.
    pub(super) fn watch(&self, stream: impl AsyncRead + Send + Unpin + 'static) {
        tokio::spawn(self.stderr.clone().read(stream));
    }

    /// Signals the whole group.
    #[cfg(unix)]
    fn signal(&self, signal: rustix::process::Signal) {
        let group = i32::try_from(self.id)
            .ok()
            .and_then(rustix::process::Pid::from_raw);
        if let Some(group) = group {
            // The group may have ended just now.
            let _ = rustix::process::kill_process_group(group, signal);
        }
    }
}

impl Process for Handle {
    fn terminate(&self) {
        if self.reaped.load(Ordering::SeqCst) {
            return;
        }
        #[cfg(unix)]
        self.signal(rustix::process::Signal::TERM);
        #[cfg(not(unix))]
        self.kill.notify_one();
    }

    fn kill(&self) {
        if self.reaped.load(Ordering::SeqCst) {
            return;
        }
        #[cfg(unix)]
        self.signal(rustix::process::Signal::KILL);
        #[cfg(not(unix))]
        self.kill.notify_one();
    }

    fn sweep(&self) {
        // The number of a group is not given away while it has members.
        #[cfg(unix)]
        self.signal(rustix::process::Signal::KILL);
        descendants::end_left(&self.mark, self.id);
    }

    fn stderr_tail(&self) -> Vec<String> {
        self.stderr.lines()
    }
}

/// What the system said, and what to do about it.
fn explain(error: &io::Error, program: &str, cwd: Option<&Path>) -> String {
    if let Some(cwd) = cwd.filter(|cwd| !cwd.is_dir()) {
        return format!("its working directory {} does not exist", cwd.display());
    }
    match error.kind() {
        io::ErrorKind::NotFound if Path::new(program).exists() => {
            "the file is there, but not the interpreter that its first line names".to_owned()
        }
        io::ErrorKind::NotFound if program.contains(char::is_whitespace) => {
            "there is no such command; write the command and its arguments as words of their own, without quotes around them all"
                .to_owned()
        }
        io::ErrorKind::NotFound if program.contains('/') => "there is no such file".to_owned(),
        io::ErrorKind::NotFound => "there is no such command in PATH".to_owned(),
        io::ErrorKind::PermissionDenied if Path::new(program).is_dir() => {
            "it is a directory; write the command that starts the server in it, such as `node server.js`, and --cwd DIR if it has to start there"
                .to_owned()
        }
        io::ErrorKind::PermissionDenied => {
            "it is not executable; run `chmod +x` on it, or name its interpreter first, as in `node server.js`".to_owned()
        }
        _ => error.to_string(),
    }
}
