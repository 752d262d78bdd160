//! The pages on which sessions are shown.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use beckon_client::platform::percent::segment;
use url::Url;

/// The address of a thread in LangSmith's Studio; the browser itself connects to the server it is
/// given (<https://docs.langchain.com/langsmith/quick-start-studio>).
const STUDIO: &str = "https://smith.langchain.com/studio/thread";

/// Returns the page of a session in OpenCode's own web interface, which every server offers:
/// `/<directory, base64url>/session/<id>`.
pub(super) fn of_opencode(server: &str, directory: &str, session: &str) -> String {
    let directory = URL_SAFE_NO_PAD.encode(directory);
    format!("{}/{directory}/session/{}", base(server), segment(session))
}

/// Returns the page of a thread in LangGraph's Studio.
pub(super) fn of_langgraph(server: &str, thread: &str) -> String {
    format!(
        "{STUDIO}/{}?baseUrl={}",
        segment(thread),
        segment(&base(server))
    )
}

/// Returns the address of a server without its password: an address that is opened is seen in lists
/// of processes and histories.
fn base(server: &str) -> String {
    let Ok(mut url) = Url::parse(server) else {
        return server.into();
    };
    // An address refuses only if it has no host, and then there is no user to take away.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.set_query(None);
    url.set_fragment(None);
    url.as_str().trim_end_matches('/').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_stands_below_its_directory() {
        let page = of_opencode("http://127.0.0.1:4096", "/home/ada/läden?", "ses_1");
        assert_eq!(
            page,
            "http://127.0.0.1:4096/L2hvbWUvYWRhL2zDpGRlbj8/session/ses_1"
        );
    }

    #[test]
    fn no_password_and_no_foreign_path_comes_into_an_address() {
        let page = of_opencode("http://me:secret@host:1/", "/a", "../../x?y#z");
        assert_eq!(page, "http://host:1/L2E/session/..%2F..%2Fx%3Fy%23z");
    }

    #[test]
    fn a_thread_is_shown_by_the_studio_that_is_told_the_server() {
        assert_eq!(
            of_langgraph("http://127.0.0.1:2024", "5f1c"),
            "https://smith.langchain.com/studio/thread/5f1c?baseUrl=http%3A%2F%2F127.0.0.1%3A2024"
        );
    }
}
