//! Writes and reads types of `assay-isa` in files, in the same text form as elsewhere in the
//! project.

use std::fmt;
use std::marker::PhantomData;

use assay_isa::readings::Erratum;
use assay_isa::shown::{QUOTED, quoted};
use assay_isa::{Event, Location};
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, Visitor};

/// A type that is written as text.
pub trait Parsed: Sized {
    /// An example of the text.
    const EXAMPLE: &'static str;

    /// Reads the type. The error contains the problem and an example.
    fn parsed(text: &str) -> Result<Self, String>;
}

impl Parsed for Location {
    const EXAMPLE: &'static str = "R1, P0 or c[0][0x160]";

    fn parsed(text: &str) -> Result<Self, String> {
        text.parse().map_err(|e: assay_isa::location::UnknownLocation| e.to_string())
    }
}

impl Parsed for Erratum {
    const EXAMPLE: &'static str = "E173";

    fn parsed(text: &str) -> Result<Self, String> {
        text.parse().map_err(|e: assay_isa::readings::ReadingError| e.to_string())
    }
}

impl Parsed for Event {
    const EXAMPLE: &'static str = "executed: NOP";

    fn parsed(text: &str) -> Result<Self, String> {
        text.parse().map_err(|e: assay_isa::effect::UnknownEvent| e.to_string())
    }
}

/// Reads a [`Parsed`] type.
pub(crate) struct Seed<T>(pub PhantomData<T>);

impl<'de, T: Parsed> DeserializeSeed<'de> for Seed<T> {
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<T: Parsed> Visitor<'_> for Seed<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "text like {}", T::EXAMPLE)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        T::parsed(text).map_err(|problem| {
            if text.len() <= QUOTED {
                E::custom(problem)
            } else {
                E::custom(format_args!("`{}` is no text like {}", quoted(text), T::EXAMPLE))
            }
        })
    }
}

/// Reads a [`Parsed`] type for serde's `deserialize_with`.
pub(crate) fn parsed<'de, D: Deserializer<'de>, T: Parsed>(deserializer: D) -> Result<T, D::Error> {
    Seed(PhantomData).deserialize(deserializer)
}

/// Writes a displayable value as its text.
pub(crate) fn displayed<T: fmt::Display, S: serde::Serializer>(
    value: &T,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

/// Returns the number after `0x`. `None` unless only hexadecimal digits, of either case, follow.
pub(crate) fn hexadecimal(text: &str) -> Option<u128> {
    let digits = text.strip_prefix("0x")?;
    digits.bytes().all(|b| b.is_ascii_hexdigit()).then(|| u128::from_str_radix(digits, 16).ok()).flatten()
}

/// Reads the value of an optional key that is present. Refuses an empty value, because only a
/// missing key means absence.
pub(crate) fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

/// An optional key whose value is written as text. If the key is present, it must have a value.
pub mod optional {
    use super::*;

    /// Writes the text.
    pub fn serialize<T: fmt::Display, S: serde::Serializer>(
        value: &Option<T>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match value {
            Some(value) => serializer.collect_str(value),
            None => serializer.serialize_none(),
        }
    }

    /// Reads the text.
    pub fn deserialize<'de, D: Deserializer<'de>, T: Parsed>(deserializer: D) -> Result<Option<T>, D::Error> {
        parsed(deserializer).map(Some)
    }
}

/// An optional instruction word, 128 bits as hexadecimal text.
pub(crate) mod word {
    use super::*;

    pub fn serialize<S: serde::Serializer>(value: &Option<u128>, serializer: S) -> Result<S::Ok, S::Error> {
        match value {
            Some(word) => serializer.collect_str(&format_args!("{word:#034x}")),
            None => serializer.serialize_none(),
        }
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u128>, D::Error> {
        deserializer.deserialize_any(WordVisitor).map(Some)
    }

    struct WordVisitor;

    impl Visitor<'_> for WordVisitor {
        type Value = u128;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an instruction word of up to 128 bits, 0x and hexadecimal digits")
        }

        fn visit_u64<E: Error>(self, value: u64) -> Result<u128, E> {
            Ok(value.into())
        }

        fn visit_u128<E: Error>(self, value: u128) -> Result<u128, E> {
            Ok(value)
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<u128, E> {
            hexadecimal(text).ok_or_else(|| E::invalid_value(serde::de::Unexpected::Str(text), &self))
        }
    }
}

/// An optional event: `{fault: text}`, `{executed: text}` or `{failed: text}`.
pub(crate) mod event {
    use super::*;
    use serde::ser::SerializeMap;

    const KINDS: &[&str] = &["fault", "executed", "failed"];

    pub fn serialize<S: serde::Serializer>(value: &Option<Event>, serializer: S) -> Result<S::Ok, S::Error> {
        let (kind, text) = match value {
            Some(Event::Fault(fault)) => (KINDS[0], fault.name().to_owned()),
            Some(Event::Executed(action)) => (KINDS[1], action.to_string()),
            Some(Event::Failed(failure)) => (KINDS[2], failure.name().to_owned()),
            None => return serializer.serialize_none(),
        };
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry(kind, &text)?;
        map.end()
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Event>, D::Error> {
        deserializer.deserialize_any(EventVisitor).map(Some)
    }

    struct EventVisitor;

    impl<'de> Visitor<'de> for EventVisitor {
        type Value = Event;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("{fault: TEXT}, {executed: TEXT} or {failed: TEXT}")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Event, A::Error> {
            let Some(kind) = access.next_key::<String>()? else {
                return Err(A::Error::invalid_length(0, &self));
            };
            let event = match &kind[..] {
                "fault" => access.next_value::<String>()?.parse().map(Event::Fault),
                "executed" => access.next_value::<String>()?.parse().map(Event::Executed),
                "failed" => access.next_value::<String>()?.parse().map(Event::Failed),
                other => return Err(A::Error::unknown_field(other, KINDS)),
            };
            let event = event.map_err(A::Error::custom)?;
            match access.next_key::<String>()? {
                Some(_) => Err(A::Error::invalid_length(2, &self)),
                None => Ok(event),
            }
        }
    }
}
