//! The state of a reading of the whole list: what was gathered so far. It reads nothing itself.

use crate::sources::opencode::listing::second_core::SecondCore;
use anyhow::Result;
use beckon_core::{Ask, SourceListing};
use std::collections::BTreeSet;

/// The name of a list that the whole consists of.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::sources::opencode) struct PartialList {
    pub(in crate::sources::opencode) directory: String,
    pub(in crate::sources::opencode) kind: ListKind,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::sources::opencode) enum ListKind {
    Questions,
    Permissions,
}

/// The content of a list.
#[derive(Debug, Default)]
pub(in crate::sources::opencode) struct ReadList {
    /// The asks, and whether their sessions are busy.
    pub(in crate::sources::opencode) asks: Vec<(Ask, bool)>,
    /// The ids of those whose turns could not be looked at.
    pub(in crate::sources::opencode) unclear: Vec<String>,
}

#[derive(Default)]
pub(in crate::sources::opencode) struct GatheredLists {
    asks: Vec<(Ask, bool)>,
    unclear: BTreeSet<String>,
    begun: BTreeSet<String>,
    missing: BTreeSet<PartialList>,
    /// Whether a second core may be there that has not been read: its asks may be in any directory.
    second_core: bool,
    /// Whether something has come in since the last report.
    news: bool,
    /// The reason for which the last list could not be read: many may have the same.
    trouble: Option<String>,
}

impl GatheredLists {
    /// Begins with nothing, for a server that may have a second core.
    pub(in crate::sources::opencode) fn new() -> Self {
        Self {
            second_core: true,
            ..Self::default()
        }
    }

    /// Notes that there is no second core.
    pub(in crate::sources::opencode) fn no_second_core(&mut self) {
        self.second_core = false;
    }

    /// Adds what was read of the second core.
    pub(in crate::sources::opencode) fn note_second_core(&mut self, read: SecondCore) {
        let SecondCore { asks, trouble } = read;
        self.news |= !asks.is_empty() || trouble.is_none();
        self.second_core = trouble.is_some();
        self.asks.extend(asks);
        if let Some(error) = trouble {
            let error = format!("{error:#}");
            tracing::debug!(error, "the list of the second core can't be read");
            self.trouble = Some(error);
        }
    }

    /// Returns the lists of the directories that were not begun yet.
    pub(in crate::sources::opencode) fn begin(
        &mut self,
        directories: &BTreeSet<String>,
    ) -> std::vec::IntoIter<PartialList> {
        let mut lists = Vec::new();
        for directory in directories {
            if self.begun.insert(directory.clone()) {
                let list = |kind| PartialList {
                    directory: directory.clone(),
                    kind,
                };
                lists.extend([list(ListKind::Questions), list(ListKind::Permissions)]);
            }
        }
        self.missing.extend(lists.iter().cloned());
        lists.into_iter()
    }

    pub(in crate::sources::opencode) fn note(&mut self, list: PartialList, read: Result<ReadList>) {
        match read {
            Ok(read) => {
                self.news = true;
                self.missing.remove(&list);
                self.asks.extend(read.asks);
                self.unclear.extend(read.unclear);
            }
            Err(error) => {
                let (directory, error) = (list.directory, format!("{error:#}"));
                tracing::debug!(directory, error, "a directory cannot be read");
                self.trouble = Some(error);
            }
        }
    }

    pub(in crate::sources::opencode) fn listing(&self) -> SourceListing {
        let unread = if self.second_core {
            self.begun.clone()
        } else {
            self.missing
                .iter()
                .map(|list| list.directory.clone())
                .collect()
        };
        SourceListing {
            asks: self.asks.clone(),
            unread,
            unsure: self.unclear.clone(),
            ..SourceListing::default()
        }
    }

    /// Returns the reason for which something could not be read; to be asked once everything has
    /// been tried.
    pub(in crate::sources::opencode) fn trouble(&self) -> Option<&String> {
        self.trouble.as_ref()
    }

