//! Compiles expressions. An expression without inputs becomes its value.

use std::sync::Arc;

use super::builtin::{Context, Function, UNTYPED};
use super::compile::{Compiler, ResolvedName, full_name};
use super::integer::Int;
use super::number;
use super::program::{IntegerType, Node, NodeKind, RoutineSlot, SourceKind};
use super::stop::{Reason, Stop};
use super::value::{Operator, Prefix, Value};
use crate::pseudo::{Expr, ExprKind};

/// The type of a value in constant memory that no declaration gives.
const WORD: IntegerType = IntegerType { width: 32, signed: false };

impl Node {
    /// Returns the value of a constant expression.
    pub(super) fn constant(&self) -> Option<&Value> {
        match &self.kind {
            NodeKind::Constant(value) => Some(value),
            _ => None,
        }
    }
}

impl Compiler<'_, '_> {
    /// Compiles an expression.
    pub(super) fn node(&mut self, expr: &Expr) -> Node {
        self.typed_node(expr, None)
    }

    /// Compiles an expression whose value gets a type.
    pub(super) fn typed_node(&mut self, expr: &Expr, ty: Option<IntegerType>) -> Node {
        let kind = self.kind(expr, ty).unwrap_or_else(|reason| {
            let mut stop = Stop::new(reason, expr.span.clone());
            stop.erratum = stop.erratum.or_else(|| self.erratum(expr));
            NodeKind::Stop(Box::new(stop))
        });
        self.folded(Node { at: expr.span.start, kind })
    }

    /// Returns the erratum of a function that the reading leaves undefined.
    fn erratum(&self, expr: &Expr) -> Option<u16> {
        match &expr.kind {
            ExprKind::Call(name, _) => Function::of(name)?.erratum,
            _ => None,
        }
    }

    fn kind(&mut self, expr: &Expr, ty: Option<IntegerType>) -> Result<NodeKind, Reason> {
        Ok(match &expr.kind {
            ExprKind::Missing | ExprKind::Join(_) => return Err(Reason::Missing),
            ExprKind::Number(text) => NodeKind::Constant(number::parse(text).ok_or(Reason::TooLarge)?),
            ExprKind::Modifier(word) => {
                let value = self.modifiers.get(word).cloned();
                NodeKind::Constant(Value::Word(value.unwrap_or_else(|| Arc::from(word.as_str()))))
            }
            ExprKind::Name(_) | ExprKind::Member(..) => {
                let name = full_name(expr).ok_or(Reason::Missing)?;
                match self.resolve(&name) {
                    ResolvedName::Slot(slot) => NodeKind::Slot(slot),
                    ResolvedName::Constant(value) => NodeKind::Constant(value),
                    _ => return Err(Reason::UndefinedName(name)),
                }
            }
            ExprKind::Unary(sign, of) if sign == "*" => NodeKind::Memory(Box::new(self.node(of))),
            ExprKind::Unary(sign, of) => {
                let prefix = Prefix::of(sign).ok_or(Reason::Mismatch("the prefix is not known"))?;
                let of = self.node(of);
                NodeKind::Prefix(self.absolute(prefix, &of), Box::new(of))
            }
            ExprKind::Binary(sign, left, right) => {
                let (left, right) = (self.node(left), self.node(right));
                self.infix(sign, left, right)?
            }
            ExprKind::Choice(condition, values) => {
                let [yes, no] = values.as_slice() else { return Err(Reason::Missing) };
                NodeKind::Choice(Box::new([self.node(condition), self.node(yes), self.node(no)]))
            }
            ExprKind::Call(name, arguments) => self.call(name, arguments)?,
            ExprKind::Index(of, index) => self.index(of, index, ty)?,
        })
    }

    /// Bars around an operand take it as a signed integer of 32 bits (E129).
    fn absolute(&self, prefix: Prefix, of: &Node) -> Prefix {
        let is_pattern = |slot: usize| matches!(&self.slots[slot], RoutineSlot::Source(source) if source.kind == SourceKind::Pattern);
        match (prefix, &of.kind) {
            (Prefix::Absolute, NodeKind::Slot(slot)) if is_pattern(*slot) => Prefix::AbsoluteSigned,
            _ => prefix,
        }
    }

    /// Compiles an infix operator: a sign, or a modifier whose value names the operator.
    fn infix(&mut self, sign: &str, left: Node, right: Node) -> Result<NodeKind, Reason> {
        let both = (Box::new(left), Box::new(right));
        if let Some(operator) = Operator::of(sign) {
            return Ok(NodeKind::Infix(operator, both.0, self.amount(operator, both.1)));
        }
        let value = self.modifiers.get(sign).ok_or_else(|| Reason::UndefinedName(sign.to_owned()))?;
        // The list below the table gives these two in words (E186).
        if let "NAN" | "NUM" = &**value {
            return Ok(NodeKind::Unordered(&**value == "NAN", both.0, both.1));
        }
        let found =
            self.optype.tables.operator(value).ok_or_else(|| Reason::NoOperator(value.to_string()))?;
        Ok(match found.unordered {
            Some(unordered) if self.binder.edition.rules().of(186) == 2 => {
                NodeKind::Compare(found.operator, unordered, both.0, both.1)
            }
            _ => NodeKind::Infix(found.operator, both.0, both.1),
        })
    }

