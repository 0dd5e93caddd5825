//! The modes that the patterns of a map cover, and the bits of the instruction word for each
//! operand.

use std::collections::BTreeSet;

use assay_device::declaration::names;
use assay_device::{Declaration, Framing, HelloReply};
use assay_isa::location::{PT, RZ, URZ};
use assay_isa::row::{Data, Field, FieldType};
use assay_isa::similar::did_you_mean;
use assay_isa::{EncodingTable, Form, Instruction, catalog, codec, legality, lint};

use crate::map::{MapProblem, Operation, PortMap, PortValues};

/// Maximum number of functions of an optype that are named one by one. If there are more, the
/// optype is named.
const NAMED_FUNCTIONS: usize = 4;

/// The modes, forms and variants that the operations of a map describe.
#[derive(Debug)]
pub struct Operations {
    /// The patterns that the device declares. They cover exactly the modes in `modes`.
    pub patterns: Vec<String>,
    /// Each function once, such as `FADD` or `MUFU.EX2.F32`, after the name of its optype.
    pub functions: Vec<(&'static str, String)>,
    /// The forms of the modes, each once.
    pub forms: Vec<UnitForm>,
    /// The modes.
    pub modes: Vec<Mode>,
    /// The ways to drive the ports.
    pub variants: Vec<Variant>,
}

/// A form as the harness decodes it.
#[derive(Debug)]
pub struct UnitForm {
    /// The form.
    pub form: &'static Form,
    /// Whether the sign bit of an operand means the prefix `~`, a complement, instead of `-`.
    pub complements: bool,
    /// The bits of the instruction word that depend on the mode.
    pub mask: u128,
    /// The guard, if there is one.
    pub guard: Option<Place>,
    /// The operands that are read, in the order of the text.
    pub inputs: Vec<Place>,
    /// The operands that are written.
    pub outputs: Vec<Place>,
}

/// A mode.
#[derive(Debug)]
pub struct Mode {
    /// Name of the mode, such as `FADD_RR.FTZ`.
    pub name: String,
    /// Index of the form of the mode.
    pub form: usize,
    /// The bits of the instruction word under the mask of the form.
    pub word: u128,
    /// Index of the variant of the mode.
    pub variant: usize,
}

/// A way to drive the ports: an operation with the values of the constant ports.
#[derive(Debug, PartialEq, Eq)]
pub struct Variant {
    /// Index of the operation in the map.
    pub operation: usize,
    /// Values of constant ports.
    pub set: PortValues,
}

/// The kind of an operand, which decides where the harness finds the operand's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaceKind {
    /// A general register.
    Register,
    /// A uniform register.
    Uniform,
    /// A predicate.
    Predicate,
    /// A uniform predicate.
    UniformPredicate,
    /// A word of constant memory.
    Constant,
    /// A literal.
    Literal,
}

/// How a prefix changes an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// `|x|` of a float: the sign becomes 0.
    Absolute,
    /// `-x` of a float: the sign changes.
    Negative,
    /// `-x` of an integer.
    Complement2,
    /// `~x`, also where the `neg` bit means a complement: every bit changes.
    Inverted,
    /// `!p`.
    Not,
}

/// A bit of the word that changes an operand if the bit has a certain value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prefix {
    /// The bit.
    pub bit: u8,
    /// The value.
    pub value: u32,
    /// The change.
    pub change: Change,
}

/// An operand as the harness decodes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The kind of the operand.
    pub kind: PlaceKind,
    /// Lowest bit of the operand's field.
    pub low: u8,
    /// Width of the operand's field in bits.
    pub width: u8,
    /// The prefixes of the operand, in the order in which they act.
    pub prefixes: Vec<Prefix>,
}

impl PlaceKind {
    fn new(ty: FieldType) -> Option<PlaceKind> {
        Some(match ty {
            FieldType::Reg => PlaceKind::Register,
            FieldType::UReg => PlaceKind::Uniform,
            FieldType::Pred => PlaceKind::Predicate,
            FieldType::UPred => PlaceKind::UniformPredicate,
            FieldType::CMem => PlaceKind::Constant,
            FieldType::F32Imm | FieldType::SImm32 | FieldType::UImm(_) => PlaceKind::Literal,
            _ => return None,
        })
    }

