//! The selection of a run: the modes that patterns select.
//!
//! A pattern is a glob over optypes, forms and functions: `FADD`, `FADD_R?`, `MUFU.RCP.*`. Parts
//! after a dot can also name values of modifiers, in any order: `FADD.RM`, `FFMA*.FTZ.RZ`,
//! `*.NoFTZ`. A pattern that begins with `!` removes modes from the selection. Upper and lower case
//! are equivalent.

use std::collections::{BTreeMap, BTreeSet};

use assay_engine::compare::comparator::{Comparator, Setup};
use assay_engine::generate::Scope;
use assay_engine::stats::judged;
use assay_isa::similar::did_you_mean;
use assay_isa::{Instruction, asm, catalog};
use assay_records::commands::isa::FormModes;
use globset::{GlobMatcher, GlobSet};

use crate::error::RunError;

/// The selected modes that can be generated, and the names of the functions that cannot be
/// generated completely.
pub struct Selection {
    /// The modes.
    pub scope: Scope,
    /// Selected functions with modes that an implementation lacks.
    pub unsupported: Vec<String>,
    /// Patterns that select no mode of `scope`.
    pub undrawn: Vec<String>,
}

impl Selection {
    /// Refuses a pattern for which nothing can be generated. Otherwise a device that declares fewer
    /// modes than before would be tested less without notice. `allowed` has globs of the optypes,
    /// forms, functions and modes that may be missing.
    ///
    /// # Errors
    ///
    /// A pattern has no mode that can be generated, and `allowed` does not match all of its modes.
    pub fn require_drawn<'a>(&self, allowed: impl IntoIterator<Item = &'a String>) -> Result<(), RunError> {
        let allowed = allowed.into_iter().map(|glob| judged::matcher(glob)).collect::<Result<Vec<_>, _>>();
        let allowed = allowed.map_err(|problem| RunError::input(format!("--allow-undeclared {problem}")))?;
        let is_allowed =
            |mode: &Instruction| allowable(mode).any(|name| allowed.iter().any(|glob| glob.is_match(&name)));
        for text in &self.undrawn {
            let pattern =
                Pattern::new(text).map_err(|problem| RunError::input(format!("--only {problem}")))?;
            if !Scope::everything().modes().filter(|mode| pattern.is_match(mode)).all(is_allowed) {
                return Err(RunError::input(format!(
                    "--only {text} draws nothing: its modes are taken away, or subject or oracle does not support them; \
                     leave it out, or add --allow-undeclared {text}"
                )));
            }
        }
        Ok(())
    }
}

/// One pattern of `--only`.
struct Pattern {
    /// Whether the pattern removes modes.
    is_excluding: bool,
    /// The parts as written. The first part and one other part may together spell an optype, as in
    /// `UIMAD.WIDE.S32`.
    written: Vec<String>,
    /// The whole pattern, which is compared with optypes, forms and functions.
    name: GlobMatcher,
    /// The part before the first dot is compared with optypes and forms. The other parts are
    /// compared with values of modifiers.
    parts: Option<(GlobMatcher, Vec<GlobMatcher>)>,
}

impl Pattern {
    fn new(text: &str) -> Result<Pattern, String> {
        let (is_excluding, text) = text.strip_prefix('!').map_or((false, text), |rest| (true, rest));
        let mut parts = text.split('.').map(judged::matcher);
        let head = parts.next().unwrap_or_else(|| judged::matcher(text))?;
        let modifiers = parts.collect::<Result<Vec<_>, _>>()?;
        let parts = (!modifiers.is_empty()).then_some((head, modifiers));
        let written = text.split('.').map(str::to_owned).collect();
        Ok(Pattern { is_excluding, written, name: judged::matcher(text)?, parts })
    }

    fn is_match(&self, instruction: &Instruction) -> bool {
        names(instruction).iter().any(|name| self.name.is_match(name))
            || self.parts.as_ref().is_some_and(|(head, wanted)| {
                let (optype, form) = (instruction.form().optype, instruction.form().name);
                let spelling = self.spelling(optype.mnemonic());
                let is_head =
                    spelling.is_some() || [optype.name, form].iter().any(|name| head.is_match(name));
                let values: Vec<&str> = modifiers(instruction).collect();
                let wanted = wanted.iter().enumerate().filter(|(place, _)| spelling != Some(*place));
                is_head && wanted.into_iter().all(|(_, glob)| values.iter().any(|value| glob.is_match(value)))
            })
    }

