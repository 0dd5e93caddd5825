//! A routine that is ready to execute: the names of its text are slots, and its modifiers
//! constants.

use assay_isa::Location;

use super::builtin::Function;
use super::value::{Operator, Prefix, Value};

/// A routine for one instruction word.
#[derive(Debug, Clone, Default)]
pub struct Program {
    /// What each slot stands for.
    pub slots: Vec<RoutineSlot>,
    /// The locations that the word names as sources. [`Word::Input`] is an index of this list.
    pub inputs: Vec<Location>,
    /// The statements.
    pub body: Vec<Step>,
    /// The functions that the text defines.
    pub functions: Vec<TextFunction>,
    /// The guard.
    pub guard: Option<OperandSource>,
}

/// A function that the text defines. Its parameters are its first slots.
#[derive(Debug, Clone, Default)]
pub struct TextFunction {
    /// Number of parameters.
    pub parameters: usize,
    /// Its slots, all of them local.
    pub slots: Vec<RoutineSlot>,
    /// The statements.
    pub body: Vec<Step>,
}

/// What a slot stands for.
#[derive(Debug, Clone)]
pub enum RoutineSlot {
    /// A name of the text.
    Local {
        /// The name.
        name: String,
        /// The type that a declaration gives to it.
        ty: Option<IntegerType>,
    },
    /// A source operand.
    Source(OperandSource),
    /// A destination operand.
    Destination(Destination),
    /// The channels of a vector operand.
    Channels(Channels),
    /// The truth value of each channel: whether it is enabled.
    Enabled(Enabled),
}

/// Which channels of a vector instruction are enabled.
#[derive(Debug, Clone, Copy)]
pub struct Enabled {
    /// The dispatched channels, one bit each.
    pub dispatched: Word,
    /// The predicate, one bit for each channel, and whether it is negated.
    pub predicate: Option<(Word, bool)>,
    /// The bit of the first channel.
    pub first: u32,
    /// Number of channels.
    pub count: usize,
}

/// The channels of a vector operand, each an element of a list.
#[derive(Debug, Clone, Default)]
pub struct Channels {
    /// The value of each channel.
    pub words: Vec<Word>,
    /// The locations that assignments write. Empty for a source.
    pub locations: Vec<Location>,
    /// Number of bits of a channel, at most 32.
    pub width: u64,
}

/// A type of integers, such as `UINT32`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IntegerType {
    /// Number of bits, 1 to 4096.
    pub width: u64,
    /// Whether values are in two's complement.
    pub signed: bool,
}

/// Where 32 bits of a source come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Word {
    /// A constant: a literal, or a register without storage.
    Constant(u32),
    /// An index of [`Program::inputs`].
    Input(usize),
}

/// A source operand.
#[derive(Debug, Clone, Default)]
pub struct OperandSource {
    /// The words, the lowest first.
    pub words: Vec<Word>,
    /// The register that holds the lowest word, if it can be overwritten (E012).
    pub register: Option<Location>,
    /// Number of bits.
    pub width: u64,
    /// The kind of its value.
    pub kind: SourceKind,
    /// Its prefixes.
    pub prefixes: Prefixes,
}

/// The kind of a source's value.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SourceKind {
    /// Bits, as a value that is not negative.
    #[default]
    Pattern,
    /// Bits in two's complement.
    Signed,
    /// A binary32 number.
    Float,
    /// A truth value.
    Predicate,
}

/// The prefixes of a source.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Prefixes {
    /// The meaning of a minus, if there is one.
    pub minus: Option<Minus>,
    /// Whether the absolute value is taken, before the minus.
    pub absolute: bool,
    /// Whether the bits are complemented, or a truth value is negated.
    pub complement: bool,
}

/// The meaning of a minus before an integer operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Minus {
    /// The negative integer.
    Integer,
    /// The two's complement, as a pattern.
    Pattern,
    /// The complement of the bits.
    Complement,
    /// The complement of the bits, plus one: two to the power of the width, less the operand. It
    /// has one bit more than the operand if the operand is 0.
    ComplementPlusOne,
}

