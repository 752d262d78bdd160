//! <https://github.com/juliansteenbakker/flutter_secure_storage/pull/1177> and
//! <https://github.com/brig-sh/brig/pull/153>: the service was there, and no collection for new
//! entries. That was called locked, and nothing that a person could unlock made a difference.

use beckon_support::beckon::Beckon;
use beckon_support::bus::Bus;
use beckon_support::keyring::Keyring;

#[tokio::test(flavor = "multi_thread")]
async fn a_keychain_without_a_place_for_entries_is_not_called_locked() {
    let bus = Bus::start();
    let keyring = Keyring::start(&bus);
    keyring.no_default();
    let beckon = Beckon::builder(env!("CARGO_BIN_EXE_beckon"))
        .bus(&bus)
        .build();
    let set = beckon
        .command_with_input(&["secret", "set", "opencode:local"], "a secret\n")
        .await;
    assert_eq!(set.status, Some(1), "{set:?}");
    assert!(!set.stderr.contains("locked"), "{set:?}");
    assert!(set.stderr.contains("default"), "{set:?}");
    assert!(
        set.stderr.contains("BECKON_OPENCODE_PASSWORD_LOCAL"),
        "{set:?}"
    );
    let none = beckon
        .command(&["secret", "remove", "opencode:local"])
        .await;
    assert_eq!(none.status, Some(0), "{none:?}");
}
