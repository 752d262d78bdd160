//! The permissions that "always" has saved for a project at a server's second core: read, and taken
//! back. The first core keeps them in its memory, and takes nothing back.

use crate::sources::opencode::delivery::connection::ConnectionView;
use crate::sources::opencode::wire::v2::DataEnvelope;
use anyhow::{Result, anyhow};
use beckon_client::platform::percent::segment;
use serde::Deserialize;
use std::fmt;

/// Access to the saved permissions of a server, by the connection as it is at that moment.
#[derive(Clone)]
pub(crate) struct SavedPermissions(ConnectionView);

/// A resource that is allowed for good.
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

    /// Reads all saved permissions of the project to which a directory belongs.
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

    /// Revokes a permission, so that the agent asks for it again. To the server, one that is not
    /// there any more is no error.
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
    /// Tells whether it is part of a grant of that action for these resources.
    pub(crate) fn is_of(&self, action: &str, resources: &[String]) -> bool {
        self.action == action && resources.contains(&self.resource)
    }
}

/// Prints nothing of the connection, since passwords are part of it.
impl fmt::Debug for SavedPermissions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SavedPermissions")
    }
}
