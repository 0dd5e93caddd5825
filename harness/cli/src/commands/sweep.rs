//! `assay sweep`: every input of unary functions, every combination of listed operands of the others.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use assay_engine::compare::versus::{Bench, Parties};
use assay_engine::generate::domain::{self, Domain, swept};
use assay_engine::operands::kinds::Kind;
use assay_engine::result::{Outcome, Plan, Shard};
use assay_engine::run::campaign::{Done, Escort};
use assay_engine::run::sizes::Cut;
use assay_engine::run::sweep::{self, Function};
use assay_engine::stats::baseline::Comparison;
use assay_engine::stats::dissect;
use assay_engine::stats::tally::{self, Tally};
use assay_engine::triage::batches::Batches;
use assay_isa::fit::fit;
use assay_isa::row::{Field, FieldType};
use assay_isa::{Instruction, asm, catalog, legality};
use clap::{Args, ValueEnum};
use serde_json::json;

use super::baseline::{self, Baseline};
use super::demands::{Allow, Shares};
use super::findings;
use super::run_record::{self, CHECKPOINT, Folder, INTERRUPTED, Keeping, parse_shard, rounded};
use super::selection::{parties, select};
use crate::build;
use crate::context::Context;
use crate::failure::{Failure, Status};
use crate::interrupt::STOP;
use crate::output;
use crate::progress::Progress;
use crate::voices::{Voice, for_new_cases};

/// Every input of unary functions, every combination of listed operands of the others.
///
/// A function is a mnemonic with its modifiers, in any case and order: mufu.rcp.f32, fsetp.lt.and. A
/// mnemonic alone stands for every legal combination of its modifiers: `sweep flo` does four functions. A
/// unary function gets all 2^32 patterns (half a minute of two cores for MUFU in F32), one of 16-bit floats all
/// 65,536 in each half of its operand. With more operands each gets a list by what it stands for: every
/// amount from 0 to 65, every exponent (FCHK), the ends of every class of float, and the product is swept. Of
/// FADD, FMUL and FFMA every tier has the constructed cases that are hard to round and a product of classes of
/// floats, with every combination of prefixes: seconds, a minute or an hour each on two cores.
#[derive(Args)]
pub struct Sweep {
    /// Functions such as mufu.rcp.f32, or mnemonics such as flo.
    #[arg(required = true)]
    functions: Vec<String>,
    /// How much of the 2^32 inputs of a unary function, and of the classes of floats.
    #[arg(long, value_enum, default_value_t = Tier::Standard)]
    tier: Tier,
    /// The voice under test.
    #[arg(long, value_name = "SUBJECT", default_value = "model", value_parser = for_new_cases)]
    subject: Voice,
    /// Do only this share of the inputs.
    #[arg(long, value_name = "i/n", value_parser = parse_shard, default_value = "0/1", hide_default_value = true)]
    shard: Shard,
    #[command(flatten)]
    baseline: Baseline,
    #[command(flatten)]
    allow: Allow,
    #[command(flatten)]
    keeping: Keeping,
}

/// How much of the inputs is swept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Tier {
    /// Every 255th input of a unary function, 16.8 million, the ends of every class of values, and the inputs of MUFU that
    /// are hardest to round.
    Quick,
    /// Every input.
    Standard,
    /// Every input, as standard, but of FADD, FMUL and FFMA sixty times as many.
    Deep,
}

impl Tier {
    fn stride(self) -> u64 {
        match self {
            Tier::Quick => 255,
            Tier::Standard | Tier::Deep => 1,
        }
    }
}

impl Tier {
    /// How many exponents and significands the operands of FADD, FMUL or FFMA have, if it is one of them.
    fn classes(self, optype: &str) -> Option<(usize, usize)> {
        let [quick, standard, deep] = match optype {
            "FADD" => [(24, 12), (64, 30), (192, 80)],
            "FMUL" => [(12, 10), (32, 24), (96, 64)],
            "FFMA" => [(6, 4), (12, 6), (28, 11)],
            _ => return None,
        };
        Some(match self {
            Tier::Quick => quick,
            Tier::Standard => standard,
            Tier::Deep => deep,
        })
    }
}

