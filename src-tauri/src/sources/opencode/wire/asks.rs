//! Makes asks of v1's requests, and writes a question of ours in their shape. A request that is not
//! understood becomes an ask in `requests`.

use super::lenient;
use super::peer::{self, PeerDetails};
use super::{OptionInfo, PermissionRequest, QuestionInfo, QuestionRequest, ToolRef};
use crate::sources::opencode::requests::{arguments, places};
use beckon_core::{
    AlwaysUntil, Ask, AskContent, AskId, CallInput, CallRef, Choice, Permission, Question,
    RejectionReach, Session, SourceId, Timestamp,
};

impl QuestionRequest {
    /// Makes an ask of that source and directory.
    pub(crate) fn into_ask(self, source: &SourceId, directory: &str, now: Timestamp) -> Ask {
        let kind = match self.unknown {
            Some(unknown) => AskContent::Unknown(unknown),
            None => AskContent::Questions(self.questions.into_iter().map(Question::from).collect()),
        };
        Ask {
            id: AskId {
                source: source.clone(),
                own: self.id,
            },
            kind,
            session: session(self.session_id, directory, self.via, self.beckon),
            call: self.tool.map(CallRef::from),
            asked_at: now,
        }
    }
}

impl PermissionRequest {
    /// Makes an ask of that source and directory.
    pub(crate) fn into_ask(self, source: &SourceId, directory: &str, now: Timestamp) -> Ask {
        let text = |key: &str| {
            self.metadata
                .get(key)
                .filter(|it| !it.is_null())
                .map(lenient::text)
        };
        let (command, diff) = (text("command"), text("diff"));
        // 1.1.53 has the command nowhere but in the patterns.
        let command = command.or_else(|| {
            (self.permission == "bash" && !self.patterns.is_empty())
                .then(|| self.patterns.join("\n"))
        });
        // Behind another Beckon there may be any agent.
        let rejects = if self.via.is_empty() {
            RejectionReach::Session
        } else {
            RejectionReach::PerhapsSession
        };
        let always_until = match &self.beckon {
            // A permission that is saved behind another Beckon can't be taken back from here.
            Some(peer) if peer.always_until == AlwaysUntil::TakenBack => AlwaysUntil::Unsaid,
            Some(peer) => peer.always_until,
            None if self.via.is_empty() => AlwaysUntil::ServerStops,
            None => AlwaysUntil::Unsaid,
        };
        let files = arguments::files(self.metadata.get("files"), &self.patterns);
        let mut permission = Permission {
            permission: self.permission,
            patterns: self.patterns,
            always: self.always,
            command,
            diff,
            files,
            rejects,
            always_until,
            ..Permission::default()
        };
        if self.beckon.is_none() && permission.is_edit() {
            places::name_from_session(&mut permission, |key| self.metadata.get(key), directory);
        }
        permission.input = match &self.beckon {
            Some(peer) => peer.input.clone().unwrap_or_else(CallInput::untold),
            None => arguments::of_metadata(&permission, self.metadata.iter()),
        };
        if let Some(peer) = &self.beckon {
            permission.files.clone_from(&peer.files);
            permission.left_out = peer.left_out;
        }
        Ask {
            id: AskId {
                source: source.clone(),
                own: self.id,
            },
            kind: AskContent::Permission(permission),
            session: session(self.session_id, directory, self.via, self.beckon),
            call: self.tool.map(CallRef::from),
            asked_at: now,
        }
    }
}

fn session(id: String, directory: &str, via: Vec<String>, beside: Option<PeerDetails>) -> Session {
    let mut session = Session {
        id,
        directory: directory.to_owned(),
        via,
        ..Session::default()
    };
    // A server that is no Beckon has nothing to say here, whatever it sends.
    if let Some(beside) = beside.filter(|_| peer::is_from_peer(&session)) {
        beside.fill(&mut session);
    }
    session
}

impl From<QuestionInfo> for Question {
    fn from(info: QuestionInfo) -> Self {
        Self {
            header: info.header,
            question: info.question,
            multiple: info.multiple.unwrap_or(false),
            custom: info.custom.unwrap_or(true),
            choices: info.options.into_iter().map(Choice::from).collect(),
            limits: None,
            consent: None,
        }
    }
}

impl From<OptionInfo> for Choice {
    fn from(info: OptionInfo) -> Self {
        Self {
            label: info.label,
            description: info.description,
            value: None,
        }
    }
}

impl From<ToolRef> for CallRef {
    fn from(tool: ToolRef) -> Self {
        Self {
            message: tool.message_id,
            call: tool.call_id,
        }
    }
}

impl From<&Question> for QuestionInfo {
    /// Tells equal labels of different values apart, since labels are all that comes back.
    fn from(question: &Question) -> Self {
        let labels = question.labels().into_iter();
        let options = labels
            .zip(&question.choices)
            .map(|(label, choice)| OptionInfo {
                label,
                description: choice.description.clone(),
            });
        Self {
            question: question.question.clone(),
            header: question.header.clone(),
            options: options.collect(),
            multiple: Some(question.multiple),
            custom: Some(question.custom),
        }
    }
}
