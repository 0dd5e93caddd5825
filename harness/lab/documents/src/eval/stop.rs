//! Why execution of a routine stopped: data, with the place in the document.

use std::fmt;

use assay_isa::Location as Register;
use assay_isa::effect::Fault;

use crate::layout::Span;

/// Why a routine cannot be executed, or not with these inputs.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// An expression is missing, or cannot be read.
    #[error("an expression is missing")]
    Missing,
    /// The head of the routine does not fit its instruction.
    #[error("the head does not fit: {0}")]
    Head(String),
    /// A name without a value.
    #[error("`{0}` has no value")]
    UndefinedName(String),
    /// A function that nothing defines.
    #[error("function `{0}` is not defined")]
    UndefinedFunction(String),
    /// A modifier that is an operator, with a value that no table explains.
    #[error("no table says which operator `.{0}` is")]
    NoOperator(String),
    /// An operation on a value of another kind.
    #[error("{0}")]
    Mismatch(&'static str),
    /// A function with too few or too many arguments.
    #[error("`{name}` takes {expected} arguments, not {found}")]
    Arguments {
        /// The function.
        name: String,
        /// The number of its arguments.
        expected: usize,
        /// The number of arguments of the call.
        found: usize,
    },
    /// A division by zero.
    #[error("division by zero")]
    DivisionByZero,
    /// A bit or an element that does not exist.
    #[error("the index is beyond the value")]
    IndexBeyond,
    /// A value with too many bits, or a shift by a negative amount.
    #[error("the value has too many bits")]
    TooLarge,
    /// Too many statements were executed.
    #[error("{0} statements are executed, and the routine has not ended")]
    TooLong(usize),
    /// Functions call each other without end.
    #[error("the calls are nested too deep")]
    TooDeep,
    /// The text gives a result in no type, and the results of the types differ (E134).
    #[error("the order of the operands depends on a type that the text does not give")]
    NoOrder,
    /// A special register of 64 bits: the documents list none (E066).
    #[error("no special register has 64 bits")]
    NoWideRegister,
    /// An operand that does not exist, or whose meaning is not given.
    #[error("{0}")]
    NoOperand(&'static str),
    /// A value that no row of a table gives. A bound of accuracy would judge it (E043).
    #[error("no row of the table gives this value")]
    Open,
    /// A location whose value is not among the inputs. The caller must supply it.
    #[error("the value of {0} is not given")]
    NoInput(Register),
}

impl Reason {
    /// The erratum that makes the text unusable here, if the reason alone tells it.
    pub fn erratum(&self) -> Option<u16> {
        match self {
            Reason::NoOrder => Some(134),
            Reason::NoWideRegister => Some(66),
            Reason::Open => Some(43),
            _ => None,
        }
    }
}

/// A reason with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stop {
    /// Why the routine stopped.
    pub reason: Reason,
    /// The bytes of the document where it stopped. The head of the routine if nothing else is
    /// known.
    pub span: Span,
    /// The number of the erratum that explains the stop, if one does.
    pub erratum: Option<u16>,
}

impl Stop {
    /// Creates a stop at a place.
    pub fn new(reason: Reason, span: Span) -> Self {
        let erratum = reason.erratum();
        Stop { reason, span, erratum }
    }

    /// Names the erratum that explains the stop.
    pub fn explained(mut self, erratum: u16) -> Self {
        self.erratum = Some(erratum);
        self
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.reason)?;
        self.erratum.map_or(Ok(()), |erratum| write!(f, " (E{erratum:03})"))
    }
}

/// Why a lane did not run to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Halt {
    /// The text cannot be executed with these inputs.
    Stop(Box<Stop>),
    /// The instruction faulted.
    Fault(Fault),
}

impl Halt {
    /// Creates a stop at a byte of the document.
    pub(super) fn stop(reason: Reason, at: usize) -> Halt {
        Halt::Stop(Box::new(Stop::new(reason, at..at)))
    }
}
