//! The calls to Windows: show a toast, hear what becomes of it, take it away.
//!
//! Not here: which toast is of which ask, and the text of a toast.

use super::identity;
use crate::channels::desktop::DesktopFault;
use anyhow::{Context, Result, bail};
use windows::Data::Xml::Dom::XmlDocument;
use windows::Foundation::TypedEventHandler;
use windows::UI::Notifications::{
    NotificationSetting, ToastActivatedEventArgs, ToastDismissalReason, ToastDismissedEventArgs,
    ToastFailedEventArgs, ToastNotification, ToastNotificationHistory, ToastNotificationManager,
    ToastNotifier,
};
use windows::core::{HRESULT, HSTRING, IInspectable, Interface, Ref};

/// The group of all our toasts; the group and a tag name one of them.
const GROUP: &str = "beckon";

/// The fate of a toast.
#[derive(Debug)]
pub(super) enum Fate {
    /// The human pressed the toast: its body, or the button that carries this text.
    Pressed(String),
    /// The human put it away.
    Dismissed,
    /// Windows could not show it.
    Failed(HRESULT),
}

/// The notifier and the history through which our toasts are shown and removed.
pub(super) struct Board {
    notifier: ToastNotifier,
    history: ToastNotificationHistory,
}

impl Board {
    /// Registers who we are and takes away what an earlier life left.
    pub(super) fn open() -> Result<Self> {
        identity::register()?;
        let id = HSTRING::from(identity::ID);
        let notifier = ToastNotificationManager::CreateToastNotifierWithId(&id)
            .context("Failed to reach the notifications of Windows")?;
        let history = ToastNotificationManager::History()
            .context("Failed to reach the notifications of Windows")?;
        let board = Self { notifier, history };
        board.check()?;
        if let Err(error) = board.history.ClearWithId(&id) {
            tracing::debug!(%error, "the notifications could not be cleared");
        }
        Ok(board)
    }

    /// Fails when notifications are turned off: Windows would drop a toast without a word.
    fn check(&self) -> Result<()> {
        match self.notifier.Setting() {
            Ok(NotificationSetting::DisabledForApplication) => {
                bail!(DesktopFault::OffForBeckon)
            }
            Ok(NotificationSetting::DisabledForUser) => {
                bail!(DesktopFault::Off)
            }
            Ok(NotificationSetting::DisabledByGroupPolicy) => {
                bail!(DesktopFault::OffByPolicy)
            }
            // A fresh identity has no setting yet.
            Ok(_) | Err(_) => Ok(()),
        }
    }

    /// Shows a toast, in place of one with the same tag. Its fate is heard as long as the returned
    /// toast is kept, also after it has slipped into the notification centre.
    pub(super) fn show(
        &self,
        tag: &str,
        xml: &str,
        hear: impl Fn(Fate) + Clone + Send + 'static,
    ) -> Result<ToastNotification> {
        self.check()?;
        let make = || -> windows::core::Result<ToastNotification> {
            let content = XmlDocument::new()?;
            content.LoadXml(&HSTRING::from(xml))?;
            let toast = ToastNotification::CreateToastNotification(&content)?;
            toast.SetTag(&HSTRING::from(tag))?;
            toast.SetGroup(&HSTRING::from(GROUP))?;
            listen(&toast, hear)?;
            self.notifier.Show(&toast)?;
            Ok(toast)
        };
        make().context("Failed to show a notification")
    }

    /// Takes a toast away: from the screen, and from the notification centre by its tag.
    pub(super) fn remove(&self, tag: &str, toast: Option<&ToastNotification>) {
        if let Some(Err(error)) = toast.map(|toast| self.notifier.Hide(toast)) {
            tracing::debug!(tag, %error, "a notification was not on the screen");
        }
        let id = HSTRING::from(identity::ID);
        let (tag, group) = (HSTRING::from(tag), HSTRING::from(GROUP));
        if let Err(error) = self.history.RemoveGroupedTagWithId(&tag, &group, &id) {
            tracing::debug!(%tag, %error, "a notification was gone already");
        }
    }
}

/// Subscribes to the fate of a toast. Windows calls back on threads of its own.
fn listen(
    toast: &ToastNotification,
    hear: impl Fn(Fate) + Clone + Send + 'static,
) -> windows::core::Result<()> {
    let (pressed, dismissed) = (hear.clone(), hear.clone());
    toast.Activated(&TypedEventHandler::new(
        move |_, args: Ref<IInspectable>| {
            let args = args.ok()?.cast::<ToastActivatedEventArgs>()?;
            pressed(Fate::Pressed(args.Arguments()?.to_string_lossy()));
            Ok(())
        },
    ))?;
    toast.Dismissed(&TypedEventHandler::new(
        move |_, args: Ref<ToastDismissedEventArgs>| {
            // For any other reason it has slipped into the notification centre, or we took it away.
            if args.ok()?.Reason()? == ToastDismissalReason::UserCanceled {
                dismissed(Fate::Dismissed);
            }
            Ok(())
        },
    ))?;
    toast.Failed(&TypedEventHandler::new(
        move |_, args: Ref<ToastFailedEventArgs>| {
            hear(Fate::Failed(args.ok()?.ErrorCode()?));
            Ok(())
        },
    ))?;
    Ok(())
}
