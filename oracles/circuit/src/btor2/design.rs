//! The netlist, as it is after all checks.

use super::operator::Operator;

/// An input or an output of a netlist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// The name. Empty if the file gives none.
    pub name: String,
    /// Number of bits.
    pub width: usize,
}

/// A reference to a node, by its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Operand {
    /// Index of the node.
    pub node: usize,
    /// Whether each bit is complemented: BTOR2 writes such a node with a minus sign.
    pub complemented: bool,
}

/// What computes a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NodeKind {
    /// A constant, the least significant bit first.
    Constant(Vec<bool>),
    /// The input with this index.
    Input(usize),
    /// The state with this index.
    State(usize),
    /// An operator. Number and widths of the operands fit.
    Apply(Operator, Vec<Operand>),
}

/// A node. Its operands have smaller indices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Node {
    /// Number of bits.
    pub width: usize,
    /// What computes it.
    pub kind: NodeKind,
}

/// A register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct State {
    /// Name and width.
    pub port: Port,
    /// The value in cycle 0. `None`: any value.
    pub initial: Option<Operand>,
    /// The value in the next cycle. `None`: any value.
    pub next: Option<Operand>,
}

/// A netlist: combinational nodes between registers, inputs and outputs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Design {
    pub(super) nodes: Vec<Node>,
    pub(super) inputs: Vec<Port>,
    pub(super) states: Vec<State>,
    pub(super) outputs: Vec<(Port, Operand)>,
    pub(super) bads: Vec<Operand>,
    pub(super) constraints: Vec<Operand>,
}

impl Design {
    /// The inputs, in the order of the file.
    pub fn inputs(&self) -> &[Port] {
        &self.inputs
    }

    /// Names and widths of the registers, in the order of the file.
    pub fn states(&self) -> impl ExactSizeIterator<Item = &Port> {
        self.states.iter().map(|state| &state.port)
    }

    /// The outputs, in the order of the file.
    pub fn outputs(&self) -> impl ExactSizeIterator<Item = &Port> {
        self.outputs.iter().map(|(port, _)| port)
    }

    /// Returns the index of the input with a name.
    pub fn input(&self, name: &str) -> Option<usize> {
        self.inputs.iter().position(|port| port.name == name)
    }

    /// Returns the index of the output with a name.
    pub fn output(&self, name: &str) -> Option<usize> {
        self.outputs.iter().position(|(port, _)| port.name == name)
    }

    /// Returns an upper bound of the gates that one cycle needs.
    pub(super) fn cost(&self) -> u64 {
        let cost = |node: &Node| match &node.kind {
            NodeKind::Apply(operator, operands) => {
                let width = operands.iter().map(|operand| self.nodes[operand.node].width).max();
                operator.cost(width.unwrap_or(0).max(node.width))
            }
            _ => node.width as u64,
        };
        self.nodes.iter().map(cost).fold(0, u64::saturating_add)
    }
}
