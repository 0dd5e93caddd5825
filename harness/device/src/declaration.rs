//! The declaration of a device: the modes that it supports. A device makes it once, before the run.
//!
//! A device of version 2 lists patterns over modes. It must answer every batch of a covered mode. A
//! device of version 1 lists only optypes. It may answer `unsupported` to any of their modes.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use assay_isa::row::Optype;
use assay_isa::shown::quoted;
use assay_isa::similar::did_you_mean;
use assay_isa::{Instruction, asm, catalog, legality, lint};
use globset::{Glob, GlobSet, GlobSetBuilder};

use crate::protocol::{HelloReply, OLDEST, PROTOCOL};

/// Maximum length of a pattern in bytes. The glob library panics if a pattern compiles to a too
/// large automaton.
const LONGEST_PATTERN: usize = 1024;

/// The modes that a device states to support.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// The patterns as globs, in the order in which the device lists them.
    globs: GlobSet,
    /// Whether each pattern excludes modes, in the order of `globs`.
    is_exclusion: Vec<bool>,
    is_binding: bool,
    /// Cache of [`Declaration::covers`]: whether a mode of a form is covered. All handles of a
    /// device share it.
    answers: Arc<Mutex<HashMap<ModeOfForm, bool>>>,
}

/// The name of a form, and the mnemonic of a mode.
type ModeOfForm = (&'static str, String);

impl Declaration {
    /// Returns the declaration in a hello reply. The error names a pattern that matches nothing,
    /// with the most similar name.
    pub fn new(reply: &HelloReply) -> Result<Declaration, String> {
        let HelloReply { protocol, optypes, modes, .. } = reply;
        let (is_binding, list) = match (*protocol, &optypes[..], &modes[..]) {
            (1, optypes, []) => (false, optypes),
            (1, ..) => return Err("it lists `modes`, which belong to version 2 of the protocol".into()),
            (PROTOCOL, [], modes) => (true, modes),
            (PROTOCOL, ..) => {
                return Err(
                    "it lists `optypes`, which belong to version 1 of the protocol; list `modes`".into()
                );
            }
            (other, ..) => {
                return Err(format!("it speaks version {other} of the protocol, not 1 or {PROTOCOL}"));
            }
        };
        Declaration::listed(list, is_binding)
    }

    /// Returns the declaration that a result records: a protocol version and a list of patterns or
    /// optypes.
    ///
    /// # Errors
    ///
    /// As [`Declaration::new`].
    pub fn recorded(protocol: u32, list: &[String]) -> Result<Declaration, String> {
        Declaration::listed(list, protocol > OLDEST)
    }

    fn listed(list: &[String], is_binding: bool) -> Result<Declaration, String> {
        if list.is_empty() {
            return Err("it supports nothing: its list is empty".into());
        }
        let (mut globs, mut is_exclusion) = (GlobSetBuilder::new(), Vec::new());
        for written in list {
            let exclusion = written.strip_prefix('!').filter(|_| is_binding);
            let pattern = exclusion.unwrap_or(written);
            if pattern.len() > LONGEST_PATTERN {
                let pattern = quoted(pattern);
                return Err(format!("it lists `{pattern}`: a pattern has at most {LONGEST_PATTERN} bytes"));
            }
            let glob = if is_binding {
                Glob::new(pattern).map_err(|e| format!("it lists `{written}`: {e}"))?
            } else {
                optype(pattern)?
            };
            // The matcher is compiled only if needed, because most lists have thousands of names
            // and few patterns.
            let matches_any = || {
                let matcher = glob.compile_matcher();
                NAMES.iter().any(|name| matcher.is_match(name))
            };
            if !NAMES.contains(pattern) && !matches_any() {
                let remedy = did_you_mean(pattern, NAMES.iter().map(String::as_str), ALL);
                return Err(format!(
                    "it lists `{written}`, which names no optype, form, function or mode; {remedy}"
                ));
            }
            globs.add(glob);
            is_exclusion.push(exclusion.is_some());
        }
        let globs = globs.build().map_err(|e| e.to_string())?;
        Ok(Declaration { globs, is_exclusion, is_binding, answers: Arc::default() })
    }

    /// Returns whether the device must answer every covered mode. False for version 1.
    pub fn is_binding(&self) -> bool {
        self.is_binding
    }

    /// Returns whether the declaration covers an instruction. If several patterns match, the last
    /// one decides.
    pub fn covers(&self, instruction: &Instruction) -> bool {
        let mode = (instruction.form().name, asm::mnemonic(instruction));
        // Poisoning is ignored: a thread that panicked cannot have left the map in a broken state.
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        *answers.entry(mode).or_insert_with(|| {
            let places =
                names(instruction).into_iter().filter_map(|name| self.globs.matches(name).into_iter().max());
            places.max().is_some_and(|place| !self.is_exclusion[place])
        })
    }

    /// Returns the optypes with at least one mode that the declaration covers, in the order of the
    /// tables.
    pub fn optypes(&self) -> Vec<&'static str> {
        let covered = |optype: &&'static Optype| {
            let forms = catalog().forms_of(optype.name);
            forms
                .flat_map(lint::combinations)
                .any(|mode| legality::check(&mode).is_ok() && self.covers(&mode))
        };
        catalog().optypes().into_iter().filter(covered).map(|optype| optype.name).collect()
    }
}