    /// For a mnemonic with a dot, returns the index of the part that spells its second half: 0 for
    /// `UIMAD.WIDE.S32`. The index counts the parts after the first dot. Globs are not compared
    /// here: `UIMAD.*` selects only UIMAD.
    fn spelling(&self, mnemonic: &str) -> Option<usize> {
        let (name, part) = mnemonic.split_once('.')?;
        let (head, rest) = self.written.split_first()?;
        let place = rest.iter().position(|written| written.eq_ignore_ascii_case(part));
        place.filter(|_| head.eq_ignore_ascii_case(name))
    }
}

/// Returns the names by which patterns select an instruction.
fn names(i: &Instruction) -> [String; 3] {
    [i.optype().to_owned(), i.form().name.to_owned(), i.function()]
}

/// Returns the names by which an option can allow an instruction: the names that patterns use, and
/// its mode.
pub fn allowable(i: &Instruction) -> impl Iterator<Item = String> + use<> {
    names(i).into_iter().chain([asm::mnemonic(i)])
}

/// Whether globs over [`allowable`] names match an instruction.
pub fn is_named(globs: &GlobSet, instruction: &Instruction) -> bool {
    allowable(instruction).any(|name| globs.is_match(&name))
}

/// Returns the values of the modifiers of an instruction, including values that are not written,
/// such as `NoFTZ` and `RN`.
fn modifiers(i: &Instruction) -> impl Iterator<Item = &str> {
    i.form().optype.syntax.iter().map(|name| i.value_name(name))
}

/// Returns a function that tests whether patterns select an instruction. Without patterns, every
/// instruction is selected. If all patterns begin with `!`, every other instruction is selected.
///
/// # Errors
///
/// A pattern is not valid, or matches no mode. Otherwise a typing error would leave out cases
/// without notice.
pub fn selector(only: &[String]) -> Result<impl Fn(&Instruction) -> bool + use<>, RunError> {
    let invalid = |problem| RunError::input(format!("--only {problem}"));
    let patterns =
        only.iter().map(|text| Pattern::new(text)).collect::<Result<Vec<_>, _>>().map_err(invalid)?;
    for (text, pattern) in only.iter().zip(&patterns) {
        if !Scope::everything().modes().any(|mode| pattern.is_match(mode)) {
            let known: BTreeSet<String> = Scope::everything().modes().flat_map(names).collect();
            let all = format!("{ALL_NAMES}, and `assay fuzz --modes` the modifiers");
            let remedy = did_you_mean(text, known.iter().map(String::as_str), &all);
            return Err(RunError::input(format!("--only {text} selects nothing; {remedy}")));
        }
    }
    let (excluding, including): (Vec<_>, Vec<_>) = patterns.into_iter().partition(|p| p.is_excluding);
    Ok(move |i: &Instruction| {
        let is_in = including.is_empty() || including.iter().any(|pattern| pattern.is_match(i));
        is_in && !excluding.iter().any(|pattern| pattern.is_match(i))
    })
}

/// Selects the modes that the patterns match and that both implementations implement.
pub fn select(setup: &Setup<'_>, only: &[String]) -> Result<Selection, RunError> {
    let selected = selector(only)?;
    let wanted = Scope::filtered(&selected);
    let mut comparator = Comparator::new(setup);
    let mut modes: BTreeMap<String, [u32; 2]> = BTreeMap::new();
    let mut missing: Vec<&Instruction> = Vec::new();
    for mode in wanted.modes() {
        let supported = comparator.supports_some(mode, setup.numbers)?;
        modes.entry(mode.function()).or_default()[usize::from(supported)] += 1;
        if !supported {
            missing.push(mode);
        }
    }
    let scope = Scope::filtered(|i| selected(i) && !missing.contains(&i));
    let patterns = only.iter().filter(|text| !text.starts_with('!')).map(|text| (text, Pattern::new(text)));
    let is_undrawn = |pattern: &Pattern| !scope.modes().any(|mode| pattern.is_match(mode));
    let undrawn = patterns.filter(|(_, pattern)| pattern.as_ref().is_ok_and(is_undrawn));
    let undrawn = undrawn.map(|(text, _)| text.clone()).collect();
    let name = |(function, [without, with]): (String, [u32; 2])| match (without, with) {
        (0, _) => None,
        (_, 0) => Some(function),
        (without, with) => Some(format!("{function} ({without} of {} modes)", without + with)),
    };
    Ok(Selection { scope, unsupported: modes.into_iter().filter_map(name).collect(), undrawn })
}

