//! A JSON object that somebody else wrote: what is not changed in it stays as it is, to the byte and
//! in its order.

use anyhow::{Context as _, Result};
use serde::de::{MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

/// A JSON object whose values are kept as they are written.
#[derive(Debug, Default)]
pub(super) struct OrderedObject(Vec<(String, Box<RawValue>)>);

impl OrderedObject {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value of that key, or an empty one.
    pub(super) fn read<T: Default + for<'a> Deserialize<'a>>(&self, key: &str) -> Result<T> {
        let Some((_, value)) = self.0.iter().find(|(name, _)| name == key) else {
            return Ok(T::default());
        };
        serde_json::from_str(value.get()).with_context(|| format!("{key:?} is of another kind"))
    }

    /// In its old place, if it has one.
    pub(super) fn put(&mut self, key: &str, value: Option<Box<RawValue>>) {
        let at = self.0.iter().position(|(name, _)| name == key);
        match (at, value) {
            (Some(at), Some(value)) => self.0[at].1 = value,
            (Some(at), None) => drop(self.0.remove(at)),
            (None, Some(value)) => self.0.push((key.to_owned(), value)),
            (None, None) => {}
        }
    }
}

impl Serialize for OrderedObject {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        self.0
            .iter()
            .try_for_each(|(key, value)| map.serialize_entry(key, value))?;
        map.end()
    }
}

impl<'de> Deserialize<'de> for OrderedObject {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = OrderedObject;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a JSON object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<OrderedObject, A::Error> {
                let mut object = OrderedObject::default();
                while let Some(pair) = map.next_entry()? {
                    object.0.push(pair);
                }
                Ok(object)
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}