    /// Returns the number of the register or predicate without storage, such as RZ, and the value
    /// that a read of it gives. `None` for other kinds.
    pub fn idle(self) -> Option<(u8, u32)> {
        match self {
            PlaceKind::Register => Some((RZ, 0)),
            PlaceKind::Uniform => Some((URZ, 0)),
            PlaceKind::Predicate | PlaceKind::UniformPredicate => Some((PT, 1)),
            PlaceKind::Constant | PlaceKind::Literal => None,
        }
    }
}

impl Operations {
    /// Expands the patterns of a map.
    ///
    /// # Errors
    ///
    /// A pattern matches nothing, two operations cover the same mode, or the harness cannot execute
    /// a mode.
    pub(crate) fn new(map: &PortMap, numbers: &EncodingTable) -> Result<Operations, MapProblem> {
        let mut all = Operations {
            patterns: Vec::new(),
            functions: Vec::new(),
            forms: Vec::new(),
            modes: Vec::new(),
            variants: Vec::new(),
        };
        for (place, operation) in map.operations.iter().enumerate() {
            all.add(map, place, operation, numbers).map_err(|problem| problem.in_operation(place))?;
        }
        all.patterns = all.declared(map);
        Ok(all)
    }

    /// Returns patterns for the option `--only`: functions, or the name of an optype instead of
    /// more than four functions of the optype.
    pub fn selection(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for (optype, function) in &self.functions {
            let count = self.functions.iter().filter(|(other, _)| other == optype).count();
            let name = if count > NAMED_FUNCTIONS { (*optype).to_owned() } else { function.clone() };
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    fn add(
        &mut self,
        map: &PortMap,
        place: usize,
        operation: &Operation,
        numbers: &EncodingTable,
    ) -> Result<(), MapProblem> {
        let wrong = |key: &str, problem: &str| MapProblem::new(&[key], problem);
        let covered = declaration(operation.modes.clone())
            .map_err(|problem| wrong("modes", problem.strip_prefix("it ").unwrap_or(&problem)))?;
        let modes: Vec<Instruction> = legal_modes().filter(|mode| covered.covers(mode)).collect();
        if modes.is_empty() {
            return Err(wrong("modes", "cover no mode: each one that a pattern names is taken away again"));
        }
        check_modifiers(operation, &modes)?;
        for mode in &modes {
            let name = full_name(mode);
            let unfit = |problem: String| wrong("modes", &format!("cover `{name}`, {problem}"));
            let form = self.form(mode, numbers).map_err(unfit)?;
            if let Some(other) = self.modes.iter().find(|known| known.name == name) {
                let other = self.variants[other.variant].operation;
                return Err(unfit(format!(
                    "which operations[{other}] covers too; exclude it from one of them"
                )));
            }
            self.check_operands(operation, form, &name)?;
            let mut set = map.set.clone();
            set.extend(operation.set.clone());
            for (_, values) in
                operation.when.iter().filter(|(value, _)| modifiers(mode).any(|m| m == **value))
            {
                set.extend(values.clone());
            }
            let variant = Variant { operation: place, set };
            let known = self.variants.iter().position(|other| *other == variant);
            let variant = known.unwrap_or_else(|| {
                self.variants.push(variant);
                self.variants.len() - 1
            });
            let function = (mode.optype(), mode.function());
            if !self.functions.contains(&function) {
                self.functions.push(function);
            }
            let word = codec::encode(mode, numbers) & self.forms[form].mask;
            self.modes.push(Mode { name, form, word, variant });
        }
        Ok(())
    }

    /// Checks that a form has the operands that an operation names.
    fn check_operands(&self, operation: &Operation, form: usize, name: &str) -> Result<(), MapProblem> {
        let UnitForm { inputs, outputs, form, .. } = &self.forms[form];
        for (port, operands) in &operation.operands {
            if let Some(operand) =
                operands.words().into_iter().flatten().find(|number| *number >= inputs.len())
            {
                let known: Vec<String> =
                    form.inputs().enumerate().map(|(number, name)| format!("{number} is {name}")).collect();
                let problem = format!("is operand {operand}, and `{name}` has: {}", known.join(", "));
                return Err(MapProblem::new(&["operands", port], &problem));
            }
        }
        let given = operation.result.ports().len();
        if given != outputs.len() {
            let names = form.optype.outs.join(", ");
            let problem = format!("has {given}, and `{name}` writes {}: {names}", outputs.len());
            return Err(MapProblem::new(&["result"], &problem));
        }
        Ok(())
    }

    /// Returns the index of the form of a mode. The error is the reason why the harness cannot
    /// execute the mode.
    fn form(&mut self, mode: &Instruction, numbers: &EncodingTable) -> Result<usize, String> {
        let form = mode.form();
        check_simple(mode)?;
        let complements = legality::complements(mode);
        let is_known = |known: &UnitForm| known.form.index == form.index && known.complements == complements;
        if let Some(known) = self.forms.iter().position(is_known) {
            return Ok(known);
        }
        let mask =
            form.fields.iter().filter(|field| !form.is_operand(field)).fold(0, |mask, f| mask | f.mask());
        let place = |name: &&'static str| place(mode, name, numbers);
        let guard = form.field(form.guard()).map(|_| place(&form.guard())).transpose()?;
        let inputs = form.inputs().map(|name| place(&name)).collect::<Result<_, _>>()?;
        let outputs = form.optype.outs.iter().map(place).collect::<Result<_, _>>()?;
        self.forms.push(UnitForm { form, complements, mask, guard, inputs, outputs });
        Ok(self.forms.len() - 1)
    }

    /// Returns patterns that cover exactly the modes. If the patterns of the map do so, returns
    /// them. Otherwise returns patterns for forms and single modes.
    fn declared(&self, map: &PortMap) -> Vec<String> {
        let written: Vec<String> =
            map.operations.iter().flat_map(|operation| operation.modes.clone()).collect();
        let is_covered: BTreeSet<&str> = self.modes.iter().map(|mode| &mode.name[..]).collect();
        let is_exact = |declaration: &Declaration| {
            legal_modes().all(|mode| declaration.covers(&mode) == is_covered.contains(&full_name(&mode)[..]))
        };
        if declaration(written.clone()).is_ok_and(|declaration| is_exact(&declaration)) {
            return written;
        }
        let mut patterns = Vec::new();
        let mut forms: Vec<&'static Form> = self.forms.iter().map(|known| known.form).collect();
        forms.dedup_by_key(|form| form.index);
        for form in forms {
            // A pattern with the name of a form covers all modes of the form. The mode without
            // modifiers has this name. So if the unit has that mode, the modes that the unit lacks
            // are excluded one by one.
            let modes: Vec<String> = lint::combinations(form)
                .filter(|m| legality::check(m).is_ok())
                .map(|m| full_name(&m))
                .collect();
            let has_bare = is_covered.contains(form.name);
            patterns.extend(has_bare.then(|| form.name.to_owned()));
            for mode in modes.iter().filter(|mode| **mode != form.name) {
                match is_covered.contains(&mode[..]) {
                    true if !has_bare => patterns.push(mode.clone()),
                    false if has_bare => patterns.push(format!("!{mode}")),
                    _ => {}
                }
            }
        }
        patterns
    }
}

fn legal_modes() -> impl Iterator<Item = Instruction> {
    let modes = catalog().forms.iter().flat_map(lint::combinations);
    modes.filter(|mode| legality::check(mode).is_ok())
}

/// Returns the name of a mode of one form, such as `FADD_RR.FTZ`.
fn full_name(mode: &Instruction) -> String {
    let [_, _, _, _, name, _] = names(mode);
    name
}

fn declaration(modes: Vec<String>) -> Result<Declaration, String> {
    Declaration::new(&HelloReply {
        protocol: 2,
        name: String::new(),
        version: String::new(),
        optypes: Vec::new(),
        modes,
        profile: None,
        ftz: None,
        framing: Framing::Json,
    })
}

/// Returns the values of a mode's modifiers, including defaults that the text omits.
fn modifiers(mode: &Instruction) -> impl Iterator<Item = &'static str> + '_ {
    mode.form().optype.syntax.iter().map(|name| mode.value_name(name))
}

/// Checks that each modifier in `when` occurs in a mode of the operation.
fn check_modifiers(operation: &Operation, modes: &[Instruction]) -> Result<(), MapProblem> {
    let known: BTreeSet<&str> = modes.iter().flat_map(modifiers).collect();
    match operation.when.keys().find(|value| !known.contains(&value[..])) {
        None => Ok(()),
        Some(value) => {
            let remedy =
                did_you_mean(value, known.iter().copied(), "`assay fuzz --modes` lists the modifiers");
            let problem = format!("is a modifier that no mode of the operation has; {remedy}");
            Err(MapProblem::new(&["when", value], &problem))
        }
    }
}

/// Checks that the harness can execute a mode. Refuses operands of more than 32 bits, half and byte
/// selects, and locations that depend on values.
fn check_simple(mode: &Instruction) -> Result<(), String> {
    let form = mode.form();
    let unfit = |problem: &str| Err(format!("{problem}; exclude it with `!`"));
    if mode.access().is_some()
        || form.optype.extra.special_space.is_some()
        || !form.optype.extra.old.is_empty()
    {
        return unfit("where values decide what is read or written");
    }
    if mode.inputs().chain(mode.outputs()).any(|operand| operand.words != 1) {
        return unfit("which has an operand of more than 32 bits");
    }
    let halves = form.fields.iter().filter(|field| matches!(field.attribute(), Some("hsel" | "bsel")));
    if halves.clone().any(|field| legality::permits(mode, field.name)) {
        return unfit("which selects a half or a byte of an operand");
    }
    let is_negative =
        |name: &str| form.fields.iter().any(|f| f.operand() == name && f.attribute() == Some("neg"));
    if form.inputs().any(|name| form.data(name) == Some(Data::Halves) && is_negative(name)) {
        return unfit("which has a sign before a pair of halves");
    }
    Ok(())
}

/// Returns the kind, field and prefixes of an operand.
fn place(mode: &Instruction, name: &&'static str, numbers: &EncodingTable) -> Result<Place, String> {
    let form = mode.form();
    let unfit = || {
        format!("whose operand `{name}` is no register, predicate, constant or literal; exclude it with `!`")
    };
    let field = form.field(name).ok_or_else(unfit)?;
    let kind = PlaceKind::new(field.ty).ok_or_else(unfit)?;
    let mut prefixes = Vec::new();
    // The absolute value is taken before the sign.
    for attribute in ["abs", "bitnot", "neg", "not"] {
        let has = |f: &&&'static Field| f.operand() == *name && f.attribute() == Some(attribute);
        let Some(field) = form.fields.iter().find(has) else { continue };
        let FieldType::Enum(values) = field.ty else { return Err(unfit()) };
        prefixes.push(Prefix {
            bit: field.lo,
            value: numbers.code(values, 1),
            change: change(mode, name, attribute),
        });
    }
    Ok(Place { kind, low: field.lo, width: field.width, prefixes })
}

fn change(mode: &Instruction, name: &str, attribute: &str) -> Change {
    let is_float = matches!(mode.form().data(name), Some(Data::Float | Data::Exponent));
    match attribute {
        "abs" => Change::Absolute,
        "bitnot" => Change::Inverted,
        "not" => Change::Not,
        _ if legality::complements(mode) => Change::Inverted,
        _ if is_float => Change::Negative,
        _ => Change::Complement2,
    }
}