impl Sweep {
    /// Runs the command.
    pub fn run(&self, context: &Context) -> Result<Status, Failure> {
        let subject = || context.subject(&self.subject);
        let oracle = || context.oracle(None);
        let oracles = |readings| context.oracle_under(readings, None);
        let parties = parties(context, &subject, &oracle);
        let functions = self.functions(&parties)?;
        let earlier = self.baseline.read(context)?;
        let plan = self.plan(context, &functions)?;
        let demands = self.allow.demands(plan.setting())?;
        let folder = self.keeping.prepare("sweep")?;
        let started = Instant::now();
        let done = self.sweep(&parties, &functions, &plan, &folder)?;
        let seconds = started.elapsed().as_secs_f64();
        let executed = done.tally.cases - done.resumed;
        let outcome = match done.interrupted || done.gone.is_some() {
            false => Outcome::new(done.plan, self.shard, done.tally),
            true => Outcome::partial(done.plan, done.tally),
        };
        let shares = Shares::of(&outcome, &demands);
        let write = || -> Result<_, Failure> {
            run_record::record(&folder, &outcome, seconds, &done.builds)?;
            self.subject.begin_triage();
            let sweep = sweep::Sweep { parties, functions: &functions, shard: self.shard };
            let draw = |found: &tally::Found, number| sweep.redraw(&found.word, number);
            let swept: BTreeSet<String> = functions.iter().map(|f| f.instruction.function()).collect();
            let batches = Batches {
                lanes: sweep::LANES,
                step: self.shard.of,
                cut: Cut::whole,
                draw: &draw,
                selects: &|instruction| swept.contains(&instruction.function()),
            };
            let found = findings::triage(&outcome, &parties, &oracles, batches)?;
            let paths = findings::write(&folder, &found.bugs, context)?;
            run_record::close(&folder, &outcome)?;
            Ok((found, paths))
        };
        let (found, paths) = write().map_err(|failure| run_record::kept(&folder, failure))?;
        if done.interrupted {
            let (partial, folder) = (folder.join(INTERRUPTED), folder.display());
            output::say(format_args!(
                "interrupted; what was counted is in {}; go on with --out {folder} --resume",
                partial.display()
            ));
            return Ok(Status::Interrupted);
        }
        let compared = earlier.map(|earlier| Comparison::of(&outcome.tally, &earlier.tally));
        if context.json {
            output::print_json(&json!({
                "functions": assay_reports::functions(&outcome),
                "inputs": outcome.tally.cases,
                "verdicts": outcome.tally.verdicts,
                "divergences": outcome.tally.verdicts.diverged,
                "judged": shares.json(),
                "findings": paths,
                "baseline": baseline::json(compared.as_ref()),
                "unexamined": found.unexamined,
                "otherwise": found.remedy_json(),
                "stride": self.tier.stride(),
                "seconds": rounded(seconds, 3),
                "device": self.subject.failures().map(|n| json!({ "failures": n, "dead": done.gone })),
                "out": *folder,
            }))?;
        } else {
            let mut page = found.page(&outcome);
            page += &shares.text();
            for (bug, path) in found.bugs.iter().zip(&paths) {
                let replay = findings::replay_command(path, outcome.plan.setting());
                page += &findings::lines(bug, &replay);
            }
            page += &found.warning();
            page += &baseline::text(compared.as_ref());
            page += &format!(
                "{} inputs in {seconds:.1} s, {:.1} ns each; results in {}\n",
                outcome.tally.cases,
                seconds * 1e9 / executed.max(1) as f64,
                folder.display()
            );
            output::print(&page)?;
        }
        if let Some(reason) = &done.gone {
            run_record::say_gone(reason, outcome.tally.cases, &folder);
            return Ok(Status::Failed);
        }
        let keeps_to_baseline = compared.is_none_or(|compared| compared.holds());
        let status = shares.status(&outcome);
        Ok(if keeps_to_baseline { status } else { Status::Failed })
    }

    fn plan(&self, context: &Context, functions: &[Function]) -> Result<Plan, Failure> {
        let mut inputs = BTreeMap::new();
        for function in functions {
            *inputs.entry(asm::mnemonic(&function.instruction)).or_default() += function.domain.len();
        }
        let setting = context.setting(&self.subject, None)?;
        Ok(Plan::Sweep { functions: inputs, stride: self.tier.stride(), setting })
    }

    fn sweep(
        &self,
        parties: &Parties<'_>,
        functions: &[Function],
        plan: &Plan,
        folder: &Folder,
    ) -> Result<Done, Failure> {
        let inputs: u64 = functions.iter().map(|f| f.domain.len()).sum();
        let mut progress = Progress::new("inputs", Some(inputs / self.shard.of));
        let mut show = |tally: &Tally| progress.at(tally.cases, tally.verdicts.diverged);
        let (checkpoint, build) = (folder.join(CHECKPOINT), build::identity()?);
        let checkpoints = Some(self.keeping.checkpoints(&checkpoint, &build));
        let escort = Escort { stop: &STOP, progress: &mut show, checkpoints };
        let done = sweep::Sweep { parties: *parties, functions, shard: self.shard }.run(plan, escort);
        progress.finish();
        Ok(done?)
    }

    /// The functions asked for, each once, in the order asked and then of the tables.
    fn functions(&self, parties: &Parties<'_>) -> Result<Vec<Function>, Failure> {
        let mut functions: Vec<Function> = Vec::new();
        for name in &self.functions {
            let modes = modes(parties, &name.to_uppercase())?;
            let variants: Vec<Instruction> = modes.iter().flat_map(variants).collect();
            let each = (domain::LARGEST / variants.len() as u64 * modes.len() as u64).max(1);
            let optype = modes[0].optype();
            let arithmetic = self.tier.classes(optype).map(|(e, s)| Domain::arithmetic(optype, e, s));
            for instruction in variants {
                if functions.iter().all(|f| f.instruction != instruction) {
                    let of = || Domain::of(&instruction, self.tier.stride(), each);
                    let domain = arithmetic.clone().unwrap_or_else(of);
                    functions.push(Function { instruction, domain });
                }
            }
        }
        Ok(functions)
    }
}

