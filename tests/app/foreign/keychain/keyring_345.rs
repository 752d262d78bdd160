//! <https://github.com/jaraco/keyring/issues/345>: the keychain held two entries of one name. Which
//! one was read was chance, and a removal left the other.

use beckon_support::beckon::Beckon;
use beckon_support::bus::Bus;
use beckon_support::keyring::Keyring;

const NAME: &str = "opencode:local";

#[tokio::test(flavor = "multi_thread")]
async fn of_two_entries_of_one_name_the_newest_counts_and_a_removal_takes_both() {
    let bus = Bus::start();
    let keyring = Keyring::start(&bus);
    let beckon = Beckon::builder(env!("CARGO_BIN_EXE_beckon"))
        .bus(&bus)
        .build();
    keyring.put(NAME, "an older one", "Imported");
    keyring.put(NAME, "the other", "Imported, too");

    let set = beckon
        .command_with_input(&["secret", "set", NAME], "a new one\n")
        .await;
    assert_eq!(set.status, Some(0), "{set:?}");
    assert_eq!(keyring.secret(NAME).as_deref(), Some(&b"a new one"[..]));
    assert_eq!(keyring.count(NAME), 1);

    keyring.put(NAME, "once more", "Imported");
    let removed = beckon.command(&["secret", "remove", NAME]).await;
    assert_eq!(removed.status, Some(0), "{removed:?}");
    assert_eq!(keyring.count(NAME), 0);
}