/// A destination operand.
#[derive(Debug, Clone, Default)]
pub struct Destination {
    /// The locations of its words, the lowest first. `None` is a register without storage.
    pub words: Vec<Option<Location>>,
    /// Its value before the instruction.
    pub old: Vec<Word>,
    /// Number of bits.
    pub width: u64,
    /// The kind of its value.
    pub kind: SourceKind,
}

/// A statement.
#[derive(Debug, Clone)]
pub enum Step {
    /// Evaluates the value once and gives it to all targets.
    Assign(Vec<Target>, Node),
    /// Gives each target an element of the value.
    Distribute(Vec<Target>, Node),
    /// Gives a slot the value 0: a declaration without a value.
    Clear(usize),
    /// The first branch whose condition is true, or absent.
    If(Vec<(Option<Node>, Vec<Step>)>),
    /// A loop.
    Loop {
        /// The condition of the next iteration. Without it, the loop ends by `break` only.
        condition: Option<Node>,
        /// The statements.
        body: Vec<Step>,
        /// The statements after each iteration.
        step: Vec<Step>,
    },
    /// The statements from the first case with an equal label on.
    Switch(Node, Vec<(Option<Node>, Vec<Step>)>),
    /// Ends the innermost loop or `switch`.
    Break,
    /// Ends the iteration of the innermost loop.
    Continue,
    /// Ends the routine.
    Return(Option<Node>),
    /// Evaluates an expression.
    Evaluate(Node),
}

/// What an assignment changes.
#[derive(Debug, Clone)]
pub enum Target {
    /// A slot.
    Slot(usize),
    /// A range of bits of a slot.
    Slice(usize, Node, Node),
    /// An element of a slot's list.
    Element(usize, Node),
    /// A bit of an element of a slot's list.
    Bit(usize, Node, Node),
    /// The uniform register with a number.
    Uniform(Node),
    /// A word of the memory of special registers.
    Memory(Node),
}

/// An expression, with the byte of the document where it starts.
#[derive(Debug, Clone)]
pub struct Node {
    /// The byte.
    pub at: usize,
    /// The kind of the expression.
    pub kind: NodeKind,
}

/// The kind of an expression.
#[derive(Debug, Clone)]
pub enum NodeKind {
    /// A constant.
    Constant(Value),
    /// The value of a slot.
    Slot(usize),
    /// A prefix operator.
    Prefix(Prefix, Box<Node>),
    /// An infix operator.
    Infix(Operator, Box<Node>, Box<Node>),
    /// A comparison, and its result if an operand is no number.
    Compare(Operator, bool, Box<Node>, Box<Node>),
    /// Whether an operand is no number, or its negation.
    Unordered(bool, Box<Node>, Box<Node>),
    /// `a ? b : c`
    Choice(Box<[Node; 3]>),
    /// A call of a function of the evaluator.
    Call(Function, Vec<Node>),
    /// A call of a function that the text defines, by its number.
    CallText(usize, Vec<Node>),
    /// A call of a function that a slot holds, on operands of a number of bits.
    Apply(usize, u64, Vec<Node>),
    /// A range of bits.
    Slice(Box<[Node; 3]>),
    /// A bit of an integer, or an element of a list.
    Index(Box<[Node; 2]>),
    /// The uniform register with a number.
    Uniform(Box<Node>),
    /// A word of the memory of special registers.
    Memory(Box<Node>),
    /// A value of constant memory: a bank, a byte address, and the type of the value.
    Constants(Box<[Node; 2]>, IntegerType),
    /// Whether a source operand has a minus.
    IsNegated(usize),
    /// The value of a source operand without its prefixes.
    Plain(usize),
    /// An expression that stops the routine when it is evaluated.
    Stop(Box<super::stop::Stop>),
}