/// The modes that a name stands for, on the first form of the optype: all of whose operands are registers.
fn modes(parties: &Parties<'_>, name: &str) -> Result<Vec<Instruction>, Failure> {
    let mut written = name.split('.');
    let mnemonic = written.next().unwrap_or(name);
    let modifiers: Vec<&str> = written.collect();
    let optype = catalog().optype(mnemonic, |modifier| modifiers.contains(&modifier));
    let Some(form) = catalog().forms_of(optype.map_or(mnemonic, |o| o.name)).next() else {
        let known: Vec<_> = catalog().optypes().iter().map(|o| o.name).collect();
        return Err(Failure::input(format!("no optype is called {mnemonic}; known are {}", known.join(" "))));
    };
    if name.contains('.') && form.field("opcode").is_some() {
        return Err(Failure::input(format!(
            "{mnemonic} is swept as a whole; write `sweep {}`",
            mnemonic.to_lowercase()
        )));
    }
    if name.contains('.') && name != form.optype.mnemonic() {
        let operands = asm::print(&swept(&Instruction::new(form)));
        let operands = operands.split_once(' ').map_or("", |(_, operands)| operands);
        let text = format!("{name} {operands}");
        // A function of 16 bits wants to know which half of its operand; here it gets both.
        let parsed = asm::parse(&text).or_else(|error| asm::parse(&format!("{text}.H0")).map_err(|_| error));
        let mode = parsed.map_err(|error| Failure::asm(&text, &error))?;
        return supported(parties, vec![mode], name);
    }
    let selection = select(parties, &[form.name.to_owned()])?;
    if !selection.unsupported.is_empty() {
        output::say(format_args!("not swept, no voice for: {}", selection.unsupported.join(" ")));
    }
    supported(parties, selection.scope.modes().cloned().collect(), name)
}

/// The swept instructions of a mode: one for each combination of the literals that are no operand of 32 bits, such as
/// truth tables, of special registers, of the halves of an operand, and of the prefixes of float arithmetic.
fn variants(mode: &Instruction) -> Vec<Instruction> {
    let plain = swept(mode);
    let mut list = vec![plain.clone()];
    for (position, field) in plain.form().fields.iter().enumerate() {
        let values = listed(&plain, position, field);
        let of = |instruction: &Instruction, value: u32| {
            let mut instruction = instruction.clone();
            instruction.set_at(position, value);
            instruction
        };
        if !values.is_empty() {
            list = list.iter().flat_map(|i| values.iter().map(move |value| of(i, *value))).collect();
        }
    }
    list
}

/// The values of a field that a sweep goes through; none where it has but one.
fn listed(instruction: &Instruction, position: usize, field: &Field) -> Vec<u32> {
    let is_select = field.attribute() == Some("hsel") && legality::permits(instruction, field.name);
    let is_prefix = matches!(field.attribute(), Some("neg" | "abs")) && dissect::applies_to(instruction);
    match field.ty {
        FieldType::Enum(_) if is_select || is_prefix => vec![0, 1],
        FieldType::UImm(width @ ..=8) => (0..1 << width).collect(),
        FieldType::UImm(32) => domain::values(Kind::Bits),
        FieldType::UImm(width) => domain::values(Kind::Narrow(width)),
        FieldType::SImm7 => (0..1 << field.width).collect(),
        FieldType::SReg => {
            let legal: BTreeSet<u32> =
                (0..1 << field.width).map(|bits| fit(instruction, position, bits)).collect();
            legal.into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// The modes that both voices implement; an error if there is none.
fn supported(
    parties: &Parties<'_>,
    modes: Vec<Instruction>,
    name: &str,
) -> Result<Vec<Instruction>, Failure> {
    let mut bench = Bench::new(parties);
    let mut list = Vec::new();
    for mode in modes {
        if bench.supports_some(&mode, parties.numbers)? {
            list.push(mode);
        }
    }
    if list.is_empty() {
        return Err(Failure::input(format!("{name} cannot be swept: a voice does not implement it")));
    }
    Ok(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_has_every_combination_of_prefixes() {
        for (text, count) in
            [("FADD.RZ R0, R0, R0", 16), ("FFMA R0, R0, R0, R0", 64), ("FSEL R0, R0, R0, P0", 1)]
        {
            let variants = variants(&asm::parse(text).expect("a legal instruction"));
            let texts: BTreeSet<String> = variants.iter().map(asm::print).collect();
            assert_eq!((variants.len(), texts.len()), (count, count), "{text}");
        }
    }
}