/// Returns the number of modes of each form in a scope, and the values that each modifier takes.
pub fn modes(scope: &Scope) -> Vec<FormModes> {
    let mut forms: Vec<(&Instruction, Vec<BTreeSet<u32>>, u64)> = Vec::new();
    for mode in scope.modes() {
        let syntax = mode.form().optype.syntax;
        if forms.last().is_none_or(|(first, ..)| first.form().name != mode.form().name) {
            forms.push((mode, vec![BTreeSet::new(); syntax.len()], 0));
        }
        if let Some((_, values, modes)) = forms.last_mut() {
            *modes += 1;
            let taken = values.iter_mut().zip(syntax);
            taken.for_each(|(values, name)| values.extend(mode.get(name)));
        }
    }
    let form = |(mode, values, modes): (&Instruction, Vec<BTreeSet<u32>>, u64)| {
        let form = mode.form();
        let named = values.into_iter().zip(form.optype.syntax).map(|(values, name)| {
            let name_of = |value| {
                let mut mode = mode.clone();
                mode.set(name, value);
                mode.value_name(name).to_owned()
            };
            ((*name).to_owned(), values.into_iter().map(name_of).collect::<Vec<_>>())
        });
        let mnemonics = scope.modes().filter(|mode| mode.form().name == form.name).map(asm::mnemonic);
        FormModes {
            form: form.name.to_owned(),
            modes,
            mnemonics: mnemonics.collect(),
            modifiers: named.collect(),
        }
    };
    forms.into_iter().map(form).collect()
}

/// Returns the error for a name that no optype has.
pub fn unknown_optype(name: &str) -> RunError {
    let known = catalog().optypes().into_iter().map(|optype| optype.name);
    RunError::input(format!(
        "no optype is called {name}; {}",
        did_you_mean(name, known, "`assay isa list` has all")
    ))
}

/// The advice if no name is similar to a pattern.
pub const ALL_NAMES: &str = "`assay isa list` has all optypes and forms";

/// Compiles the patterns of an option, as [`judged::globs`].
pub fn globs(
    option: &str,
    patterns: &[String],
    names: impl Iterator<Item = String>,
    remedy: &str,
) -> Result<GlobSet, RunError> {
    judged::globs(option, patterns, names, remedy).map_err(RunError::input)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selects(only: &[&str], text: &str) -> bool {
        let only: Vec<String> = only.iter().map(|text| (*text).to_owned()).collect();
        let selected = selector(&only).expect("the patterns are valid");
        selected(&asm::parse(text).expect("a legal instruction"))
    }

    /// An instruction whose optype has a dot in its mnemonic.
    const WIDE: &str = "UIMAD.WIDE UR[0:1], UR2, UR3, UR[4:5]";

    #[test]
    fn names_and_modifiers_select() {
        let ftz = "FADD.FTZ.RM R0, R1, R2";
        for (only, text, is_selected) in [
            (&[][..], ftz, true),
            (&["fadd"], ftz, true),
            (&["FADD_R?"], ftz, true),
            (&["FADD.RM"], ftz, true),
            (&["fadd.rm.ftz"], ftz, true),
            (&["FADD.RZ"], ftz, false),
            (&["FMUL.RM"], ftz, false),
            (&["*.FTZ", "!*.R[MZ]"], ftz, false),
            (&["!*.FTZ"], ftz, false),
            (&["!*.FTZ"], "FADD R0, R1, R2", true),
            (&["!*.FTZ"], "POPC R0, R1", true),
            (&["*.NoFTZ"], "POPC R0, R1", false),
            (&["FADD.NoFTZ.RN"], "FADD R0, R1, R2", true),
            (&["MUFU.RCP.*"], "MUFU.RCP.F32 R0, R1", true),
            (&["MUFU.F32"], "MUFU.RCP.F32 R0, R1", true),
            (&["MUFU.SIN"], "MUFU.RCP.F32 R0, R1", false),
            (&["UIMAD.WIDE"], WIDE, true),
            (&["uimad.wide.s32"], WIDE, true),
            (&["UIMAD.S32.WIDE"], WIDE, true),
            (&["UIMAD.WIDE.*"], WIDE, true),
            (&["UIMAD_WIDE.S32"], WIDE, true),
            (&["*", "!UIMAD.WIDE.S32"], WIDE, false),
            (&["UIMAD.WIDE.U32"], WIDE, false),
            (&["UIMAD.*"], WIDE, false),
            (&["UIMAD.WIDE.S32"], "UIMAD UR0, UR1, UR2, UR3", false),
        ] {
            assert_eq!(selects(only, text), is_selected, "{only:?} {text}");
        }
    }

    #[test]
    fn a_pattern_that_matches_no_mode_is_refused() {
        for (text, words) in [
            ("FADDD", "--only FADDD selects nothing; did you mean `FADD`"),
            ("FADD.FTX", "--only FADD.FTX selects nothing"),
            ("POPC.FTZ", "--only POPC.FTZ selects nothing"),
            ("!NOPE", "--only !NOPE selects nothing"),
            ("[", "--only `[`"),
        ] {
            let error = selector(&[text.to_owned()]).err().expect(text).to_string();
            assert!(error.contains(words), "{text}: {error}");
        }
    }
}
