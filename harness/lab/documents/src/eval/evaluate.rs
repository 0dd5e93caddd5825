//! Evaluates expressions.

use super::integer::Int;
use super::machine::{Flow, Frame, Run};
use super::memory;
use super::operand::plain;
use super::program::{Node, NodeKind, RoutineSlot, TextFunction};
use super::stop::{Halt, Reason};
use super::value::{Operator, Value};

/// Maximum depth of calls of the text's functions.
const CALLS: usize = 16;

impl<'r> Run<'r> {
    /// Returns the truth value of a condition.
    pub fn truth(&mut self, node: &'r Node, frame: &mut Frame) -> Result<bool, Halt> {
        let value = self.eval(node, frame)?;
        value.truth().map_err(|reason| Halt::stop(reason, node.at))
    }

    /// Returns the value of an expression.
    pub fn eval(&mut self, node: &'r Node, frame: &mut Frame) -> Result<Value, Halt> {
        let at = node.at;
        let stop = |reason| Halt::stop(reason, at);
        match &node.kind {
            NodeKind::Constant(value) => Ok(value.clone()),
            NodeKind::Slot(slot) => self.read(*slot, at, frame),
            NodeKind::Prefix(prefix, of) => prefix.apply(&self.eval(of, frame)?).map_err(stop),
            NodeKind::Infix(operator, left, right) => self.infix(*operator, left, right, at, frame),
            NodeKind::Compare(operator, unordered, left, right) => {
                let (left, right) = (self.eval(left, frame)?, self.eval(right, frame)?);
                let order = left.real().map_err(stop)?.compare(&right.real().map_err(stop)?);
                let holds = order.map_or(Some(*unordered), |order| operator.holds_for(order));
                holds.map(Value::from).ok_or_else(|| stop(Reason::Mismatch("the operator compares nothing")))
            }
            NodeKind::Unordered(expected, left, right) => {
                let (left, right) = (self.eval(left, frame)?, self.eval(right, frame)?);
                let order = left.real().map_err(stop)?.compare(&right.real().map_err(stop)?);
                Ok(Value::from(order.is_none() == *expected))
            }
            NodeKind::Choice(parts) => {
                let [condition, yes, no] = &**parts;
                if self.truth(condition, frame)? { self.eval(yes, frame) } else { self.eval(no, frame) }
            }
            NodeKind::Call(function, arguments) => {
                let values = self.values(arguments, frame)?;
                function.call(self.context, &values).map_err(stop)
            }
            NodeKind::CallText(number, arguments) => {
                let values = self.values(arguments, frame)?;
                let function = self.program.functions.get(*number).ok_or_else(|| stop(Reason::Missing))?;
                self.call(function, values, at)
            }
            NodeKind::Apply(slot, width, arguments) => {
                let function = self.read(*slot, at, frame)?;
                let values = self.values(arguments, frame)?;
                self.apply(&function, *width, &values).map_err(stop)
            }
            NodeKind::Slice(parts) => {
                let [of, hi, lo] = &**parts;
                let (of, hi) = (self.eval(of, frame)?, self.eval(hi, frame)?);
                of.slice(&hi, &self.eval(lo, frame)?).map_err(stop)
            }
            NodeKind::Index(parts) => self.index(&parts[0], &parts[1], at, frame),
            _ => self.eval_operand(node, frame),
        }
    }

    /// Returns the value of an expression that reads operands or locations by other rules.
    fn eval_operand(&mut self, node: &'r Node, frame: &mut Frame) -> Result<Value, Halt> {
        let at = node.at;
        let stop = |reason| Halt::stop(reason, at);
        let rules = self.context.rules;
        match &node.kind {
            NodeKind::Uniform(number) => {
                let number = self.eval(number, frame)?.integer().map_err(stop)?;
                match memory::uniform(&number, rules).map_err(|none| none.at(at))? {
                    None => Ok(Value::from(0)),
                    Some(location) => self.location(location, at),
                }
            }
            NodeKind::Memory(address) => {
                let address = self.eval(address, frame)?.integer().map_err(stop)?;
                let location = memory::special(&address, rules).map_err(|none| none.at(at))?;
                self.location(location, at)
            }
            NodeKind::Constants(parts, ty) => {
                let bank = self.eval(&parts[0], frame)?.integer().map_err(stop)?;
                let address = self.eval(&parts[1], frame)?.integer().map_err(stop)?;
                memory::constant(self.lane, &bank, &address, *ty, rules).map_err(|none| none.at(at))
            }
            NodeKind::IsNegated(slot) => match &self.slots[*slot] {
                RoutineSlot::Source(source) => Ok(Value::from(source.prefixes.minus.is_some())),
                _ => Err(stop(Reason::Mismatch("this is not a source"))),
            },
            NodeKind::Plain(slot) => match &self.slots[*slot] {
                RoutineSlot::Source(source) => Ok(Value::Int(plain(source, &|index| self.input(index)))),
                _ => Err(stop(Reason::Mismatch("this is not a source"))),
            },
            NodeKind::Stop(found) => Err(Halt::Stop(found.clone())),
            _ => Err(stop(Reason::Missing)),
        }
    }

