//! The door by which this machine's own commands reach the process that keeps the desk: a socket in
//! the hub's folder (a pipe of the system on Windows), which only its owner opens. What the admin
//! asks never goes over the hub's server, whose holder could read it, keep it and send it again.
//!
//! Not here: what is asked and told (`hub/requests.rs`). It is signed here as it is on the hub: a
//! pipe has a name that another user may have taken before us.

#[cfg_attr(unix, path = "door/unix.rs")]
#[cfg_attr(not(unix), path = "door/windows.rs")]
mod platform;

use crate::hub::login::WITHIN;
use anyhow::{Context as _, Result, ensure};
use std::path::Path;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::oneshot;
use tokio::time::timeout;

/// The subject for which questions at the door are signed. No subject on the hub has this name.
pub(in crate::hub) const SUBJECT: &str = "beckon hub serve";

/// The largest question, in bytes: the rules of a large team.
const LARGEST: u32 = 1024 * 1024;

/// A question that came in by the door.
pub(super) struct LocalQuestion {
    pub(super) payload: Vec<u8>,
    pub(super) answer: oneshot::Sender<String>,
}

/// A reason why there is no answer.
#[derive(Debug, thiserror::Error)]
pub(in crate::hub) enum NoDoor {
    /// No process keeps the desk of that folder.
    #[error("nobody serves the hub at the moment")]
    NotServed,
    /// The process does not answer.
    #[error("{0:#}")]
    Failed(anyhow::Error),
}

/// Opens the door of that folder, and passes on the questions until the result is dropped.
///
/// # Errors
/// When the system does not open it.
pub(super) fn open(
    folder: &Path,
    questions: UnboundedSender<LocalQuestion>,
) -> Result<tokio::task::JoinSet<()>> {
    let mut door = platform::Door::open(folder)?;
    let mut open = tokio::task::JoinSet::new();
    open.spawn(async move {
        loop {
            match door.accept().await {
                Ok(stream) => _ = tokio::spawn(serve(stream, questions.clone())),
                Err(error) => {
                    tracing::warn!(%error, "the hub's door can't accept a connection");
                    tokio::time::sleep(WITHIN).await;
                }
            }
        }
    });
    Ok(open)
}

async fn serve(
    mut stream: impl AsyncRead + AsyncWrite + Unpin,
    questions: UnboundedSender<LocalQuestion>,
) {
    let served = async {
        let payload = timeout(WITHIN, read_frame(&mut stream)).await??;
        let (answer, answered) = oneshot::channel();
        questions.send(LocalQuestion { payload, answer })?;
        let answer = answered.await?;
        timeout(WITHIN, write_frame(&mut stream, answer.as_bytes())).await??;
        anyhow::Ok(())
    };
    if let Err(error) = served.await {
        tracing::debug!(
            error = format!("{error:#}"),
            "a request at the hub's door failed"
        );
    }
}

/// Asks the process that keeps the desk of that folder, and returns its answer.
///
/// # Errors
/// When there is none, or no answer comes in time.
pub(in crate::hub) async fn ask(folder: &Path, question: &str) -> Result<Vec<u8>, NoDoor> {
    let stream = platform::connect(folder).await;
    let mut stream = stream.map_err(|error| {
        tracing::debug!(%error, "the hub's door is closed");
        NoDoor::NotServed
    })?;

    let asked = async {
        write_frame(&mut stream, question.as_bytes()).await?;
        read_frame(&mut stream).await
    };
    match timeout(super::ANSWERS_WITHIN, asked).await {
        Ok(answer) => answer.map_err(NoDoor::Failed),
        Err(late) => Err(NoDoor::Failed(late.into())),
    }
}

/// Writes a frame with its length, so that the other side knows it before it reads: a pipe has no
/// end before it is closed.
async fn write_frame(stream: &mut (impl AsyncWrite + Unpin), bytes: &[u8]) -> Result<()> {
    let length = u32::try_from(bytes.len()).context("it is too long")?;
    stream.write_u32(length).await?;
    stream.write_all(bytes).await?;
    stream.flush().await?;
    Ok(())
}

async fn read_frame(stream: &mut (impl AsyncRead + Unpin)) -> Result<Vec<u8>> {
    let length = stream.read_u32().await?;
    ensure!(length <= LARGEST, "it is too long");
    let mut bytes = vec![0; usize::try_from(length)?];
    stream.read_exact(&mut bytes).await?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::sync::mpsc::unbounded_channel;

    #[tokio::test]
    async fn a_question_is_answered_by_whoever_keeps_that_folder_and_by_nobody_else() {
        let folder = tempfile::tempdir().unwrap();
        let nobody = ask(folder.path(), "first").await;
        assert!(matches!(nobody, Err(NoDoor::NotServed)), "{nobody:?}");

        let (questions, mut heard) = unbounded_channel();
        let open = open(folder.path(), questions).unwrap();
        let keeping = tokio::spawn(async move {
            while let Some(question) = heard.recv().await {
                let words = String::from_utf8(question.payload).unwrap();
                question.answer.send(format!("{words}, indeed")).unwrap();
            }
        });
        for _ in 0..2 {
            let answer = ask(folder.path(), "second").await.unwrap();
            assert_eq!(answer, b"second, indeed");
        }

        drop(open);
        keeping.await.unwrap();
        let nobody = ask(folder.path(), "third").await;
        assert!(matches!(nobody, Err(NoDoor::NotServed)), "{nobody:?}");
    }
}
