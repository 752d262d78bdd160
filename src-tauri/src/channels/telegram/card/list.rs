//! The list of all that waits: a line each, the longest wait first, a page at a time. Each line
//! leads to its card, by a link where Telegram has links to messages, and by a button where it has
//! none.
//!
//! Not here: what a tap on it does (`shown/waiting_list.rs`), and when it is sent (`outbox`).

use super::{CardButton, CardContext, CardMessage, says, time};
use crate::channels::telegram::button::{self, ListTap};
use crate::channels::telegram::html::Html;
use crate::channels::telegram::updates::presence::SaidPresence;
use beckon_client::text::Value;
use beckon_core::{Attention, Entry};

/// The number of lines on a page: they can be read at a glance, and their buttons are two rows.
const PAGE: usize = 8;
const BUTTONS_IN_ROW: usize = 4;

/// The content of a list.
pub(in crate::channels::telegram) struct ListContent<'a> {
    /// The asks that wait, the longest first.
    pub(in crate::channels::telegram) waiting: &'a [&'a Entry],
    /// The page, from 0.
    pub(in crate::channels::telegram) page: usize,
    /// Whether this is the list that stays, with buttons for what can be done at once.
    pub(in crate::channels::telegram) stands: bool,
    /// The last words of anybody on where they are, and on a pause.
    pub(in crate::channels::telegram) standing: &'a SaidPresence,
    pub(in crate::channels::telegram) scene: &'a CardContext<'a>,
}

impl ListContent<'_> {
    /// Draws the message; `link` leads to the card of an ask, if there can be one.
    pub(in crate::channels::telegram) fn message(
        &self,
        link: impl Fn(&Entry) -> Option<String>,
    ) -> CardMessage {
        let Some(longest) = self.waiting.first() else {
            return without_keyboard(Html::plain(&self.scene.texts.get("telegram-list-none")));
        };
        let pages = self.waiting.len().div_ceil(PAGE);
        let page = self.page.min(pages - 1);
        let shown = self.waiting.iter().enumerate().skip(page * PAGE).take(PAGE);
        let (mut lines, mut opened) = (vec![self.head(longest)], Vec::new());
        for (index, entry) in shown {
            let link = link(entry);
            if link.is_none() {
                opened.push(self.button((index + 1).to_string(), ListTap::Open(entry.serial)));
            }
            lines.push(self.line(index, entry, link.as_deref()));
        }
        lines.extend(self.foot(page, pages, !opened.is_empty()));
        let html = lines
            .into_iter()
            .map(Html::into_text)
            .collect::<Vec<_>>()
            .join("\n");
        let rows = opened.chunks(BUTTONS_IN_ROW).map(<[CardButton]>::to_vec);
        let rows = rows.chain([self.turn(page, pages), self.controls(), self.undoing()]);
        let keyboard = rows.filter(|row| !row.is_empty()).collect();
        CardMessage {
            html,
            keyboard,
            document: None,
            prompt: None,
        }
    }

    /// Returns the first line. It has the time at which the longest wait began and not its length:
    /// that would be untrue a minute later, and while the computer sleeps it could not be
    /// corrected.
    fn head(&self, longest: &Entry) -> Html {
        let texts = self.scene.texts;
        let count = texts.with(
            "telegram-list-waiting",
            &[("count", self.waiting.len().into())],
        );
        let time = Value::from(time::clock(self.scene, longest.ask.asked_at));
        let since = texts.with("telegram-list-since", &[("time", time)]);
        Html::plain("🔔 ")
            .and(Html::bold(&count))
            .and(Html::plain(&format!(" · {since}")))
    }

    fn line(&self, index: usize, entry: &Entry, link: Option<&str>) -> Html {
        let about = says::about(entry, self.scene);
        let about = match link {
            Some(link) => Html::link(&about, link),
            None => Html::plain(&about),
        };
        let sign = aside(entry.attention).unwrap_or(says::sign(&entry.ask.kind));
        let time = time::clock(self.scene, entry.ask.asked_at);
        // The time stands before the topic, which may need a second line.
        let lead = Html::plain(&format!("{}  {sign} {time} ", index + 1));
        lead.and(about)
    }

    fn foot(&self, page: usize, pages: usize, opens: bool) -> impl Iterator<Item = Html> {
        let texts = self.scene.texts;
        let args = [
            ("page", Value::from(page + 1)),
            ("pages", Value::from(pages)),
        ];
        let place = (pages > 1).then(|| texts.with("telegram-list-page", &args));
        let hint = opens.then(|| texts.get("telegram-list-open"));
        let said = self.standing.words(self.scene);
        let lines = place.into_iter().chain(hint).chain(said);
        lines.map(|line| Html::plain(&line))
    }

    /// Returns the buttons that take back what was said.
    fn undoing(&self) -> Vec<CardButton> {
        let auto = self
            .standing
            .is_said()
            .then_some(("telegram-list-auto", ListTap::Auto));
        let paused = self.standing.is_paused();
        let resume = paused.then_some(("telegram-list-resume", ListTap::Resume));
        let buttons = [auto, resume].into_iter().flatten().filter(|_| self.stands);
        buttons
            .map(|(key, tap)| self.button(self.scene.texts.get(key), tap))
            .collect()
    }

    fn turn(&self, page: usize, pages: usize) -> Vec<CardButton> {
        let back = page
            .checked_sub(1)
            .map(|page| self.button("◀".into(), ListTap::Page(page)));
        let on = Some(page + 1).filter(|page| *page < pages);
        let on = on.map(|page| self.button("▶".into(), ListTap::Page(page)));
        back.into_iter().chain(on).collect()
    }

    fn controls(&self) -> Vec<CardButton> {
        if !self.stands {
            return Vec::new();
        }
        [
            ("telegram-list-here", ListTap::Here),
            ("telegram-list-pause", ListTap::Pause),
        ]
        .map(|(key, tap)| self.button(self.scene.texts.get(key), tap))
        .into()
    }

    fn button(&self, label: String, tap: ListTap) -> CardButton {
        CardButton::tell(label, button::list(self.scene.seal, tap))
    }
}

