//! The cards on the daemon: shown, shown again, closed. The arguments of `Notify` are in `request`.

use super::daemon::{NOBODYS, NotificationDaemon, SentNotification};
use super::{
    ANSWER_WITHIN, DesktopCommand, DesktopReport, NAME, NotificationBus, NotificationSound,
    NotificationText, PATH, ReportSink, hangs, request,
};
use crate::platform::part;
use anyhow::{Context, Result};
use beckon_core::{AskId, ButtonTarget};
use futures_util::future::BoxFuture;
use std::collections::HashMap;
use zbus::zvariant::Value;

impl NotificationBus {
    /// Carries out a command. Fails when the daemon hangs.
    pub(super) async fn carry_out(
        &mut self,
        command: DesktopCommand,
        daemon: &mut NotificationDaemon,
        report: &ReportSink,
    ) -> Result<()> {
        match command {
            DesktopCommand::Show {
                ask,
                target,
                notice,
                replaces,
                sound,
            } => {
                let replaces = replaces.and_then(|handle| self.id_of(&handle, daemon));
                let former = daemon.ids.get(&ask).copied().or(replaces);
                self.show((ask, target), notice, former, sound, daemon, report)
                    .await?;
            }
            DesktopCommand::Withdraw { ask, handle } => {
                let of_handle = handle.and_then(|handle| self.id_of(&handle, daemon));
                let standing = daemon.ids.remove(&ask);
                if let Some(id) = standing.or(of_handle) {
                    daemon.give_up(id);
                    // Only a card that is up is emptied: one that was closed already would come up
                    // anew by that.
                    if daemon.has_history && standing.is_some() {
                        self.void(id, &daemon.owner).await;
                    }
                    // It may have closed by itself: daemons answer that with an error.
                    let closed = self
                        .call::<_, ()>(&daemon.owner, "CloseNotification", &id)
                        .await;
                    if let Err(error) = closed
                        && hangs(&error)
                    {
                        return Err(error);
                    }
                }
                report(DesktopReport::Withdrawn { ask });
            }
        }
        Ok(())
    }

    /// Shows a card, in place of the `former` one unless the human may be writing on that. Fails
    /// when the daemon hangs.
    async fn show(
        &mut self,
        (ask, target): (AskId, ButtonTarget),
        notice: NotificationText,
        former: Option<u32>,
        sound: NotificationSound,
        daemon: &mut NotificationDaemon,
        report: &ReportSink,
    ) -> Result<()> {
        let written_on = former.filter(|id| daemon.is_written_on(*id, target));
        let replaces = former.filter(|_| written_on.is_none());
        match self.notify(target, &notice, replaces, sound, daemon).await {
            Ok(id) => {
                let replies = daemon.extras.reply && notice.reply.is_some();
                let held = daemon.held(former, notice, sound);
                let sent = SentNotification {
                    is_misclicked: false,
                    ask: ask.clone(),
                    target,
                    replies,
                    held,
                };
                if let Some(ask) = daemon.note(id, sent) {
                    report(DesktopReport::Closed { ask });
                }
                let handle = format!("{}/{}/{id}", self.guid, daemon.owner);
                report(DesktopReport::Shown { ask, handle });
                if let Some(former) = written_on {
                    daemon.give_up(former);
                    self.close(former, &daemon.owner).await;
                }
            }
            Err(error) if hangs(&error) => return Err(error),
            Err(error) => {
                tracing::warn!(%ask, error = format!("{error:#}"), "a notification was not shown");
            }
        }
        Ok(())
    }

    /// Notes a change of "do not disturb". Cards that came without a sign are shown again once they
    /// may disturb.
    pub(super) async fn on_disturb(
        &mut self,
        on: Option<bool>,
        daemon: Option<&mut NotificationDaemon>,
        report: &ReportSink,
    ) -> Result<()> {
        let Some(daemon) = daemon.filter(|daemon| daemon.do_not_disturb != on) else {
            return Ok(());
        };
        daemon.do_not_disturb = on;
        report(DesktopReport::DoNotDisturb(on));
        if on == Some(true) {
            return Ok(());
        }
        for (id, ask, target, (notice, sound)) in daemon.take_held() {
            self.show((ask, target), notice, Some(id), sound, daemon, report)
                .await?;
        }
        Ok(())
    }

    /// Empties the card in the daemon's history: from there a person could have it shown again,
    /// with its buttons, and it would still seem to ask.
    async fn void(&self, id: u32, owner: &str) {
        let actions: Vec<String> = Vec::new();
        let hints = HashMap::from([("urgency", Value::from(0_u8))]);
        let title = self.look.over.clone();
        let none = String::new();
        let notify = (
            "Beckon",
            id,
            self.look.icon.clone(),
            title,
            none,
            actions,
            hints,
            1_i32,
        );
        if let Err(error) = self.call::<_, u32>(owner, "Notify", &notify).await {
            tracing::debug!(error = format!("{error:#}"), "a card stays in the history");
        }
    }

    /// Closes a card that Beckon does not know as its own any more.
    pub(super) async fn close(&self, id: u32, owner: &str) {
        if id == NOBODYS {
            return;
        }
        if let Err(error) = self.call::<_, ()>(owner, "CloseNotification", &id).await {
            tracing::debug!(
                error = format!("{error:#}"),
                "a stray card was closed already"
            );
        }
    }

    /// Returns the id in a handle from an earlier life, if the same daemon still runs on the same
    /// bus: another daemon may have given the same number to another program's notification.
    fn id_of(&self, handle: &str, daemon: &NotificationDaemon) -> Option<u32> {
        let id = handle.strip_prefix(&format!("{}/{}/", self.guid, daemon.owner))?;
        id.parse().ok().filter(|id| *id != NOBODYS)
    }

    async fn notify(
        &mut self,
        target: ButtonTarget,
        notice: &NotificationText,
        former: Option<u32>,
        sound: NotificationSound,
        daemon: &NotificationDaemon,
    ) -> Result<u32> {
        let critical = request::is_critical(notice, daemon.do_not_disturb);
        let args = (
            "Beckon",
            former.unwrap_or(0),
            self.look.icon.clone(),
            notice.title.clone(),
            request::body(notice, daemon.can.buttons, daemon.markup),
            request::actions(&self.look.seal, target, notice, daemon),
            request::hints(target, notice, critical, sound, (daemon.can, daemon.extras)),
            request::stays_for(notice),
        );
        let (connection, owner) = (self.connection.clone(), daemon.owner.clone());
        let mut call: BoxFuture<'static, Result<u32>> = Box::pin(async move {
            let to = Some(owner.as_str());
            let call = connection.call_method(to, PATH, Some(NAME), "Notify", &args);
            Ok(call.await?.body().deserialize()?)
        });
        match tokio::time::timeout(ANSWER_WITHIN, &mut call).await {
            Ok(shown) => shown.context("Failed to call Notify"),
            Err(elapsed) => {
                let owner = daemon.owner.clone();
                self.late
                    .spawn(part::within(async move { (owner, call.await) }));
                Err(elapsed).context("Failed to call Notify: it does not answer")
            }
        }
    }
}
