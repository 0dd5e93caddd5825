//! Finds whether two optypes are wrong because they share an execution unit. In this case, both
//! make the same mistake when one computes what the other computes.
//!
//! A sum is a fused multiply-add with a factor of 1, and a product is a fused multiply-add with an
//! addend of −0. FSET writes as a word the predicate that FSETP writes, and the lower word of
//! UIMAD.WIDE is the result of UIMAD. A device whose FADD loses a carry in the adder of FFMA writes
//! the same wrong bits for `FADD a, b` and for `FFMA a, 1.0, b`.

use std::collections::BTreeSet;

use assay_isa::{BackendError, Batch, Instruction, catalog, codec};

use crate::compare::comparator::{Comparator, Setup};
use crate::compare::judge::Verdict;
use crate::triage::probe::{Probe, around};
use crate::triage::readings::Oracles;
use crate::triage::signature::WRONG_VALUE;
use crate::triage::{Bug, BugCase};

/// Number of lanes in which two optypes are compared. In at least [`ALIKE`] lanes, both must be
/// wrong in the same way. Fewer may be an accident.
const LANES: usize = 512;
const ALIKE: usize = 3;
/// Maximum number of shapes that are tried.
const SHAPES: usize = 4;

/// An identity: how a form `by` computes what another form computes.
struct Identity {
    form: &'static str,
    by: &'static str,
    /// For each input of `by`: the operand of `form`, or a value.
    operands: &'static [(&'static str, Source)],
    /// Modifiers of `by` that `form` does not have: field and value.
    with: &'static [(&'static str, u32)],
    /// The compared output of `form`, and the compared output of `by`.
    outputs: [&'static str; 2],
    /// The compared part of the results.
    compared: Compared,
}

/// The compared part of two results.
#[derive(Clone, Copy, PartialEq)]
enum Compared {
    /// The first word of each.
    Words,
    /// Whether they are 0.
    Truth,
}

