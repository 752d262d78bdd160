//! The API of a server by which an ask came, and by which its answer goes. A session lives in one
//! of them, and its asks keep it in the session, so that an answer finds the way after a restart
//! too.

pub(super) mod generation;

use beckon_core::{Ask, Session};

/// An API of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sources::opencode) enum ApiDialect {
    /// `/question` and `/permission`.
    First,
    /// The second core of 1.18 ("v2"), below `/api`.
    Second,
    /// The forms of 2.x, below `/api`.
    Forms,
}

impl ApiDialect {
    const SECOND: &str = "v2";
    const FORMS: &str = "forms";

    /// Returns the API by which a session goes.
    pub(in crate::sources::opencode) fn of(session: &Session) -> Self {
        match session.api.as_deref() {
            Some(Self::SECOND) => Self::Second,
            Some(Self::FORMS) => Self::Forms,
            _ => Self::First,
        }
    }

    /// Marks an ask as one that came by this API. An ask of the first keeps whatever another Beckon
    /// has noted there.
    pub(in crate::sources::opencode) fn marks(self, mut ask: Ask) -> Ask {
        match self {
            Self::First => {}
            Self::Second => ask.session.api = Some(Self::SECOND.to_owned()),
            Self::Forms => ask.session.api = Some(Self::FORMS.to_owned()),
        }
        ask
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use beckon_core::{AskContent, AskId, Timestamp};

    #[test]
    fn an_ask_is_answered_by_the_way_it_came() {
        let (id, session) = (AskId::new("local", "a"), Session::default());
        let kind = AskContent::Confirm("Go?".into());
        let ask = Ask {
            id,
            kind,
            session,
            call: None,
            asked_at: Timestamp(0),
        };
        for dialect in [ApiDialect::First, ApiDialect::Second, ApiDialect::Forms] {
            assert_eq!(ApiDialect::of(&dialect.marks(ask.clone()).session), dialect);
        }
    }
}
