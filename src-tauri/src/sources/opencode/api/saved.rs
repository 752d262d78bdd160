//! What "always" has saved for a project at a server's second core: looked at, and taken back. The
//! first core keeps it in its memory, and takes nothing back.

use crate::sources::opencode::delivery::connection::ConnectionView;
use crate::sources::opencode::wire::v2::DataEnvelope;
use anyhow::{Result, anyhow};
use beckon_client::platform::percent::segment;
use serde::Deserialize;
use std::fmt;

/// Whom to ask for it: the server as it is reached at that moment.
#[derive(Clone)]
pub(crate) struct SavedPermissions(ConnectionView);

/// One resource that is allowed for good.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct SavedPermission {
    id: String,
    action: String,
    resource: String,
}

#[derive(Deserialize)]
struct Project {
    id: String,
}

impl SavedPermissions {
    pub(in crate::sources::opencode) fn of(connection: ConnectionView) -> Self {
        Self(connection)
    }

    /// All of the project to which a directory belongs.
    ///
    /// # Errors
    /// When the server cannot be asked.
    pub(crate) async fn of_project(&self, directory: &str) -> Result<Vec<SavedPermission>> {
        let (api, _) = self.0.clone().settled().await;
        let Project { id } = api.read("/project/current", Some(directory)).await?;
        let path = format!("/api/permission/saved?projectID={}", segment(&id));
        let saved: DataEnvelope<_> = api.read(&path, None).await?;
        Ok(saved.data)
    }

    /// From now on it is asked for again. One that is not there any more is no error to the server.
    ///
    /// # Errors
    /// When the server cannot be asked, or refuses.
    pub(crate) async fn revoke(&self, saved: &SavedPermission) -> Result<()> {
        let (api, _) = self.0.clone().settled().await;
        let path = format!("/api/permission/saved/{}", segment(&saved.id));
        api.delete(&path)
            .await
            .map_err(|failure| anyhow!("Failed to revoke: {failure:?}"))
    }
}

impl SavedPermission {
    /// Is it part of what was granted so?
    pub(crate) fn is_of(&self, action: &str, resources: &[String]) -> bool {
        self.action == action && resources.contains(&self.resource)
    }
}

/// Passwords are part of how a server is reached.
impl fmt::Debug for SavedPermissions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SavedPermissions")
    }
}