/// Returns the names that a pattern can match: of the optype (`UIMAD_WIDE` and `UIMAD.WIDE`), the
/// form (`FADD_RR`), the function (`MUFU.RCP.F32`), the mode of one form (`FADD_RR.FTZ`), and the
/// mode (`FADD.FTZ`).
pub fn names(instruction: &Instruction) -> [String; 6] {
    let form = instruction.form();
    let mode = asm::mnemonic(instruction);
    let modifiers = &mode[form.optype.mnemonic().len()..];
    [
        form.optype.name.to_owned(),
        form.optype.mnemonic().to_owned(),
        form.name.to_owned(),
        instruction.function(),
        format!("{}{modifiers}", form.name),
        mode,
    ]
}

/// All names of all legal modes.
static NAMES: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    let modes = catalog().forms.iter().flat_map(lint::combinations);
    modes.filter(|mode| legality::check(mode).is_ok()).flat_map(|mode| names(&mode)).collect()
});

/// The advice if no known name is similar to the given name.
const ALL: &str = "`assay isa list` has all optypes and forms";

/// Returns the glob of an optype that a device of version 1 lists, in either spelling.
fn optype(written: &str) -> Result<Glob, String> {
    let Some(optype) = catalog().optype_named(written) else {
        let all = catalog().optypes();
        let remedy =
            did_you_mean(written, all.iter().flat_map(|optype| [optype.name, optype.mnemonic()]), ALL);
        return Err(format!("it lists `{written}`, and no optype has that name; {remedy}"));
    };
    Glob::new(optype.name).map_err(|e| e.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Framing;

    fn reply(protocol: u32, optypes: &[&str], modes: &[&str]) -> HelloReply {
        let texts = |list: &[&str]| list.iter().map(|text| (*text).to_owned()).collect();
        HelloReply {
            protocol,
            name: "d".into(),
            version: "1".into(),
            optypes: texts(optypes),
            modes: texts(modes),
            profile: None,
            ftz: None,
            framing: Framing::Json,
        }
    }

    #[test]
    fn the_last_pattern_that_matches_decides() {
        let covers = |modes: &[&str], text: &str| {
            let declaration = Declaration::new(&reply(2, &[], modes)).unwrap();
            declaration.covers(&asm::parse(text).unwrap())
        };
        for (modes, text, covered) in [
            (&["FADD"][..], "FADD.FTZ R0, R1, R2", true),
            (&["FADD"], "FMUL R0, R1, R2", false),
            (&["FADD_RR"], "FADD R0, R1, 1.0", false),
            (&["FADD.FTZ"], "FADD.FTZ R0, R1, R2", true),
            (&["FADD.FTZ"], "FADD R0, R1, R2", false),
            (&["FADD_RR.FTZ"], "FADD.FTZ R0, R1, R2", true),
            (&["FADD_RR.FTZ"], "FADD.FTZ R0, R1, 1.0", false),
            (&["MUFU.RCP.*"], "MUFU.RCP.F32 R0, R1", true),
            (&["F*", "!FMUL*.[DM][248]*"], "FMUL.D2 R0, R1, R2", false),
            (&["F*", "!FMUL*.[DM][248]*"], "FMUL R0, R1, R2", true),
            (&["!FADD", "FADD"], "FADD R0, R1, R2", true),
            (&["UIMAD.WIDE"], "UIMAD.WIDE UR[0:1], UR2, UR3, URZ", true),
            (&["UIMAD_WIDE"], "UIMAD.WIDE UR[0:1], UR2, UR3, URZ", true),
            (&["UIMAD"], "UIMAD.WIDE UR[0:1], UR2, UR3, URZ", false),
        ] {
            assert_eq!(covers(modes, text), covered, "{modes:?} {text}");
        }
    }

    #[test]
    fn every_optype_is_known_in_either_spelling_and_version() {
        for optype in catalog().optypes() {
            for name in [optype.name, optype.mnemonic()] {
                for reply in [reply(1, &[name], &[]), reply(2, &[], &[name])] {
                    let recorded = Declaration::recorded(reply.protocol, &[name.to_owned()]);
                    for declaration in [Declaration::new(&reply), recorded] {
                        let declaration = declaration.unwrap();
                        assert!(declaration.optypes().contains(&optype.name), "{name}");
                        assert_eq!(declaration.is_binding(), reply.protocol == 2);
                    }
                }
            }
        }
    }

    #[test]
    fn what_names_nothing_is_refused_with_the_nearest_name() {
        for (reply, words) in [
            (
                reply(1, &["FADD", "UIMAD.WIED"], &[]),
                "`UIMAD.WIED`, and no optype has that name; did you mean `UIMAD.WIDE` or `UIMAD_WIDE`?",
            ),
            (reply(1, &["fadd"], &[]), "did you mean `FADD`"),
            (reply(2, &[], &[&"{a,b}*[!c]".repeat(1000)]), "a pattern has at most 1024 bytes"),
            (reply(1, &["F*"], &[]), "no optype"),
            (
                reply(2, &[], &["FADD", "!FMULL"]),
                "`!FMULL`, which names no optype, form, function or mode; did you mean `FMUL`",
            ),
            (reply(2, &[], &["FADD.FTX"]), "did you mean `FADD.FTZ`"),
            (reply(2, &[], &["[FADD"]), "`[FADD`"),
            (reply(1, &[], &[]), "supports nothing"),
            (reply(2, &[], &[]), "supports nothing"),
            (reply(1, &["FADD"], &["FADD"]), "version 2"),
            (reply(2, &["FADD"], &["FADD"]), "list `modes`"),
            (reply(3, &[], &["FADD"]), "version 3"),
        ] {
            let refused = Declaration::new(&reply).unwrap_err();
            assert!(refused.contains(words), "{refused}");
        }
    }
}
