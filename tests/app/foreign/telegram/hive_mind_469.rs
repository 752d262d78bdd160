//! <https://github.com/link-assistant/hive-mind/issues/469>: whoever forwarded a message with a
//! command in it to the bot gave that command.

use crate::common::phone::Outing;

#[tokio::test(flavor = "multi_thread")]
async fn a_command_that_is_forwarded_is_not_given() {
    let outing = Outing::start().await;
    let phone = &outing.phone;
    let author = phone.telegram.user("Bob");
    for command in ["/away", "/here 1h", "/away@beckon_test_bot 2h"] {
        phone
            .telegram
            .forward(phone.user, phone.chat, author, command);
    }
    // This comes after them, and is the sender's own.
    phone.telegram.command(phone.user, phone.chat, "/status");
    phone.says("Notifications").await;
    let presence = outing.stage.beckon.status().await["presence"].clone();
    assert_eq!(presence["override"], "auto", "{presence}");
}
