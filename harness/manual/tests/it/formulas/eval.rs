//! Executes a formula on one lane of a batch, following the manual's explanations of the functions.

use std::collections::{BTreeMap, HashMap};

use assay_isa::location::URZ;
use assay_isa::readings::SWITCHES;
use assay_isa::row::{Data, FieldType};
use assay_isa::{Instruction, Location, Readings, Source, legality};
use assay_manual::semantics::Entry;

use crate::formulas::parse::{Expr, Statement};

/// A value: an integer, a real number, or a symbol. A symbol is the value of a modifier, or the
/// rounding `AWAY`.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Int(i128),
    Real(f64),
    Symbol(String),
}
use Value::{Int, Real, Symbol};

/// Whether execution continues after a statement.
#[derive(PartialEq)]
enum End {
    Next,
    Stop,
}

/// The result of a lane.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    pub written: BTreeMap<Location, u32>,
    pub event: Option<String>,
    pub undefined: bool,
}

/// The state of one lane while a formula is executed.
pub struct Machine<'a> {
    pub instruction: &'a Instruction,
    readings: &'a Readings,
    pub before: HashMap<Location, u32>,
    pub names: HashMap<&'a str, &'static str>,
    pub operands: HashMap<&'a str, (i128, i128)>,
    variables: HashMap<String, Value>,
    pub tiny: bool,
    pub below: bool,
    /// Source registers to which the code assigns (E012), with their new values.
    overwritten: BTreeMap<Location, u32>,
    outcome: Outcome,
}