    /// Returns the amount of a shift to the left. E063 and E153: on a machine, it counts modulo the
    /// width.
    fn amount(&mut self, operator: Operator, amount: Box<Node>) -> Box<Node> {
        let rules = self.binder.edition.rules();
        let mask = match self.optype.name.as_str() {
            "SGXT" | "USGXT" if rules.of(63) == 1 => 31,
            "USHF" if rules.of(153) == 1 => 63,
            _ => return amount,
        };
        if operator != Operator::ShiftLeft {
            return amount;
        }
        let at = amount.at;
        let mask = Node { at, kind: NodeKind::Constant(Value::Int(Int::Small(mask))) };
        Box::new(self.folded(Node { at, kind: NodeKind::Infix(Operator::BitAnd, amount, Box::new(mask)) }))
    }

    fn call(&mut self, name: &str, arguments: &[Expr]) -> Result<NodeKind, Reason> {
        if let Some(kind) = self.operand_call(name, arguments)? {
            return Ok(kind);
        }
        let nodes: Vec<Node> = arguments.iter().map(|argument| self.node(argument)).collect();
        if self.assigned.contains(name)
            && let ResolvedName::Slot(slot) = self.resolve(name)
        {
            let width = nodes.iter().map(|node| self.width(node)).max().unwrap_or(1);
            return Ok(NodeKind::Apply(slot, width, nodes));
        }
        let is_it = |routine: &&&crate::eval::specification::RoutineText| routine.head.name() == Some(name);
        if let Some(number) = self.functions.iter().position(|routine| is_it(&routine)) {
            return Ok(NodeKind::CallText(number, nodes));
        }
        let rules = self.binder.edition.rules();
        let function =
            Function::of(name).filter(|function| function.erratum.is_none_or(|e| rules.of(e) != 1));
        let function = function.ok_or_else(|| Reason::UndefinedFunction(name.to_owned()))?;
        // E134: the code gives no type to the operands of UIMNMX.
        let untyped = UNTYPED.iter().find(|untyped| untyped.name == name);
        let is_untyped = self.optype.name == "UIMNMX" && rules.of(134) == 1;
        Ok(NodeKind::Call(untyped.copied().filter(|_| is_untyped).unwrap_or(function), nodes))
    }

    /// Compiles a call of a patch's helper, whose argument is an operand and not its value (E126,
    /// E127).
    fn operand_call(&mut self, name: &str, arguments: &[Expr]) -> Result<Option<NodeKind>, Reason> {
        if !matches!(name, "isNegated" | "plain") {
            return Ok(None);
        }
        let operand = arguments.first().and_then(full_name).ok_or(Reason::Missing)?;
        let ResolvedName::Slot(slot) = self.resolve(&operand) else {
            return Err(Reason::UndefinedName(operand));
        };
        Ok(Some(if name == "plain" { NodeKind::Plain(slot) } else { NodeKind::IsNegated(slot) }))
    }

    /// Returns the number of bits of an operand: 1 for a predicate.
    fn width(&self, node: &Node) -> u64 {
        match &node.kind {
            NodeKind::Slot(slot) => match &self.slots[*slot] {
                RoutineSlot::Source(source) => source.width,
                RoutineSlot::Destination(destination) => destination.width,
                _ => WORD.width,
            },
            _ => WORD.width,
        }
    }

    fn index(&mut self, of: &Expr, index: &[Expr], ty: Option<IntegerType>) -> Result<NodeKind, Reason> {
        if let (ExprKind::Index(memory, bank), [address]) = (&of.kind, index)
            && let ([bank], Some(name)) = (bank.as_slice(), full_name(memory))
            && let ResolvedName::Constants(width) = self.resolve(&name)
        {
            let ty = ty.unwrap_or(WORD);
            let ty = IntegerType { width: ty.width.min(width), ..ty };
            return Ok(NodeKind::Constants(Box::new([self.node(bank), self.node(address)]), ty));
        }
        if let ([number], Some(name)) = (index, full_name(of))
            && let ResolvedName::Uniform = self.resolve(&name)
        {
            return Ok(NodeKind::Uniform(Box::new(self.node(number))));
        }
        let of = self.node(of);
        match index {
            [index] => Ok(NodeKind::Index(Box::new([of, self.node(index)]))),
            [hi, lo] => Ok(NodeKind::Slice(Box::new([of, self.node(hi), self.node(lo)]))),
            _ => Err(Reason::Missing),
        }
    }

    /// Returns the value of an expression without inputs. If it has inputs, or no value, returns
    /// the expression.
    pub(super) fn folded(&self, node: Node) -> Node {
        if let NodeKind::Choice(parts) = &node.kind
            && let Some(Ok(truth)) = parts[0].constant().map(Value::truth)
        {
            let [_, yes, no] = *match node.kind {
                NodeKind::Choice(parts) => parts,
                _ => unreachable!("the node is a choice"),
            };
            return if truth { yes } else { no };
        }
        let value = match &node.kind {
            NodeKind::Prefix(prefix, of) => of.constant().map(|of| prefix.apply(of)),
            NodeKind::Infix(operator, left, right) => {
                left.constant().zip(right.constant()).map(|(left, right)| operator.apply(left, right))
            }
            NodeKind::Call(function, arguments) => {
                let context = Context { rules: self.binder.edition.rules(), tables: &self.optype.tables };
                let values: Option<Vec<Value>> =
                    arguments.iter().map(|node| node.constant().cloned()).collect();
                values.map(|values| function.call(context, &values))
            }
            _ => None,
        };
        match value {
            Some(Ok(value)) => Node { at: node.at, kind: NodeKind::Constant(value) },
            _ => node,
        }
    }
}
