//! The place where a session runs, as far as the lists of servers tell it, and the way there from
//! the tray or from the notice of a finished turn.

use crate::app::App;
use crate::app::inbox::{LoopInput, SessionInput};
use crate::destination::{DestinationError, SessionHost, SessionOrigin};
use beckon_client::platform::clock;
use beckon_core::{AskId, Channel, Entry, FinishedTurn, Reach, Session, SourceId};

impl App {
    pub(in crate::app) fn on_session(&self, input: SessionInput) {
        match input {
            SessionInput::Origin(ask, reply) => _ = reply.send(self.origin(&ask)),
            SessionInput::Show(serial) => self.show_session(serial),
            SessionInput::NotShown(why) => self.on_not_shown(&why),
        }
    }

    /// Returns where the ask's session runs; `None` if the ask is settled.
    fn origin(&self, ask: &AskId) -> Option<SessionOrigin> {
        let Entry { ask, .. } = self.desk.entry(ask)?;
        let session = ask.session.clone();
        let host = self.host(&ask.id.source, &session);
        Some(SessionOrigin { session, host })
    }

    fn host(&self, source: &SourceId, session: &Session) -> SessionHost {
        if !session.via.is_empty() || self.is_beckon(source) {
            return SessionHost::Beckon(source.0.clone());
        }
        if let Some(process) = session.process {
            return SessionHost::Asker(process);
        }
        if let Some(server) = self
            .registry
            .servers()
            .find(|server| server.name == source.0)
        {
            return SessionHost::of_server(server);
        }
        let service = self
            .registry
            .services()
            .iter()
            .find(|service| service.name == source.0);
        service.map_or(SessionHost::Unknown, |it| {
            SessionHost::of_service(it.kind, &it.url)
        })
    }

    /// Shows that a turn is finished. If there is a way to its session, a press on the notice goes
    /// there.
    pub(in crate::app) fn tell_turn(
        &mut self,
        channel: Channel,
        source: &SourceId,
        turn: &FinishedTurn,
    ) {
        let host = self.host(source, &turn.session);
        let opens = (channel.reach() == Reach::Here && host.has_way()).then(|| {
            let session = turn.session.clone();
            self.turns.keep(SessionOrigin { session, host })
        });
        self.channels.get(channel).tell_turn(turn, opens);
    }

    /// Goes to the session of the ask with that serial, for the tray.
    fn show_session(&self, serial: u64) {
        let view = self.desk.view(clock::now());
        let ask = view.asks.iter().find(|ask| ask.entry.serial == serial);
        if let Some(origin) = ask.and_then(|ask| self.origin(&ask.entry.ask.id)) {
            self.go(origin);
        }
    }

    /// Brings a session to the front. If that fails, the human is told why.
    pub(in crate::app) fn go(&self, origin: SessionOrigin) {
        let mailbox = self.mailbox.clone();
        tokio::spawn(async move {
            if let Err(error) = origin.show().await {
                mailbox.input(LoopInput::Session(SessionInput::NotShown(error)));
            }
        });
    }

    /// Tells the human why a session is not shown: on the desktop, where they pressed.
    fn on_not_shown(&self, why: &DestinationError) {
        tracing::info!(error = %why, "a session is not shown");
        let title = self.texts.get("desktop-not-shown");
        self.channels.desktop.hint(title, why.words(&self.texts));
    }
}