#[derive(Clone, Copy)]
enum Source {
    Operand(&'static str),
    Value(u32),
}

use Source::{Operand, Value};

const IDENTITIES: &[Identity] = &[
    Identity {
        form: "FADD_RR",
        by: "FFMA_RRR",
        operands: &[("ra", Operand("ra")), ("rb", Value(0x3f80_0000)), ("rc", Operand("rb"))],
        with: &[],
        outputs: ["rd", "rd"],
        compared: Compared::Words,
    },
    Identity {
        form: "FMUL_RR",
        by: "FFMA_RRR",
        operands: &[("ra", Operand("ra")), ("rb", Operand("rb")), ("rc", Value(0x8000_0000))],
        with: &[],
        outputs: ["rd", "rd"],
        compared: Compared::Words,
    },
    Identity {
        form: "UIMUL_UU",
        by: "UIMAD_UUU",
        operands: &[("ura", Operand("ura")), ("urb", Operand("urb")), ("urc", Value(0))],
        // Only .X gives the high half of a product (E104). Without a carry, .X changes nothing
        // else.
        with: &[("ext", 1)],
        outputs: ["urd", "urd"],
        compared: Compared::Words,
    },
    Identity {
        form: "UIMAD_UUU",
        by: "UIMAD_WIDE_UUU",
        operands: &[("ura", Operand("ura")), ("urb", Operand("urb")), ("urc", Operand("urc"))],
        with: &[],
        outputs: ["urd", "urd"],
        compared: Compared::Words,
    },
    Identity {
        form: "FSET_RR",
        by: "FSETP_RR",
        operands: &[("ra", Operand("ra")), ("rb", Operand("rb")), ("pp", Operand("pp"))],
        with: &[],
        outputs: ["rd", "pu"],
        compared: Compared::Truth,
    },
];

/// Gives one signature to bugs of several optypes, if one optype makes the same mistakes as the
/// others.
///
/// # Errors
///
/// An implementation failed.
pub fn by_unit(setup: &Setup<'_>, bugs: &mut [Bug]) -> Result<(), BackendError> {
    let mut shared: Vec<&Identity> = Vec::new();
    for identity in IDENTITIES {
        let is_wrong = |name: &str| bugs.iter().any(|bug| is_of(bug, name, identity));
        if identity.optypes().into_iter().all(is_wrong) && is_shared(setup, bugs, identity)? {
            shared.push(identity);
        }
    }
    // If two optypes share a unit with a third optype, they share it with each other.
    while let Some(first) = shared.pop() {
        let mut unit = vec![first];
        loop {
            let optypes: BTreeSet<&str> = unit.iter().flat_map(|identity| identity.optypes()).collect();
            let joins = |identity: &&Identity| identity.optypes().iter().any(|name| optypes.contains(name));
            let (more, apart) = shared.into_iter().partition::<Vec<_>, _>(joins);
            shared = apart;
            if more.is_empty() {
                name(bugs, &unit, &optypes);
                break;
            }
            unit.extend(more);
        }
    }
    Ok(())
}

/// Gives the bugs of the optypes of a unit one signature.
fn name(bugs: &mut [Bug], unit: &[&Identity], optypes: &BTreeSet<&str>) {
    let is_of_unit = |bug: &&mut Bug| {
        unit.iter().any(|identity| identity.optypes().iter().any(|optype| is_of(bug, optype, identity)))
    };
    let of_unit: Vec<&mut Bug> = bugs.iter_mut().filter(is_of_unit).collect();
    let symptoms: BTreeSet<&str> = of_unit.iter().filter_map(|bug| Some(bug.wrong?.error)).collect();
    let symptom = match symptoms.first() {
        Some(only) if symptoms.len() == 1 => *only,
        _ => WRONG_VALUE,
    };
    let names = optypes.iter().copied().collect::<Vec<_>>().join(" and ");
    for bug in of_unit {
        bug.signature = format!("{names}, in what they share | {symptom}");
    }
}

/// Whether a bug is about an output of an optype that an identity compares. `false` for a bug with
/// its own condition.
fn is_of(bug: &Bug, optype: &str, identity: &Identity) -> bool {
    let output = bug.wrong.and_then(|wrong| wrong.output);
    let is_of_output = output.is_some_and(|output| identity.outputs.contains(&output));
    bug.instruction.optype() == optype && is_of_output && bug.conditions.is_empty()
}

/// Whether, in some shape of a bug, `by` makes the same mistakes as `form`.
fn is_shared(setup: &Setup<'_>, bugs: &[Bug], identity: &Identity) -> Result<bool, BackendError> {
    let mut comparator = Comparator::new(setup);
    let shapes = bugs.iter().filter(|bug| bug.wrong.is_some()).flat_map(|bug| &bug.shapes);
    let of_form = shapes.filter(|shape| shape.instruction.form().name == identity.form);
    for BugCase { instruction, batch, .. } in of_form.take(SHAPES) {
        if identity.same_mistake(setup, &mut comparator, (instruction, batch))?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Gives an unexplained bug of one optype the signature of an explained bug of another optype, if
/// both optypes make the same mistakes. A wrong product is easy to explain if it is the result
/// itself, and hard if an addend is added to it.
///
/// # Errors
///
/// An implementation failed.
pub fn by_explained(setup: &Setup<'_>, oracles: Oracles<'_>, bugs: &mut [Bug]) -> Result<(), BackendError> {
    let mut comparator = Comparator::new(setup);
    for identity in IDENTITIES {
        let [own, others] = identity.optypes();
        let mut named = None;
        for explained in bugs.iter().filter(|bug| bug.explanation.is_some()) {
            let is_shared = match explained.instruction.optype() {
                optype if optype == own && bugs.iter().any(|bug| is_of(bug, others, identity)) => {
                    let case = (&explained.instruction, &explained.batch);
                    let case = Some(case).filter(|(case, _)| case.form().name == identity.form);
                    match case {
                        Some(case) => identity.same_mistake(setup, &mut comparator, case)?.is_some(),
                        None => false,
                    }
                }
                optype if optype == others => identity.is_explained_by(setup, oracles, bugs, explained)?,
                _ => false,
            };
            if is_shared {
                named = Some((explained.instruction.optype(), explained.signature.clone()));
                break;
            }
        }
        let Some((optype, signature)) = named else { continue };
        let rest = if optype == own { others } else { own };
        let unexplained = bugs.iter_mut().filter(|bug| is_of(bug, rest, identity));
        unexplained.for_each(|bug| bug.signature.clone_from(&signature));
    }
    Ok(())
}

impl Identity {
    fn optypes(&self) -> [&'static str; 2] {
        [self.form, self.by].map(|name| catalog().form(name).expect("a form").optype.name)
    }

    /// Returns the instruction of `by` that computes the result of an instruction of `form`, or
    /// `None` if there is none.
    fn apply(&self, instruction: &Instruction) -> Option<Instruction> {
        let mut other = Instruction::new(catalog().form(self.by)?);
        let form = instruction.form();
        let plain = Instruction::new(form);
        let operands = self.operands.iter().map(|(name, _)| *name).chain([self.outputs[1]]);
        for (number, name) in operands.enumerate() {
            // A pair begins at an even register.
            other.set(name, 2 * number as u32);
        }
        self.with.iter().for_each(|(field, value)| other.set(field, *value));
        let fields = form.fields.iter().filter(|field| !form.order.contains(&field.name));
        for field in fields.filter(|field| instruction.get(field.name) != plain.get(field.name)) {
            let has_it = other.form().field(field.name).is_some_and(|own| own.ty == field.ty);
            let modifier = instruction.get(field.name).filter(|_| has_it && !form.is_operand(field));
            other.set(field.name, modifier?);
        }
        Some(other)
    }

    /// Returns the values of a batch, rearranged for the other instruction.
    fn values(
        &self,
        instruction: &Instruction,
        (other, batch): (&Instruction, &Batch),
        setup: &Setup<'_>,
    ) -> Batch {
        let mut values = Batch::new(codec::encode(other, setup.numbers), &other.reads(), batch.len());
        for (name, source) in self.operands {
            let place = other.operand(name).locations().next();
            let column = place.and_then(|place| values.locations().iter().position(|read| *read == place));
            let Some(column) = column else { continue };
            match source {
                Value(bits) => values.column_mut(column).fill(*bits),
                Operand(from) => {
                    let from = instruction.operand(from).locations().next();
                    let given = from.and_then(|from| batch.column(from));
                    given.into_iter().for_each(|given| values.column_mut(column).copy_from_slice(given));
                }
            }
        }
        values
    }

    /// Returns the probe of the form `by` around a case. `None` unless `by` makes the same mistakes
    /// there as the form of the case.
    fn same_mistake(
        &self,
        setup: &Setup<'_>,
        comparator: &mut Comparator,
        (instruction, batch): (&Instruction, &Batch),
    ) -> Result<Option<Probe>, BackendError> {
        let Some(other) = self.apply(instruction) else { return Ok(None) };
        let batch = around(setup, instruction, batch, LANES)?;
        let Some(one) = Probe::new(setup, comparator, instruction, &batch)? else { return Ok(None) };
        let batch = self.values(instruction, (&other, &batch), setup);
        let other = Probe::new(setup, comparator, &other, &batch)?;
        Ok(other.filter(|other| self.agree(&one, other)))
    }

    /// Whether the explanation of a bug of `by` predicts that form's results, in cases where `by`
    /// makes the mistakes of `form`.
    fn is_explained_by(
        &self,
        setup: &Setup<'_>,
        oracles: Oracles<'_>,
        bugs: &[Bug],
        explained: &Bug,
    ) -> Result<bool, BackendError> {
        let Some(explanation) = &explained.explanation else { return Ok(false) };
        let mut comparator = Comparator::new(setup);
        let own = bugs.iter().filter(|bug| is_of(bug, self.optypes()[0], self)).flat_map(|bug| &bug.shapes);
        let of_form = own.filter(|shape| shape.instruction.form().name == self.form);
        for BugCase { instruction, batch, .. } in of_form.take(SHAPES) {
            let probe = self.same_mistake(setup, &mut comparator, (instruction, batch))?;
            if let Some(probe) = probe
                && explanation.holds_in(&probe, setup, oracles)?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether, in at least four of five lanes in which `one` is wrong, `other` is wrong, too, and
    /// writes the same value. At least [`ALIKE`] lanes must agree.
    fn agree(&self, one: &Probe, other: &Probe) -> bool {
        let written = |probe: &Probe, output: &str, lane| {
            let place = probe.instruction.operand(output).locations().next()?;
            let value = probe.effects.value(place, lane)?;
            Some(if self.compared == Compared::Truth { u32::from(value != 0) } else { value })
        };
        let diverged = |probe: &Probe, lane: usize| matches!(probe.verdicts[lane], Verdict::Diverged(_));
        let wrong = (0..one.batch.len()).filter(|lane| diverged(one, *lane));
        let [own, others] = self.outputs;
        let (mut alike, mut unlike) = (0, 0);
        for lane in wrong {
            let same = diverged(other, lane) && written(one, own, lane) == written(other, others, lane);
            *(if same { &mut alike } else { &mut unlike }) += 1;
        }
        alike >= ALIKE && 4 * unlike <= alike
    }
}