    fn location(&self, location: assay_isa::Location, at: usize) -> Result<Value, Halt> {
        let value = self.lane.read(location);
        value.map(Value::from).ok_or_else(|| Halt::stop(Reason::NoInput(location), at))
    }

    /// Applies an infix operator. `&&` and `||` evaluate their second operand only if it decides.
    fn infix(
        &mut self,
        operator: Operator,
        left: &'r Node,
        right: &'r Node,
        at: usize,
        frame: &mut Frame,
    ) -> Result<Value, Halt> {
        let first = self.eval(left, frame)?;
        let decides = match operator {
            Operator::And => !first.truth().map_err(|reason| Halt::stop(reason, left.at))?,
            Operator::Or => first.truth().map_err(|reason| Halt::stop(reason, left.at))?,
            _ => false,
        };
        if decides {
            return Ok(Value::from(operator == Operator::Or));
        }
        let second = self.eval(right, frame)?;
        operator.apply(&first, &second).map_err(|reason| Halt::stop(reason, at))
    }

    /// Returns an element or a bit. The list of a slot is not copied.
    fn index(&mut self, of: &'r Node, index: &'r Node, at: usize, frame: &mut Frame) -> Result<Value, Halt> {
        let index = self.eval(index, frame)?;
        let stop = |reason| Halt::stop(reason, at);
        if let NodeKind::Slot(slot) = &of.kind {
            self.load_slot(*slot, of.at, frame)?;
            let value = frame.values[*slot].as_ref().ok_or_else(|| stop(Reason::Missing))?;
            return value.element(&index).map_err(stop);
        }
        self.eval(of, frame)?.element(&index).map_err(stop)
    }

    fn values(&mut self, nodes: &'r [Node], frame: &mut Frame) -> Result<Vec<Value>, Halt> {
        nodes.iter().map(|node| self.eval(node, frame)).collect()
    }

    /// Calls a function that the text defines.
    fn call(&mut self, function: &'r TextFunction, arguments: Vec<Value>, at: usize) -> Result<Value, Halt> {
        let stop = |reason| Halt::stop(reason, at);
        if function.parameters != arguments.len() {
            let (expected, found) = (function.parameters, arguments.len());
            return Err(stop(Reason::Arguments { name: "the function".to_owned(), expected, found }));
        }
        if self.depth == CALLS {
            return Err(stop(Reason::TooDeep));
        }
        let mut frame = Frame::default();
        frame.reset(function.slots.len());
        for (value, argument) in frame.values.iter_mut().zip(arguments) {
            *value = Some(argument);
        }
        let slots = std::mem::replace(&mut self.slots, &function.slots);
        self.depth += 1;
        let ended = self.block(&function.body, &mut frame);
        self.depth -= 1;
        self.slots = slots;
        match ended? {
            Flow::Return(Some(value)) => Ok(value),
            _ => Err(stop(Reason::Mismatch("the function returns no value"))),
        }
    }

    /// Applies a Boolean function to each bit of its operands. E148: the first input counts 4, or
    /// 1.
    fn apply(&self, function: &Value, width: u64, values: &[Value]) -> Result<Value, Reason> {
        let (Value::Function(table), [a, b, c]) = (function, values) else {
            return Err(Reason::Mismatch("this is no function of three values"));
        };
        let mut inputs = [a.integer()?, b.integer()?, c.integer()?];
        if self.context.rules.of(148) == 2 {
            inputs.reverse();
        }
        let mut result = Int::ZERO;
        for row in (0..8_u32).filter(|row| table & (1 << row) != 0) {
            let term = |place: usize| {
                let is_set = row & (4 >> place) != 0;
                if is_set { inputs[place].clone() } else { inputs[place].complement() }
            };
            result = result.or(&term(0).and(&term(1)).and(&term(2)));
        }
        Ok(Value::Int(result.low_bits(width)))
    }
}
