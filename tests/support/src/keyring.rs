//! A real Secret Service, gnome-keyring, on a private bus. Its keyring outlives the daemon and can
//! be present, late, locked and gone.

use std::io::{Seek, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tempfile::TempDir;
use zbus::blocking::{Connection, Proxy};
use zbus::zvariant::{ObjectPath, OwnedObjectPath, OwnedValue, Value};

use crate::bus::Bus;
use crate::process::Process;

/// The bus name of the Secret Service.
pub const NAME: &str = "org.freedesktop.secrets";
const PATH: &str = "/org/freedesktop/secrets";
const SERVICE: &str = "org.freedesktop.Secret.Service";
/// The interface of gnome-keyring that is meant for the login screen.
const UNLOCK: &str = "org.gnome.keyring.InternalUnsupportedGuiltRiddenInterface";
const COLLECTION: ObjectPath<'static> =
    ObjectPath::from_static_str_unchecked("/org/freedesktop/secrets/collection/login");
/// The bus name of the program that asks the owner for the password, on GNOME.
const PROMPTER: &str = "org.gnome.keyring.SystemPrompter";
const PASSWORD: &[u8] = b"a password for tests";

/// The keyring, its daemon running or not; both are gone on drop.
#[derive(Debug)]
pub struct Keyring {
    process: Option<Process>,
    connection: Connection,
    address: String,
    home: TempDir,
}

impl Keyring {
    /// Starts the daemon with a fresh keyring, unlocked.
    pub fn start(bus: &Bus) -> Keyring {
        let home = tempfile::Builder::new()
            .prefix("keyring-")
            .tempdir()
            .unwrap();
        let (connection, address) = (bus.connect(), bus.address().to_owned());
        let mut keyring = Keyring {
            process: None,
            connection,
            address,
            home,
        };
        keyring.come_back(bus);
        keyring
    }

    /// Returns the folder that holds the keyring's files.
    pub fn home(&self) -> &Path {
        self.home.path()
    }

    /// Ends the daemon; the keyring stays on the disk.
    pub fn go(&mut self) {
        self.process = None;
    }

    /// Starts the daemon again, unlocked.
    pub fn come_back(&mut self, bus: &Bus) {
        let mut command = Command::new("gnome-keyring-daemon");
        command
            .args(["--foreground", "--unlock", "--components=secrets"])
            .env("HOME", self.home.path())
            .env("XDG_RUNTIME_DIR", self.home.path())
            .env("DBUS_SESSION_BUS_ADDRESS", &self.address)
            .env_remove("XDG_DATA_HOME")
            .env_remove("GNOME_KEYRING_CONTROL")
            .stdin(password())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        self.process = Some(Process::spawn(command));
        bus.wait_for_name(NAME);
    }

    /// Locks the keyring. While no prompter can ask its owner, every request for its contents is
    /// refused.
    pub fn lock(&self) {
        let locked: (Vec<OwnedObjectPath>, OwnedObjectPath) =
            self.service().call("Lock", &vec![COLLECTION]).unwrap();
        assert_eq!(locked.0.len(), 1, "the keyring was not locked: {locked:?}");
    }

    /// Unlocks the keyring with its owner's password.
    pub fn unlock(&self) {
        let (_, session): (OwnedValue, OwnedObjectPath) = self
            .service()
            .call("OpenSession", &("plain", Value::from("")))
            .unwrap();
        let secret = (session, Vec::<u8>::new(), PASSWORD.to_vec(), "text/plain");
        let door = Proxy::new(&self.connection, NAME, PATH, UNLOCK).unwrap();
        let () = door
            .call("UnlockWithMasterPassword", &(COLLECTION, secret))
            .unwrap();
    }

    /// Plays an owner who never answers: from now on, every request for a locked keyring waits for
    /// them.
    pub fn owner_is_asleep(&self, bus: &Bus) -> Owner {
        Owner::meet(bus, true)
    }

    /// Plays an owner who refuses: from now on, they are asked about a locked keyring and do not
    /// unlock it.
    pub fn owner_refuses(&self, bus: &Bus) -> Owner {
        Owner::meet(bus, false)
    }

    /// Returns the secret that `beckon` stores under that name.
    pub fn secret(&self, name: &str) -> Option<Vec<u8>> {
        let (_, session): (OwnedValue, OwnedObjectPath) = self
            .service()
            .call("OpenSession", &("plain", Value::from("")))
            .unwrap();
        let wanted = std::collections::HashMap::from([("service", "beckon"), ("username", name)]);
        let (unlocked, _): (Vec<OwnedObjectPath>, Vec<OwnedObjectPath>) =
            self.service().call("SearchItems", &wanted).unwrap();
        let item = "org.freedesktop.Secret.Item";
        let item = Proxy::new(&self.connection, NAME, unlocked.first()?, item).unwrap();
        let secret: (OwnedObjectPath, Vec<u8>, Vec<u8>, String) =
            item.call("GetSecret", &session).unwrap();
        Some(secret.2)
    }

    /// How many entries `beckon` has under that name.
    pub fn count(&self, name: &str) -> usize {
        let wanted = std::collections::HashMap::from([("service", "beckon"), ("username", name)]);
        let (unlocked, locked): (Vec<OwnedObjectPath>, Vec<OwnedObjectPath>) =
            self.service().call("SearchItems", &wanted).unwrap();
        unlocked.len() + locked.len()
    }

    /// Puts one more entry of `beckon` there, as another program does that imports or copies them.
    pub fn put(&self, name: &str, secret: &str, label: &str) {
        let (_, session): (OwnedValue, OwnedObjectPath) = self
            .service()
            .call("OpenSession", &("plain", Value::from("")))
            .unwrap();
        let attributes = std::collections::HashMap::from([
            ("service", "beckon"),
            ("username", name),
            ("application", label),
        ]);
        let properties = std::collections::HashMap::from([
            ("org.freedesktop.Secret.Item.Label", Value::from(label)),
            (
                "org.freedesktop.Secret.Item.Attributes",
                Value::from(attributes),
            ),
        ]);
        let content = secret.as_bytes().to_vec();
        let secret = (session, Vec::<u8>::new(), content, "text/plain");
        let collection = "org.freedesktop.Secret.Collection";
        let collection = Proxy::new(&self.connection, NAME, COLLECTION, collection).unwrap();
        let made: (OwnedObjectPath, OwnedObjectPath) = collection
            .call("CreateItem", &(properties, secret, false))
            .unwrap();
        assert_ne!(made.0.as_str(), "/", "the entry was not made");
    }

    /// Removes the collection for new entries, so that there is none.
    pub fn no_default(&self) {
        let collection = "org.freedesktop.Secret.Collection";
        let collection = Proxy::new(&self.connection, NAME, COLLECTION, collection).unwrap();
        let prompt: OwnedObjectPath = collection.call("Delete", &()).unwrap();
        assert_eq!(prompt.as_str(), "/", "its owner is asked");
        let default: OwnedObjectPath = self.service().call("ReadAlias", &"default").unwrap();
        assert_eq!(default.as_str(), "/");
    }

    fn service(&self) -> Proxy<'_> {
        Proxy::new(&self.connection, NAME, PATH, SERVICE).unwrap()
    }
}

