//! An operation of the document: what is sent, and what is answered.
//!
//! Not here: which there are (`operations`), and their JSON (`document`).

use axum::http::Method;
use schemars::{JsonSchema, Schema, SchemaGenerator};

/// A function by which a type describes itself.
pub(super) type Describe = fn(&mut SchemaGenerator) -> Schema;

/// A path and a method.
pub(super) struct Operation {
    pub(super) method: Method,
    pub(super) path: &'static str,
    pub(super) summary: &'static str,
    /// The type whose fields are the parameters behind the `?`.
    pub(super) query: Option<Describe>,
    pub(super) body: Option<Describe>,
    pub(super) answers: Vec<DocumentedAnswer>,
    /// The statuses of a [`beckon_client::wire::Problem`], besides those that follow from the rest.
    pub(super) refusals: &'static [u16],
    /// Whether the parameter in its path is a number.
    pub(super) is_numbered: bool,
    /// Whether it is answered without the token.
    pub(super) is_open: bool,
}

/// A response, and when it is given.
pub(super) struct DocumentedAnswer {
    pub(super) status: u16,
    pub(super) when: &'static str,
    pub(super) media: Media,
    pub(super) schema: Describe,
}

/// The format of a body.
#[derive(Clone, Copy)]
pub(super) enum Media {
    Json,
    /// A stream of events; each `data` is JSON of the schema.
    Events,
    Text,
}

impl Media {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Events => "text/event-stream",
            Self::Text => "text/plain",
        }
    }
}

pub(super) fn get(path: &'static str, summary: &'static str) -> Operation {
    Operation::new(Method::GET, path, summary)
}

pub(super) fn post(path: &'static str, summary: &'static str) -> Operation {
    Operation::new(Method::POST, path, summary)
}

pub(super) fn patch(path: &'static str, summary: &'static str) -> Operation {
    Operation::new(Method::PATCH, path, summary)
}

pub(super) fn delete(path: &'static str, summary: &'static str) -> Operation {
    Operation::new(Method::DELETE, path, summary)
}

impl Operation {
    fn new(method: Method, path: &'static str, summary: &'static str) -> Self {
        Self {
            method,
            path,
            summary,
            query: None,
            body: None,
            answers: Vec::new(),
            refusals: &[],
            is_numbered: false,
            is_open: false,
        }
    }

    pub(super) fn query<T: JsonSchema>(self) -> Self {
        Self {
            query: Some(T::json_schema),
            ..self
        }
    }

    pub(super) fn takes<T: JsonSchema>(self) -> Self {
        Self {
            body: Some(SchemaGenerator::subschema_for::<T>),
            ..self
        }
    }

    /// Adds the response 200 with a body of that type.
    pub(super) fn answers<T: JsonSchema>(self) -> Self {
        self.answers_when::<T>(200, "Done.")
    }

    pub(super) fn answers_when<T: JsonSchema>(self, status: u16, when: &'static str) -> Self {
        self.answered::<T>(status, when, Media::Json)
    }

    /// Adds the response 200 with a stream of that type.
    pub(super) fn streams<T: JsonSchema>(self, when: &'static str) -> Self {
        self.answered::<T>(200, when, Media::Events)
    }

    /// Adds the response 200 with plain text.
    pub(super) fn says(self, when: &'static str) -> Self {
        self.answered::<String>(200, when, Media::Text)
    }

    fn answered<T: JsonSchema>(mut self, status: u16, when: &'static str, media: Media) -> Self {
        let schema = SchemaGenerator::subschema_for::<T>;
        self.answers.push(DocumentedAnswer {
            status,
            when,
            media,
            schema,
        });
        self
    }

    pub(super) fn refuses(self, refusals: &'static [u16]) -> Self {
        Self { refusals, ..self }
    }

    pub(super) fn numbered(self) -> Self {
        Self {
            is_numbered: true,
            ..self
        }
    }

    pub(super) fn open_to_all(self) -> Self {
        Self {
            is_open: true,
            ..self
        }
    }

    /// Returns the names in its path.
    pub(super) fn places(&self) -> impl Iterator<Item = &'static str> {
        self.path
            .split('/')
            .filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
    }

    /// Returns the statuses of a problem: 401 without a token, and what the server's own parts
    /// refuse.
    pub(super) fn problems(&self) -> Vec<u16> {
        let mut all = vec![401];
        all.extend(self.refusals);
        if self.query.is_some() || self.body.is_some() || self.places().next().is_some() {
            all.push(400);
        }
        if self.body.is_some() {
            all.extend([413, 415]);
        }
        // A nonce that is none is told what a wrong token is told.
        all.retain(|status| !self.is_open || *status == 401);
        all.sort_unstable();
        all.dedup();
        all
    }
}