/// Returns the sign of an ask that somebody has put off, or only seen, which its card has too. It
/// tells the ask from those that still want an answer.
fn aside(attention: Attention) -> Option<&'static str> {
    match attention {
        Attention::Wanted { .. } => None,
        Attention::Seen => Some("👀"),
        Attention::Snoozed { .. } => Some("💤"),
    }
}

fn without_keyboard(html: Html) -> CardMessage {
    CardMessage {
        html: html.into_text(),
        keyboard: Vec::new(),
        document: None,
        prompt: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use beckon_client::text::Texts;
    use beckon_core::{Ask, AskContent, AskId, Session, Timestamp};
    use jiff::tz::TimeZone;

    fn entry(serial: u64) -> Entry {
        let id = AskId::new("local", format!("que_{serial}"));
        let kind = AskContent::Confirm(format!("Deploy <{serial}>?"));
        let session = Session {
            directory: "/me/shop-api".into(),
            ..Session::default()
        };
        let asked_at = Timestamp(i64::try_from(serial).unwrap() * 60_000);
        Entry::new(
            Ask {
                id,
                kind,
                session,
                call: None,
                asked_at,
            },
            serial,
        )
    }

    fn drawn(count: u64, page: usize, link: bool) -> CardMessage {
        list_of(&(1..=count).map(entry).collect::<Vec<_>>(), page, link)
    }

    fn list_of(entries: &[Entry], page: usize, link: bool) -> CardMessage {
        let (texts, zone) = (Texts::load("en"), TimeZone::UTC);
        let (missed, one_press, by) = Default::default();
        let now = Timestamp(3_600_000);
        let scene = CardContext {
            texts: &texts,
            seal: "seal",
            now,
            zone: &zone,
            missed,
            one_press,
            by,
        };
        let waiting: Vec<&Entry> = entries.iter().collect();
        let list = ListContent {
            waiting: &waiting,
            page,
            stands: true,
            standing: &SaidPresence::default(),
            scene: &scene,
        };
        list.message(|entry| link.then(|| format!("https://t.me/c/1/{}", entry.serial)))
    }

    fn labels(card: &CardMessage) -> Vec<Vec<&str>> {
        card.keyboard
            .iter()
            .map(|row| row.iter().map(|b| b.label.as_str()).collect())
            .collect()
    }

    #[test]
    fn each_line_leads_to_its_card_by_a_link_or_by_a_button() {
        let linked = drawn(2, 0, true);
        assert_eq!(
            linked.html,
            "🔔 <b>2 waiting</b> · longest since 00:01\n\
             1  ⏸ 00:01 <a href=\"https://t.me/c/1/1\">shop-api: Deploy &lt;1&gt;?</a>\n\
             2  ⏸ 00:02 <a href=\"https://t.me/c/1/2\">shop-api: Deploy &lt;2&gt;?</a>"
        );
        assert_eq!(labels(&linked), [["I'm here", "Pause 30 min"]]);
        let plain = drawn(2, 0, false);
        assert!(!plain.html.contains("href"), "{}", plain.html);
        assert_eq!(
            labels(&plain),
            [vec!["1", "2"], vec!["I'm here", "Pause 30 min"]]
        );
    }

    #[test]
    fn what_is_put_off_or_only_seen_bears_the_sign_of_its_card() {
        let put_off = |serial, attention| {
            let mut entry = entry(serial);
            entry.attention = attention;
            entry
        };
        let entries = [
            put_off(1, Attention::Snoozed { until: None }),
            put_off(2, Attention::Seen),
            entry(3),
        ];
        let html = list_of(&entries, 0, false).html;
        let signs: Vec<&str> = html
            .lines()
            .skip(1)
            .take(3)
            .map(|line| &line[3..7])
            .collect();
        assert_eq!(signs, ["💤", "👀", "⏸ "]);
    }

    #[test]
    fn a_hundred_are_all_on_its_pages_and_a_page_that_is_gone_is_the_last_one() {
        let mut seen = Vec::new();
        for page in 0..13 {
            let card = drawn(100, page, false);
            assert!(
                card.html.starts_with("🔔 <b>100 waiting</b>"),
                "{}",
                card.html
            );
            assert!(card.html.contains(&format!("Page {} of 13", page + 1)));
            let numbers = card
                .keyboard
                .iter()
                .flatten()
                .filter_map(|b| b.label.parse().ok());
            seen.extend(numbers.map(|number: usize| number));
        }
        assert_eq!(seen, (1..=100).collect::<Vec<_>>());
        assert_eq!(drawn(3, 12, false), drawn(3, 0, false));
        assert_eq!(labels(&drawn(100, 0, false))[2], ["▶"]);
        assert_eq!(labels(&drawn(100, 5, false))[2], ["◀", "▶"]);
    }

    #[test]
    fn where_nothing_waits_it_says_so_and_offers_nothing() {
        assert!(drawn(0, 0, false).keyboard.is_empty());
    }
}