fn password() -> Stdio {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(PASSWORD).unwrap();
    file.rewind().unwrap();
    file.into()
}

/// The owner who would have to unlock the keyring; no owner is asked any more once this is dropped.
#[derive(Debug)]
pub struct Owner {
    asked: Arc<AtomicUsize>,
    _connection: Connection,
}

impl Owner {
    fn meet(bus: &Bus, asleep: bool) -> Owner {
        let (connection, asked) = (bus.connect(), Arc::<AtomicUsize>::default());
        let prompter = Prompter {
            asked: Arc::clone(&asked),
            asleep,
        };
        connection
            .object_server()
            .at("/org/gnome/keyring/Prompter", prompter)
            .unwrap();
        connection.request_name(PROMPTER).unwrap();
        Owner {
            asked,
            _connection: connection,
        }
    }

    /// Returns how often the owner was asked.
    pub fn asked(&self) -> usize {
        self.asked.load(Ordering::Relaxed)
    }
}

struct Prompter {
    asked: Arc<AtomicUsize>,
    asleep: bool,
}

#[zbus::interface(name = "org.gnome.keyring.internal.Prompter")]
impl Prompter {
    fn begin_prompting(&self, _callback: ObjectPath<'_>) -> zbus::fdo::Result<()> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        if self.asleep {
            Ok(())
        } else {
            Err(zbus::fdo::Error::Failed("refused".into()))
        }
    }

    fn stop_prompting(&self, _callback: ObjectPath<'_>) {}
}
