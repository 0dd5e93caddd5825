//! Maps from locations to values, and from errata to settings, as files write them.
//!
//! A word is written as `"0x3f800000"`, and read in that form or as a number. A predicate is `true`
//! or `false`. A map that names a location twice, even in different spellings, is refused, because
//! one value would be lost.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use assay_isa::readings::Erratum;
use assay_isa::shown::quoted;
use assay_isa::{Location, Readings};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};

use crate::text::Parsed;

/// A map from locations to values. A predicate has the value 0 or 1.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Values(pub BTreeMap<Location, u32>);

/// The values allowed at a location, as at least one span. The spans ascend and do not overlap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allowed(Vec<Span>);

/// All values from `low` to `high`, both included. Often `low` equals `high`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    /// The least value.
    pub low: u32,
    /// The greatest value.
    pub high: u32,
}

/// The allowed values for each location that must be written. No other location may be written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expected(pub BTreeMap<Location, Allowed>);

/// Settings of readings that differ from the settings of the profile.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overrides(pub BTreeMap<Erratum, u8>);

impl Allowed {
    /// Allows exactly one value.
    pub fn one(value: u32) -> Allowed {
        Allowed(vec![Span { low: value, high: value }])
    }

    /// Allows each of the values. `None` if there are no values.
    pub fn any(values: impl IntoIterator<Item = u32>) -> Option<Allowed> {
        Allowed::spans(values.into_iter().map(|value| Span { low: value, high: value }))
    }

    /// Allows every value that is in at least one of the spans. `None` if there are no spans.
    /// Merges spans that overlap.
    pub fn spans(spans: impl IntoIterator<Item = Span>) -> Option<Allowed> {
        let mut spans: Vec<Span> = spans.into_iter().collect();
        spans.sort_unstable();
        let mut apart: Vec<Span> = Vec::new();
        for span in spans {
            match apart.last_mut().filter(|last| span.low <= last.high) {
                Some(last) => last.high = last.high.max(span.high),
                None => apart.push(span),
            }
        }
        (!apart.is_empty()).then_some(Allowed(apart))
    }

    /// Whether a value is allowed.
    pub fn contains(&self, value: u32) -> bool {
        self.0.iter().any(|span| (span.low..=span.high).contains(&value))
    }

    /// Whether both sets allow a common value.
    pub fn meets(&self, other: &Allowed) -> bool {
        self.0.iter().any(|a| other.0.iter().any(|b| a.low <= b.high && b.low <= a.high))
    }

    /// Returns the spans, ascending.
    pub fn as_spans(&self) -> &[Span] {
        &self.0
    }

    /// Returns the ends of all spans, ascending. A span of one value has one end.
    pub fn ends(&self) -> Vec<u32> {
        let mut ends: Vec<u32> = self.0.iter().flat_map(|span| [span.low, span.high]).collect();
        ends.dedup();
        ends
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#010x}", self.low)?;
        if self.low < self.high { write!(f, "..{:#010x}", self.high) } else { Ok(()) }
    }
}

impl fmt::Display for Allowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts: Vec<_> = self.0.iter().map(Span::to_string).collect();
        f.write_str(&texts.join(" or "))
    }
}

impl Overrides {
    /// Returns `readings` with these settings. Fails for a setting that does not exist, which
    /// cannot happen for settings from a file, because reading checks them.
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

/// The form in which files write a value, which depends on the kind of location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrittenValue {
    /// A word, or a span of words: `0x` and eight digits.
    Words(Span),
    /// A predicate.
    Predicate(bool),
}

impl WrittenValue {
    /// Returns the written form of a value at a location.
    pub fn at(location: Location, value: u32) -> WrittenValue {
        WrittenValue::span_at(location, Span { low: value, high: value })
    }

    fn span_at(location: Location, span: Span) -> WrittenValue {
        if location.is_predicate() {
            WrittenValue::Predicate(span.low != 0)
        } else {
            WrittenValue::Words(span)
        }
    }
}

impl Serialize for WrittenValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            WrittenValue::Words(span) => serializer.collect_str(span),
            WrittenValue::Predicate(value) => serializer.serialize_bool(*value),
        }
    }
}

impl Serialize for Values {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter().map(|(l, v)| (l.to_string(), WrittenValue::at(*l, *v))))
    }
}

