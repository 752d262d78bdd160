//! Updates of a newer server, and what is none.

use super::*;
use serde_json::json;

const BOT: UserId = UserId(1);

fn message(text: &str) -> Value {
    let ada = json!({ "id": 7, "is_bot": false, "first_name": "Ada" });
    let chat = json!({ "id": 7, "type": "private", "first_name": "Ada" });
    json!({ "message_id": 6, "from": ada, "chat": chat, "date": 1_795_000_000, "text": text })
}

#[test]
fn a_field_of_a_newer_server_does_not_hide_the_message_beside_it() {
    let update = json!({ "update_id": 9, "a_new_thing": {}, "message": message("Green") });
    let what = parse_update(update, BOT).map(|heard| heard.what);
    assert!(matches!(what, Some(UpdateContent::Text { text, .. }) if text == "Green"));
}

#[test]
fn an_update_that_is_not_understood_says_nothing_and_has_its_number() {
    for odd in [json!(7), json!({ "from": [] }), message("x")["date"].clone()] {
        let heard = parse_update(json!({ "update_id": 9, "message": odd }), BOT).unwrap();
        assert_eq!((heard.update, heard.what), (9, UpdateContent::Nothing));
    }
    for none in [json!(7), json!({ "message": message("x") }), json!({ "update_id": -1 })] {
        assert_eq!(parse_update(none, BOT), None);
    }
}
