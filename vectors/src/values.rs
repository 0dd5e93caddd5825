//! Maps from locations to values, and from errata to settings, as files write them.
//!
//! A word is written as `"0x3f800000"` and read as that or as a number; a predicate is `true` or
//! `false`. A map may name no location twice, under any spelling, for the first value would be lost.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use assay_isa::readings::Erratum;
use assay_isa::{Location, Readings};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};

use crate::text::Parsed;

/// A value for each of some locations; a predicate holds 0 or 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Values(pub BTreeMap<Location, u32>);

/// The values allowed at a location: ascending, without repetition, never none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allowed(Vec<u32>);

/// The values allowed at each location written. A location that is not named must not be written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expected(pub BTreeMap<Location, Allowed>);

/// Settings of some readings that differ from those of the profile.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overrides(pub BTreeMap<Erratum, u8>);

impl Allowed {
    /// One value and no other.
    pub fn one(value: u32) -> Allowed {
        Allowed(vec![value])
    }

    /// Any of the values; nothing where there is none.
    pub fn any(values: impl IntoIterator<Item = u32>) -> Option<Allowed> {
        let mut values: Vec<u32> = values.into_iter().collect();
        values.sort_unstable();
        values.dedup();
        (!values.is_empty()).then_some(Allowed(values))
    }

    /// Whether a value is allowed.
    pub fn contains(&self, value: u32) -> bool {
        self.0.contains(&value)
    }

    /// The values, ascending.
    pub fn values(&self) -> &[u32] {
        &self.0
    }
}

impl Overrides {
    /// Puts the settings on top of others. Settings that do not exist were refused on reading; of those
    /// put together in code, they are an error.
    pub fn apply(&self, readings: Readings) -> Result<Readings, assay_isa::readings::ReadingError> {
        let mut readings = readings;
        for (erratum, setting) in &self.0 {
            readings.set(*erratum, *setting)?;
        }
        Ok(readings)
    }
}

macro_rules! map {
    ($name:ident: $key:ty => $value:ty) => {
        impl Deref for $name {
            type Target = BTreeMap<$key, $value>;

            fn deref(&self) -> &Self::Target {
                &self.0
            }
        }

        impl DerefMut for $name {
            fn deref_mut(&mut self) -> &mut Self::Target {
                &mut self.0
            }
        }

        impl FromIterator<($key, $value)> for $name {
            fn from_iter<I: IntoIterator<Item = ($key, $value)>>(entries: I) -> Self {
                $name(entries.into_iter().collect())
            }
        }
    };
}

map!(Values: Location => u32);
map!(Expected: Location => Allowed);
map!(Overrides: Erratum => u8);

/// A value as it is written: by the kind of its location.
enum Written {
    Word(u32),
    Predicate(bool),
}

impl Written {
    fn at(location: Location, value: u32) -> Written {
        if location.is_predicate() { Written::Predicate(value != 0) } else { Written::Word(value) }
    }
}

impl Serialize for Written {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Written::Word(value) => serializer.collect_str(&format_args!("{value:#010x}")),
            Written::Predicate(value) => serializer.serialize_bool(*value),
        }
    }
}

impl Serialize for Values {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter().map(|(l, v)| (l.to_string(), Written::at(*l, *v))))
    }
}

impl Serialize for Expected {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.len()))?;
        for (location, allowed) in self.iter() {
            let written: Vec<_> = allowed.0.iter().map(|v| Written::at(*location, *v)).collect();
            match &written[..] {
                [one] => map.serialize_entry(&location.to_string(), one)?,
                several => map.serialize_entry(&location.to_string(), several)?,
            }
        }
        map.end()
    }
}

impl Serialize for Overrides {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter().map(|(erratum, setting)| (erratum.to_string(), setting)))
    }
}

impl<'de> Deserialize<'de> for Values {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ByKey::<Location, u32>(PhantomData)).map(Values)
    }
}

impl<'de> Deserialize<'de> for Expected {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ByKey::<Location, Allowed>(PhantomData)).map(Expected)
    }
}

impl<'de> Deserialize<'de> for Overrides {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ByKey::<Erratum, u8>(PhantomData)).map(Overrides)
    }
}

/// Reads a map whose values are understood by their key.
pub(crate) struct ByKey<K, V>(pub PhantomData<(K, V)>);