impl Serialize for Expected {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.len()))?;
        for (location, allowed) in self.iter() {
            let written: Vec<_> =
                allowed.0.iter().map(|span| WrittenValue::span_at(*location, *span)).collect();
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

/// Reads a map whose values depend on their keys.
pub(crate) struct ByKey<K, V>(pub PhantomData<(K, V)>);

/// Reads the value under a key.
pub(crate) struct UnderKey<K, V>(pub K, PhantomData<V>);

/// Returns a reader for the value of a location.
pub(crate) fn under(location: Location) -> UnderKey<Location, u32> {
    UnderKey(location, PhantomData)
}

impl<'de, K, V> Visitor<'de> for ByKey<K, V>
where
    K: Parsed + Copy + Ord + fmt::Display,
    UnderKey<K, V>: DeserializeSeed<'de, Value = V>,
{
    type Value = BTreeMap<K, V>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a map whose keys are like {}", K::EXAMPLE)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Self::Value, A::Error> {
        let mut map = BTreeMap::new();
        while let Some(key) = access.next_key_seed(crate::text::Seed::<K>(PhantomData))? {
            let value = access.next_value_seed(UnderKey(key, PhantomData))?;
            if map.insert(key, value).is_some() {
                return Err(A::Error::custom(format_args!("{key} occurs twice; keep one of them")));
            }
        }
        Ok(map)
    }
}

impl<'de> DeserializeSeed<'de> for UnderKey<Location, u32> {
    type Value = u32;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<u32, D::Error> {
        let allowed =
            deserializer.deserialize_any(ValueVisitor { location: self.0, list: false, span: false })?;
        Ok(allowed.0[0].low)
    }
}

/// Reads one item of a list of allowed values.
impl<'de> DeserializeSeed<'de> for UnderKey<Location, Span> {
    type Value = Span;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Span, D::Error> {
        let visitor = ValueVisitor { location: self.0, list: false, span: true };
        Ok(deserializer.deserialize_any(visitor)?.0[0])
    }
}

impl<'de> DeserializeSeed<'de> for UnderKey<Location, Allowed> {
    type Value = Allowed;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Allowed, D::Error> {
        deserializer.deserialize_any(ValueVisitor { location: self.0, list: true, span: true })
    }
}

impl<'de> DeserializeSeed<'de> for UnderKey<Erratum, u8> {
    type Value = u8;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<u8, D::Error> {
        deserializer.deserialize_u64(SettingVisitor(self.0))
    }
}

/// Reads the number of a setting, and checks that the erratum has it.
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

/// Returns the setting as `u8`. Fails if the erratum has no switch, or its switch lacks the
/// setting.
pub(crate) fn check_setting<E: Error>(erratum: Erratum, setting: u64) -> Result<u8, E> {
    let setting =
        u8::try_from(setting).map_err(|_| E::custom(format_args!("{erratum} has no setting {setting}")))?;
    Readings::default().set(erratum, setting).map_err(E::custom)?;
    Ok(setting)
}

/// Reads a word or a predicate, whichever the location holds. Also reads a span of words if `span`
/// is set, and a list of allowed values if `list` is set.
struct ValueVisitor {
    location: Location,
    list: bool,
    span: bool,
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
        let word = |text: &str| crate::text::hexadecimal(text).and_then(|value| value.try_into().ok());
        let Some((low, high)) = text.split_once("..").filter(|_| self.span) else {
            return self.word(word(text), &format_args!("`{}`", quoted(text)));
        };
        let span =
            word(low).zip(word(high)).filter(|(low, high)| low < high && !self.location.is_predicate());
        let (low, high) = span.ok_or_else(|| {
            let example = "write a range such as 0x3f7ffffe..0x3f800001, which includes both ends";
            let text = quoted(text);
            E::custom(format_args!("`{text}` is no span of values for {}; {example}", self.location))
        })?;
        Ok(Allowed(vec![Span { low, high }]))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Allowed, A::Error> {
        if !self.list {
            return Err(A::Error::custom(format_args!("{} holds one value, not a list", self.location)));
        }
        let mut spans = Vec::new();
        while let Some(span) =
            access.next_element_seed(UnderKey::<Location, Span>(self.location, PhantomData))?
        {
            spans.push(span);
        }
        let location = self.location;
        Allowed::spans(spans).ok_or_else(|| {
            A::Error::custom(format_args!("no value is allowed at {location}; list one or remove it"))
        })
    }
}
