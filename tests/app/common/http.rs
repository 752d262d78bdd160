//! Requests to the local API, as a program without Beckon's own client makes them.

use beckon_support::beckon::Beckon;
use reqwest::Method;
use serde_json::Value;

/// Sends a request; returns the status and the body.
pub(crate) async fn call(
    beckon: &Beckon,
    method: Method,
    path: &str,
    body: &Value,
) -> (u16, Value) {
    let endpoint = beckon.endpoint().unwrap();
    let url = format!("{}{path}", endpoint["url"].as_str().unwrap());
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let request = client
        .request(method, url)
        .bearer_auth(endpoint["token"].as_str().unwrap());
    let response = request.json(body).send().await.unwrap();
    (response.status().as_u16(), response.json().await.unwrap())
}