/// Reads the value under a key.
pub(crate) struct Under<K, V>(pub K, PhantomData<V>);

impl<'de, K, V> Visitor<'de> for ByKey<K, V>
where
    K: Parsed + Copy + Ord + fmt::Display,
    Under<K, V>: DeserializeSeed<'de, Value = V>,
{
    type Value = BTreeMap<K, V>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a map whose keys are like {}", K::EXAMPLE)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Self::Value, A::Error> {
        let mut map = BTreeMap::new();
        while let Some(key) = access.next_key_seed(crate::text::Seed::<K>(PhantomData))? {
            let value = access.next_value_seed(Under(key, PhantomData))?;
            if map.insert(key, value).is_some() {
                return Err(A::Error::custom(format_args!("{key} occurs twice; keep one of them")));
            }
        }
        Ok(map)
    }
}

impl<'de> DeserializeSeed<'de> for Under<Location, u32> {
    type Value = u32;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<u32, D::Error> {
        let allowed = deserializer.deserialize_any(ValueVisitor { location: self.0, list: false })?;
        Ok(allowed.0[0])
    }
}

impl<'de> DeserializeSeed<'de> for Under<Location, Allowed> {
    type Value = Allowed;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Allowed, D::Error> {
        deserializer.deserialize_any(ValueVisitor { location: self.0, list: true })
    }
}

impl<'de> DeserializeSeed<'de> for Under<Erratum, u8> {
    type Value = u8;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<u8, D::Error> {
        deserializer.deserialize_u64(SettingVisitor(self.0))
    }
}

/// Reads a setting that the erratum has.
struct SettingVisitor(Erratum);

impl Visitor<'_> for SettingVisitor {
    type Value = u8;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the number of a setting of {}", self.0)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<u8, E> {
        check_setting(self.0, value)
    }
}

/// The setting, if the erratum has a switch and the switch such a setting.
pub(crate) fn check_setting<E: Error>(erratum: Erratum, setting: u64) -> Result<u8, E> {
    let setting =
        u8::try_from(setting).map_err(|_| E::custom(format_args!("{erratum} has no setting {setting}")))?;
    Readings::default().set(erratum, setting).map_err(E::custom)?;
    Ok(setting)
}

/// Reads a value, or where `list` is set also several of them, of the kind that the location holds.
struct ValueVisitor {
    location: Location,
    list: bool,
}

impl ValueVisitor {
    fn word<E: Error>(&self, value: Option<u32>, written: &dyn fmt::Display) -> Result<Allowed, E> {
        if self.location.is_predicate() {
            return Err(E::custom(format_args!("{} holds `true` or `false`, not {written}", self.location)));
        }
        value.map(Allowed::one).ok_or_else(|| {
            let location = self.location;
            E::custom(format_args!(
                "{written} is no 32-bit word for {location}; write its bits, such as 0x3f800000"
            ))
        })
    }
}

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Allowed;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind =
            if self.location.is_predicate() { "`true` or `false`" } else { "a word such as 0x3f800000" };
        write!(f, "{kind} for {}{}", self.location, if self.list { ", or a list of such" } else { "" })
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Allowed, E> {
        if self.location.is_predicate() {
            return Ok(Allowed::one(value.into()));
        }
        Err(E::custom(format_args!("{} holds a word such as 0x3f800000, not {value}", self.location)))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Allowed, E> {
        self.word(value.try_into().ok(), &format_args!("{value:#x}"))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Allowed, E> {
        self.word(None, &value)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Allowed, E> {
        self.word(None, &value)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Allowed, E> {
        let value = crate::text::hexadecimal(text).and_then(|value| value.try_into().ok());
        self.word(value, &format_args!("`{text}`"))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Allowed, A::Error> {
        if !self.list {
            return Err(A::Error::custom(format_args!("{} holds one value, not a list", self.location)));
        }
        let mut values = Vec::new();
        while let Some(value) =
            access.next_element_seed(Under::<Location, u32>(self.location, PhantomData))?
        {
            values.push(value);
        }
        let location = self.location;
        Allowed::any(values).ok_or_else(|| {
            A::Error::custom(format_args!("no value is allowed at {location}; list one or remove it"))
        })
    }
}
