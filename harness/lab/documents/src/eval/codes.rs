//! The codes of enumerated values. The documents give almost none (E001, E002, E005), so the caller
//! supplies them.

use std::collections::BTreeMap;
use std::sync::Arc;

use assay_isa::Location;

use super::rules::Rules;
use super::specification::Specification;

/// Name of the type of special registers, which the documents define.
const SPECIAL: &str = "SReg";
/// The special register without storage.
const NONE: &str = "SRZ";

/// The names of the values of each enumerated type, by code.
#[derive(Debug, Clone, Default)]
pub struct Codes {
    names: BTreeMap<String, BTreeMap<u32, Arc<str>>>,
    /// The special registers: name and code.
    specials: Vec<(String, u32)>,
}

impl Codes {
    /// Creates the table of codes from entries `(type, code, name)`. The codes of special registers
    /// are those of the documents.
    pub fn new<'a>(
        specification: &Specification,
        listed: impl IntoIterator<Item = (&'a str, u32, &'a str)>,
    ) -> Codes {
        let mut codes = Codes::default();
        for ty in &specification.types {
            for value in ty.values.iter().filter_map(|value| Some((value, u32::try_from(value.value).ok()?)))
            {
                let (value, code) = value;
                match ty.name.as_str() {
                    SPECIAL => codes.specials.push((value.name.clone(), code)),
                    _ => codes.add(&ty.name, code, &value.name),
                }
            }
        }
        for (ty, code, name) in listed {
            codes.add(ty, code, name);
        }
        codes
    }

    fn add(&mut self, ty: &str, code: u32, name: &str) {
        self.names.entry(ty.to_owned()).or_default().insert(code, Arc::from(name));
    }

    /// Returns the name of a value. `None` for another type, and for a code without a value.
    ///
    /// E092: the syntax of ULDC has `.S1` and `.U1` in the places of `.S16` and `.U16`.
    pub fn name(&self, ty: &str, code: u32, rules: &Rules) -> Option<Arc<str>> {
        let name = self.names.get(ty)?.get(&code)?;
        Some(match (&**name, rules.of(92)) {
            ("S16", 1) => Arc::from("S1"),
            ("U16", 1) => Arc::from("U1"),
            _ => Arc::clone(name),
        })
    }

    /// Whether a type has listed values.
    pub fn lists(&self, ty: &str) -> bool {
        self.names.contains_key(ty)
    }

    /// Returns the codes of a type's values.
    pub fn values(&self, ty: &str) -> impl Iterator<Item = u32> + '_ {
        self.names.get(ty).into_iter().flat_map(|names| names.keys().copied())
    }

    /// Returns the code of a value.
    pub fn code(&self, ty: &str, name: &str) -> Option<u32> {
        let names = self.names.get(ty)?;
        names.iter().find(|(_, known)| &***known == name).map(|(code, _)| *code)
    }

    /// Returns the special register with a code. `None` for the one without storage.
    pub fn special(&self, code: u32) -> Option<Location> {
        let is_none = self.specials.iter().any(|(name, known)| *known == code && name == NONE);
        u8::try_from(code).ok().filter(|_| !is_none).map(Location::Sr)
    }

    /// Returns the special register with the high half of another one (E067): for a name that ends
    /// in `LO` that in `HI`, and `PM_HI0` for `PM0`.
    pub fn special_high(&self, code: u32) -> Option<Location> {
        let (low, _) = self.specials.iter().find(|(_, known)| *known == code)?;
        let high = match low.strip_suffix("LO") {
            Some(stem) => format!("{stem}HI"),
            None => low.replacen("PM", "PM_HI", 1),
        };
        let (_, code) = self.specials.iter().find(|(name, known)| *name == high && *known != code)?;
        self.special(*code)
    }
}
