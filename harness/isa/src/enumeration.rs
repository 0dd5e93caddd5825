//! Enumerated bit-field types: the values of a modifier field, in the order of the syntax lines.
//!
//! A value is identified by its *index* in the list. The index is not the code in an instruction
//! word: the documents do not give codes, so [`crate::encoding`] does.

use std::fmt::Debug;

/// The value list of one enumerated type.
#[derive(Debug, PartialEq, Eq)]
pub struct Enumeration {
    /// Type name as the documents declare it, e.g. `FPRound`.
    pub name: &'static str,
    /// Width of the field in bits.
    pub width: u8,
    /// Value names; the assembler spells a value as `.NAME`.
    pub values: &'static [&'static str],
}

impl Enumeration {
    /// Returns the index of the value called `name`.
    pub fn index_of(&self, name: &str) -> Option<u32> {
        self.values.iter().position(|v| *v == name).map(|i| i as u32)
    }

    /// Whether a value is not written in assembler text: it means the absence of a flag, such as
    /// `NoFTZ`.
    pub fn is_silent(&self, index: u32) -> bool {
        self.values[index as usize].starts_with("No")
    }
}

/// A Rust enum that mirrors an [`Enumeration`], so that implementations match on names and not on numbers.
pub trait Modifier: Copy + Debug + 'static {
    /// The value list this type mirrors.
    const ENUM: Enumeration;

    /// Returns the value at an index of the list. Panics if the index is too large, which decoding
    /// prevents.
    fn from_index(index: u32) -> Self;
}

/// The name of a value: its Rust name, or a literal if the name is not an identifier, such as `32`.
macro_rules! spelled {
    ($value:ident) => {
        stringify!($value)
    };
    ($value:ident $spelling:literal) => {
        $spelling
    };
}
pub(crate) use spelled;

/// Declares an enumerated type once, as a Rust enum and as its value list.
macro_rules! enumerations {
    ($($(#[$meta:meta])* $name:ident: $width:literal { $($(#[$vmeta:meta])* $value:ident $(= $spelling:literal)?),+ $(,)? })+) => {$(
        $(#[$meta])*
        #[allow(non_camel_case_types, reason = "values are spelled as the documents spell them")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$vmeta])* $value),+ }

        impl $crate::enumeration::Modifier for $name {
            const ENUM: $crate::enumeration::Enumeration = $crate::enumeration::Enumeration {
                name: stringify!($name),
                width: $width,
                values: &[$($crate::enumeration::spelled!($value $($spelling)?)),+],
            };

            fn from_index(index: u32) -> Self {
                const VALUES: &[$name] = &[$($name::$value),+];
                VALUES[index as usize]
            }
        }
    )+};
}
pub(crate) use enumerations;
