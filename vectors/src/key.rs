//! The key that selects the instructions of a contract: an optype and some of its modifiers.

use assay_isa::enumeration::Modifier;
use assay_isa::row::FieldType;
use assay_isa::shown::quoted;
use assay_isa::similar::did_you_mean;
use assay_isa::tables::types::MUFUOp;
use assay_isa::{Instruction, catalog};

use crate::text::Parsed;

/// An optype and modifiers, such as `MUFU.RCP.F32`.
#[derive(Clone, Debug)]
pub(crate) struct Key {
    text: String,
    optype: &'static str,
    /// Pairs of a modifier field and its required value.
    modifiers: Vec<(&'static str, u32)>,
}

impl Parsed for Key {
    const EXAMPLE: &'static str = "MUFU.RCP.F32";

    /// Reads a key and checks that the tables have its optype and modifiers.
    fn parsed(text: &str) -> Result<Key, String> {
        let error = |problem: String| format!("`{}` is no instruction: {problem}", quoted(text));
        let mut parts = text.split('.');
        let name = parts.next().unwrap_or_default();
        let form = catalog().forms_of(name).next().ok_or_else(|| {
            let known = catalog().optypes().into_iter().map(|optype| optype.name);
            let remedy = did_you_mean(name, known, "`assay isa list` has all");
            error(format!("no optype is called `{}`; {remedy}", quoted(name)))
        })?;
        let mut modifiers = Vec::new();
        for part in parts {
            let found = form.optype.syntax.iter().find_map(|field| match form.field(field)?.ty {
                FieldType::Enum(e) => e.index_of(part).map(|index| (*field, index)),
                _ => None,
            });
            let (field, index) =
                found.ok_or_else(|| error(format!("{name} has no modifier .{}", quoted(part))))?;
            if modifiers.iter().any(|(other, _)| *other == field) {
                return Err(error(format!(".{} contradicts or repeats an earlier modifier", quoted(part))));
            }
            modifiers.push((field, index));
        }
        Ok(Key { text: text.to_owned(), optype: form.optype.name, modifiers })
    }
}

impl Key {
    /// Returns the key as written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the name of the optype.
    pub fn optype(&self) -> &'static str {
        self.optype
    }

    /// Whether this key matches every instruction that `other` matches.
    pub fn covers(&self, other: &Key) -> bool {
        self.optype == other.optype && self.modifiers.iter().all(|m| other.modifiers.contains(m))
    }

    /// Whether the instruction has the key's optype and all modifiers of the key.
    pub fn matches(&self, instruction: &Instruction) -> bool {
        instruction.optype() == self.optype
            && self.modifiers.iter().all(|(field, index)| instruction.get(field) == Some(*index))
    }

    /// Returns one instruction for each function of MUFU that the key covers. Empty for other
    /// optypes.
    pub fn functions(&self) -> impl Iterator<Item = Instruction> {
        let form = catalog().forms_of(self.optype).next().filter(|form| form.position("mufuop").is_some());
        let functions = form.into_iter().flat_map(|form| {
            (0..MUFUOp::ENUM.values.len() as u32).map(move |function| {
                let mut instruction = Instruction::new(form);
                instruction.set("mufuop", function);
                instruction
            })
        });
        let named =
            self.modifiers.iter().find(|(field, _)| *field == "mufuop").map(|(_, function)| *function);
        functions.filter(move |one| named.is_none_or(|function| one.get("mufuop") == Some(function)))
    }

    /// Returns the number of modifiers. If two keys match an instruction, the key with more
    /// modifiers applies.
    pub fn precision(&self) -> usize {
        self.modifiers.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_match_what_they_name() {
        let parse = |text| assay_isa::asm::parse(text).unwrap();
        let key = Key::parsed("MUFU.RCP.F32").unwrap();
        assert!(key.matches(&parse("MUFU.RCP.F32 R0, R1")));
        assert!(key.matches(&parse("@!P0 MUFU.RCP.F32.SAT R0, |UR1|")));
        assert!(!key.matches(&parse("MUFU.RCP.F64 R0, R1")));
        assert!(!key.matches(&parse("FADD R0, R1, R2")));
        for text in ["", "NOPE", "MUFU.RCQ", "MUFU.RCP.RSQ", "MUFU.", "mufu.RCP"] {
            assert!(Key::parsed(text).is_err(), "{text}");
        }
    }
}
