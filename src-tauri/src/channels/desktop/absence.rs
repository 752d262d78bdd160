//! The notification that tells of an absence.

use super::{
    DesktopChannel, DesktopCommand, NotificationAction, NotificationButton, NotificationSound,
    NotificationText,
};
use beckon_client::text::{Texts, Value};
use beckon_core::{AskId, ButtonTarget};

/// Returns the name of that notification, which is no ask: the next one takes its place.
pub(super) fn id() -> AskId {
    AskId::new("beckon", "absence")
}

impl DesktopChannel {
    pub(super) fn show_absence(&self, answered: usize, waiting: usize) {
        let notice = notice(answered, waiting, &self.texts);
        // It is made for no ask: a press opens the list of all.
        let (ask, target, replaces) = (id(), ButtonTarget::default(), None);
        let sound = NotificationSound::Silent;
        let _ = self.commands.send(DesktopCommand::Show {
            ask,
            target,
            notice,
            replaces,
            sound,
        });
    }
}

fn notice(answered: usize, waiting: usize, texts: &Texts) -> NotificationText {
    let key = match (answered, waiting) {
        (_, 0) => "desktop-absence-answered",
        (0, _) => "desktop-absence-waiting",
        _ => "desktop-absence",
    };
    let args = [
        ("answered", Value::from(answered)),
        ("waiting", Value::from(waiting)),
    ];
    let press = NotificationAction::Open;
    let label = texts.get("desktop-open-inbox");
    let open = (waiting > 0).then_some(NotificationButton { press, label });
    NotificationText {
        title: texts.with(key, &args),
        buttons: open.into_iter().collect(),
        ..NotificationText::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_there_is_is_told() {
        let texts = Texts::load("en");
        let title = |answered, waiting| notice(answered, waiting, &texts).title;
        assert_eq!(title(6, 3), "While you were away: 6 answered, 3 waiting");
        assert_eq!(title(6, 0), "While you were away: 6 answered");
        assert_eq!(title(0, 3), "While you were away: 3 waiting");
        assert!(notice(6, 0, &texts).buttons.is_empty(), "nothing to open");
    }
}