impl<'a> Machine<'a> {
    pub fn new(
        entry: &'a Entry,
        instruction: &'a Instruction,
        readings: &'a Readings,
        lane: impl Iterator<Item = (Location, u32)>,
    ) -> Machine<'a> {
        let order = instruction.form().order;
        let names = entry.operands.iter().map(|o| o.name.as_str()).zip(order.iter().copied()).collect();
        let mut machine = Machine {
            instruction,
            readings,
            before: lane.collect(),
            names,
            operands: HashMap::new(),
            variables: HashMap::new(),
            tiny: false,
            below: false,
            overwritten: BTreeMap::new(),
            outcome: Outcome::default(),
        };
        let aliases: Vec<&'a str> = machine.names.keys().copied().collect();
        aliases.into_iter().for_each(|alias| machine.read(alias));
        machine
    }

    pub fn run(mut self, statements: &[Statement]) -> Outcome {
        if self.is_executed() {
            self.all(statements);
        }
        let destinations = self.instruction.writes();
        let sources = self.overwritten.iter().filter(|(location, _)| !destinations.contains(location));
        self.outcome.written.extend(sources);
        if self.outcome.undefined || self.outcome.event.as_ref().is_some_and(|e| e.starts_with("fault")) {
            self.outcome.written.clear();
        }
        self.outcome
    }

    fn is_executed(&self) -> bool {
        let guard = self.instruction.guard();
        let value = guard.source.location().map_or(1, |location| self.before[&location]);
        self.setting(8) == 2 || (value != 0) != guard.not
    }

    fn setting(&self, erratum: u16) -> u8 {
        self.readings.setting(assay_isa::Erratum(erratum)).expect("the erratum has a switch")
    }

    pub fn convention(&self, number: u16) -> u8 {
        self.setting(assay_isa::Erratum::convention(number).0)
    }

    /// Returns the current value of a location, after the writes so far.
    pub fn now(&self, location: Location) -> u32 {
        let value = self.outcome.written.get(&location).or(self.before.get(&location));
        *value.unwrap_or_else(|| panic!("no value for {location}"))
    }

    /// Reads an operand. Stores the operand's value with all prefixes applied, and its value
    /// without the sign prefix.
    fn read(&mut self, alias: &'a str) {
        let name = self.names[alias];
        let operand = self.instruction.operand(name);
        let is_read = !self.instruction.form().is_output(name)
            || self.instruction.form().optype.extra.old.contains(&name);
        if !is_read
            || matches!(operand.source, Source::ConstAt { .. } | Source::URegAt { .. } | Source::Variable(_))
        {
            return;
        }
        let word = |index: u8| match (operand.word(index), operand.source) {
            (Some(location), _) => i128::from(self.now(location)),
            (None, Source::Imm(bits)) if index == 0 => bits.into(),
            (None, Source::Flags(_)) => u32::MAX.into(),
            (None, source) if source.is_predicate() => 1,
            _ => 0,
        };
        let is_set = operand.source == Source::AllPredicates;
        let words = if is_set { 8 } else { operand.words.min(2) };
        let step = if is_set { 1 } else { 32 };
        let mut value: i128 = (0..words).map(|index| word(index) << (step * i128::from(index))).sum();
        let all = (1i128 << (32 * i128::from(operand.words.min(2)))) - 1;
        let is_float = matches!(self.instruction.form().data(name), Some(Data::Float | Data::Exponent));
        value = if operand.bitnot { !value & all } else { value };
        value = if operand.abs { value & 0x7fff_ffff } else { value };
        if operand.not {
            value ^= if matches!(operand.source, Source::Flags(_)) { all } else { 1 };
        }
        let plain = value;
        if operand.neg {
            value = match () {
                () if is_float => value ^ 0x8000_0000,
                () if self.complements() => !value & all,
                () => -value & all,
            };
        }
        self.operands.insert(alias, (value, plain));
    }

    /// Whether the sign prefix means a complement in this instruction.
    fn complements(&self) -> bool {
        let optype = self.instruction.optype();
        let decides = |number: u16| {
            SWITCHES.iter().any(|s| s.erratum.0 == number && s.optypes.contains(&optype))
                && self.setting(number) == 2
        };
        legality::complements(self.instruction) && [99, 105, 126].into_iter().any(decides)
    }

    fn all(&mut self, statements: &[Statement]) -> End {
        let mut is_taken = false;
        for statement in statements {
            let chosen = match statement {
                Statement::If(condition, body) => {
                    is_taken = self.is_true(condition);
                    is_taken.then_some(&**body)
                }
                Statement::Elif(condition, body) if !is_taken => {
                    is_taken = self.is_true(condition);
                    is_taken.then_some(&**body)
                }
                Statement::Else(body) if !is_taken => Some(&**body),
                Statement::Elif(..) | Statement::Else(_) => None,
                other => Some(other),
            };
            if chosen.is_some_and(|statement| self.one(statement) == End::Stop) {
                return End::Stop;
            }
        }
        End::Next
    }

    fn one(&mut self, statement: &Statement) -> End {
        match statement {
            Statement::Undefined => {
                self.outcome.undefined = true;
                return End::Stop;
            }
            Statement::Fault(words) => {
                self.outcome.event = Some(format!("fault: {words}"));
                return End::Stop;
            }
            Statement::Record(arguments) => {
                let values: Vec<String> =
                    arguments.iter().map(|a| format!("{:#x}", self.integer(a))).collect();
                let text = format!("executed: {} {}", self.instruction.optype(), values.join(", "));
                self.outcome.event = Some(text.trim_end().to_owned());
            }
            Statement::Reread(name) => {
                let alias = *self.names.get_key_value(name.as_str()).expect("reread names an operand").0;
                self.read(alias);
            }
            Statement::Overwrite(name, value) => {
                let value = self.integer(value);
                self.overwrite(name, value);
            }
            Statement::Narrow(name) => self.narrow(name),
            Statement::For(variable, first, last, body) => {
                for i in self.integer(first)..=self.integer(last) {
                    self.variables.insert(variable.clone(), Int(i));
                    if self.all(body) == End::Stop {
                        return End::Stop;
                    }
                }
            }
            Statement::Assign(name, index, value) => {
                let index = index.as_ref().map(|index| self.integer(index));
                let value = self.value(value);
                self.assign(name, index, value);
            }
            _ => unreachable!("conditions are decided before"),
        }
        End::Next
    }

    /// Records a new value for the register of a source operand.
    fn overwrite(&mut self, name: &str, value: i128) {
        let source = self.instruction.operand(self.names[name]).source;
        let is_register = matches!(source, Source::Reg(_) | Source::UReg(_));
        if let Some(location) = source.location().filter(|_| is_register && value != self.operands[name].0) {
            self.overwritten.insert(location, value as u32);
        }
    }

    /// Drops the high word of an operand, before its sign is applied.
    fn narrow(&mut self, name: &str) {
        let alias = *self.names.get_key_value(name).expect("narrow names an operand").0;
        let (value, plain) = self.operands[alias];
        let low = plain & 0xffff_ffff;
        let all = (1i128 << 64) - 1;
        let value = match value == plain {
            true => low,
            false if self.complements() => !low & all,
            false => -low & all,
        };
        self.operands.insert(alias, (value, low));
    }

    fn assign(&mut self, name: &str, index: Option<i128>, value: Value) {
        let integer = |value: &Value| match value {
            Int(i) => *i,
            other => panic!("{name} = {other:?}"),
        };
        let low = |value: i128| value as u32;
        match (name, index) {
            ("G", Some(address)) => {
                self.outcome.written.insert(Location::G(low(address)), low(integer(&value)));
            }
            ("UR", Some(number)) => {
                if number < i128::from(URZ) {
                    self.outcome.written.insert(Location::UR(number as u8), low(integer(&value)));
                }
            }
            (name, index) if self.names.get(name).is_some_and(|n| self.instruction.form().is_output(n)) => {
                let operand = self.instruction.operand(self.names[name]);
                let is_predicate = operand.source.is_predicate();
                let width = if is_predicate { 1 } else { 32 };
                let range = index.map_or(0..operand.words, |i| i as u8..i as u8 + 1);
                for word in range {
                    let shift = if index.is_some() { 0 } else { width * u32::from(word) };
                    let bits = low(integer(&value) >> shift) & if is_predicate { 1 } else { u32::MAX };
                    if let Some(location) = operand.word(word) {
                        self.outcome.written.insert(location, bits);
                    }
                }
            }
            (name, None) => {
                self.variables.insert(name.to_owned(), value);
            }
            _ => panic!("{name} cannot be assigned to"),
        }
    }

    pub fn is_true(&mut self, expr: &Expr) -> bool {
        self.integer(expr) != 0
    }

    pub fn integer(&mut self, expr: &Expr) -> i128 {
        match self.value(expr) {
            Int(i) => i,
            other => panic!("{expr:?} is {other:?}"),
        }
    }

    pub fn value(&mut self, expr: &Expr) -> Value {
        match expr {
            Expr::Int(i) => Int(*i),
            Expr::Symbol(name) => Symbol(name.clone()),
            Expr::Name(name) => self.name(name),
            Expr::Call(name, arguments) => self.call(name, arguments),
            Expr::Index(name, index) => {
                let index = self.integer(index);
                Int(self.place(name, index))
            }
            Expr::Unary(operator, operand) => match (operator.as_str(), self.value(operand)) {
                ("not", Int(i)) => Int(i128::from(i == 0)),
                ("-", Int(i)) => Int(-i),
                ("-", Real(x)) => Real(-x),
                ("~", Int(i)) => Int(!i),
                other => panic!("{other:?}"),
            },
            Expr::In(value, list) => {
                let value = self.value(value);
                Int(i128::from(list.iter().any(|other| self.value(other) == value)))
            }
            Expr::Choice(condition, yes, no) => {
                if self.is_true(condition) {
                    self.value(yes)
                } else {
                    self.value(no)
                }
            }
            Expr::Binary(operator, a, b) => self.binary(operator, a, b),
        }
    }

    fn binary(&mut self, operator: &str, a: &Expr, b: &Expr) -> Value {
        let a = self.value(a);
        match (operator, &a) {
            ("and", Int(0)) => return Int(0),
            ("and", Int(_)) => return Int(i128::from(self.is_true(b))),
            ("or", Int(0)) => return Int(i128::from(self.is_true(b))),
            ("or", Int(_)) => return Int(1),
            _ => {}
        }
        let (a, b) = match (a, self.value(b)) {
            (Real(a), Int(b)) => (Real(a), Real(b as f64)),
            (Int(a), Real(b)) => (Real(a as f64), Real(b)),
            both => both,
        };
        let truth = |holds: bool| Int(i128::from(holds));
        match (operator, a, b) {
            ("==", a, b) => truth(a == b),
            ("!=", a, b) => truth(a != b),
            ("<", Int(a), Int(b)) => truth(a < b),
            ("<=", Int(a), Int(b)) => truth(a <= b),
            (">", Int(a), Int(b)) => truth(a > b),
            (">=", Int(a), Int(b)) => truth(a >= b),
            ("<", Real(a), Real(b)) => truth(a < b),
            (">", Real(a), Real(b)) => truth(a > b),
            ("*", Real(a), Real(b)) => Real(a * b),
            ("+", Int(a), Int(b)) => Int(a + b),
            ("-", Int(a), Int(b)) => Int(a - b),
            ("*", Int(a), Int(b)) => Int(a.checked_mul(b).expect("products fit")),
            ("%", Int(a), Int(b)) => Int(a.rem_euclid(b)),
            ("**", Int(a), Int(b)) => Int(a.pow(b as u32)),
            ("&", Int(a), Int(b)) => Int(a & b),
            ("|", Int(a), Int(b)) => Int(a | b),
            (">>", Int(a), Int(b)) => Int(a >> b.min(127)),
            ("<<", Int(a), Int(b)) => {
                let shifted = a << b;
                assert_eq!(shifted >> b, a, "a shift to the left loses bits");
                Int(shifted)
            }
            other => panic!("{other:?}"),
        }
    }

    fn name(&self, name: &str) -> Value {
        if let Some(value) = self.variables.get(name) {
            return value.clone();
        }
        if let Some((value, _)) = self.operands.get(name) {
            return Int(*value);
        }
        let field = self.instruction.form().field(name).unwrap_or_else(|| panic!("{name} is nothing"));
        assert!(matches!(field.ty, FieldType::Enum(_)), "{name} has no value here");
        Symbol(self.instruction.value_name(name).to_owned())
    }

    fn place(&self, name: &str, index: i128) -> i128 {
        match name {
            "G" => self.now(Location::G(index as u32)).into(),
            "UR" if index >= i128::from(URZ) => 0,
            "UR" => self.now(Location::UR(index as u8)).into(),
            _ => {
                let operand = self.instruction.operand(self.names[name]);
                match (operand.word(index as u8), operand.source) {
                    (Some(location), _) => i128::from(self.before[&location]),
                    (None, Source::Imm(bits)) => bits.into(),
                    other => panic!("{name}[{index}]: {other:?}"),
                }
            }
        }
    }
}