    /// Returns what is known so far, if something has come in since the last call.
    pub(in crate::sources::opencode) fn news(&mut self) -> Option<SourceListing> {
        std::mem::take(&mut self.news).then(|| self.listing())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use beckon_core::{AskContent as Asked, AskId, Session, Timestamp};

    fn ask(directory: &str) -> (Ask, bool) {
        let session = Session {
            directory: directory.into(),
            ..Session::default()
        };
        let (kind, id) = (Asked::Questions(Vec::new()), AskId::new("local", directory));
        (
            Ask {
                id,
                kind,
                session,
                call: None,
                asked_at: Timestamp(0),
            },
            true,
        )
    }

    fn read(asks: Vec<(Ask, bool)>) -> Result<ReadList> {
        Ok(ReadList {
            asks,
            ..ReadList::default()
        })
    }

    fn names(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    fn list(directory: &str, kind: ListKind) -> PartialList {
        PartialList {
            directory: directory.into(),
            kind,
        }
    }

    #[test]
    fn a_directory_is_unread_until_both_of_its_lists_are() {
        let mut gathered = GatheredLists::default();
        assert_eq!(gathered.begin(&names(&["/a", "/b"])).count(), 4);
        gathered.note(list("/a", ListKind::Questions), read(vec![ask("/a")]));
        let listing = SourceListing {
            asks: vec![ask("/a")],
            unread: names(&["/a", "/b"]),
            ..SourceListing::default()
        };
        assert_eq!(gathered.news(), Some(listing));
        gathered.note(list("/a", ListKind::Permissions), read(Vec::new()));
        gathered.note(
            list("/b", ListKind::Questions),
            Err(anyhow::anyhow!("it hangs")),
        );
        gathered.note(list("/b", ListKind::Permissions), read(Vec::new()));
        assert_eq!(gathered.listing().unread, names(&["/b"]));
    }

    #[test]
    fn no_directory_counts_as_read_before_the_second_core_is() {
        let mut gathered = GatheredLists::new();
        assert_eq!(gathered.begin(&names(&["/a"])).count(), 2);
        gathered.note(list("/a", ListKind::Questions), read(Vec::new()));
        gathered.note(list("/a", ListKind::Permissions), read(Vec::new()));
        let trouble = Some(anyhow::anyhow!("it hangs"));
        gathered.note_second_core(SecondCore {
            trouble,
            ..SecondCore::default()
        });
        assert_eq!(gathered.listing().unread, names(&["/a"]));
        gathered.note_second_core(SecondCore {
            asks: vec![ask("/b")],
            trouble: None,
        });
        assert_eq!(
            gathered.listing(),
            SourceListing {
                asks: vec![ask("/b")],
                ..SourceListing::default()
            }
        );
    }

    #[test]
    fn what_was_told_is_no_news_and_neither_is_a_failure() {
        let mut gathered = GatheredLists::default();
        assert_eq!(gathered.begin(&names(&["/a"])).count(), 2);
        assert_eq!(gathered.news(), None);
        gathered.note(list("/a", ListKind::Questions), read(Vec::new()));
        assert!(gathered.news().is_some());
        gathered.note(
            list("/a", ListKind::Permissions),
            Err(anyhow::anyhow!("it hangs")),
        );
        assert_eq!(gathered.news(), None);
    }

    #[test]
    fn a_directory_that_is_named_twice_is_read_once() {
        let mut gathered = GatheredLists::default();
        assert_eq!(gathered.begin(&names(&["/a"])).count(), 2);
        assert_eq!(gathered.begin(&names(&["/a", "/b"])).count(), 2);
    }

    #[test]
    fn where_there_is_no_second_core_nothing_waits_for_it() {
        let mut gathered = GatheredLists::new();
        assert_eq!(gathered.begin(&names(&["/a"])).count(), 2);
        gathered.no_second_core();
        gathered.note(list("/a", ListKind::Questions), read(Vec::new()));
        gathered.note(list("/a", ListKind::Permissions), read(Vec::new()));
        assert_eq!(gathered.listing().unread, names(&[]));
    }

    #[test]
    fn of_the_second_core_an_ask_is_news_and_so_is_that_all_was_read() {
        let news = |asks: Vec<(Ask, bool)>, trouble: Option<&'static str>| {
            let mut gathered = GatheredLists::new();
            gathered.note_second_core(SecondCore {
                asks,
                trouble: trouble.map(anyhow::Error::msg),
            });
            gathered.news().is_some()
        };
        assert!(news(vec![ask("/b")], Some("it hangs")));
        assert!(news(Vec::new(), None));
        assert!(news(vec![ask("/b")], None));
        assert!(!news(Vec::new(), Some("it hangs")));
        let mut gathered = GatheredLists::new();
        gathered.note(list("/a", ListKind::Questions), read(Vec::new()));
        gathered.note_second_core(SecondCore {
            trouble: Some(anyhow::anyhow!("")),
            asks: vec![],
        });
        assert!(
            gathered.news().is_some(),
            "what came in before is still to be told"
        );
    }

    #[test]
    fn the_last_trouble_is_told_and_none_where_there_was_none() {
        let mut gathered = GatheredLists::new();
        assert_eq!(gathered.trouble(), None);
        gathered.note(
            list("/a", ListKind::Questions),
            Err(anyhow::anyhow!("it hangs")),
        );
        assert_eq!(gathered.trouble(), Some(&"it hangs".to_owned()));
    }
}
