//! Reports of keychains: several entries of one name, no place for new ones.

mod flutter_secure_storage_1177;
mod keyring_345;
