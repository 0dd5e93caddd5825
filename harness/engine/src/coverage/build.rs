//! Builds the bins of a form from its row and its modes. Each bin that no case can hit has a
//! reason.

use std::collections::BTreeMap;

use assay_isa::hints::Operation;
use assay_isa::row::FieldType;
use assay_isa::{Form, Instruction, Readings, catalog, legality};

use super::bins::{Bins, Depth, FormBins, GAP, Marks, ModifierSlot, REACHABLE};
use super::exact;
use super::group::{Aspect, BinOrder, Context, Group, RegisterChoice};
use super::topic::Topic;
use super::{crossings, unreachable};
use crate::generate::{Scope, ends};
use crate::operands::operand_kinds::{FLOATS, NORMAL, OperandKind, is_normal};

impl Bins {
    /// Returns the plain bins of a scope. The readings decide which bins are unreachable.
    pub fn of(scope: &Scope, readings: &Readings) -> Bins {
        Bins::at_depth(scope, readings, Depth::Plain)
    }

    /// Returns the bins of a scope that a small suite should hit.
    pub fn of_suite(scope: &Scope, readings: &Readings) -> Bins {
        Bins::at_depth(scope, readings, Depth::Suite)
    }

    /// Returns the bins of a scope that a campaign counts, including the crossed ones.
    pub fn crossed(scope: &Scope, readings: &Readings) -> Bins {
        Bins::at_depth(scope, readings, Depth::Crossed)
    }

    /// Returns the bins of a scope at a depth.
    pub fn at_depth(scope: &Scope, readings: &Readings, depth: Depth) -> Bins {
        let mut modes: BTreeMap<&'static str, Vec<&Instruction>> = BTreeMap::new();
        for mode in scope.modes() {
            modes.entry(mode.form().name).or_default().push(mode);
        }
        let mut bins = Bins::empty(depth);
        for modes in modes.values() {
            let form = Builder::new(&mut bins, modes, readings).build();
            bins.forms.push(form);
        }
        bins.with_places()
    }
}

/// Adds the bins of one form to a list.
pub(super) struct Builder<'a> {
    pub(super) bins: &'a mut Bins,
    pub(super) form: &'static Form,
    pub(super) modes: &'a [&'a Instruction],
    readings: &'a Readings,
    pub(super) aspects: Vec<Aspect>,
    /// Indexed by mode and bit of a block: the code of the bit's class in the mode.
    has: Vec<[u8; 64]>,
    /// Indexed by mode, bit of an operand and bit of a result: the code of the combination, or
    /// [`GAP`] until it is computed. The codes are stored, because the bins of every modifier need
    /// the codes of all modes.
    flows: Vec<u8>,
    /// The reason why no case of the form has a defined result. `None` unless this holds for every
    /// mode.
    no_case: Option<&'static str>,
}

impl<'a> Builder<'a> {
    pub fn new(bins: &'a mut Bins, modes: &'a [&'a Instruction], readings: &'a Readings) -> Builder<'a> {
        let form = modes[0].form();
        let aspects = aspects(form, modes);
        let no_case = modes.iter().map(|mode| unreachable::no_case(mode, readings)).min().flatten();
        let has = modes.iter().map(|mode| classes_of(bins, mode, readings, &aspects)).collect();
        let flows = vec![GAP; modes.len() * 64 * 64];
        Builder { bins, form, modes, readings, aspects, has, flows, no_case }
    }

    pub fn build(mut self) -> FormBins {
        let first = self.bins.groups.len();
        let [modifiers, attributes] = self.fields();
        let mut slots = self.slots(&modifiers);
        let attributes = attributes.into_iter().map(|(position, number)| {
            let no_case = self.bins.code(self.no_case);
            (
                position,
                self.group(Topic::Fact, Vec::new(), BinOrder::Attribute(position), number, |_, _| no_case),
            )
        });
        let attributes = attributes.collect();
        let guard = self.guard();
        let registers = self.registers();
        let has_register = registers.iter().any(|list| !list.is_empty());
        let zero_register = has_register.then(|| self.fact(&["reads the zero register"]));
        let several = registers.iter().any(|list| list.len() > 1);
        let repeated = several.then(|| self.fact(&["reads one register twice"]));
        let (mut held, mut ends, mut repeats) = (Vec::new(), Vec::new(), Vec::new());
        let alone = self.alone(&mut slots);
        let borders = self.borders();
        if self.bins.depth == Depth::Crossed {
            slots.extend(self.pairs(&modifiers));
            self.crosses(&mut slots[..modifiers.len().max(1)]);
            held = self.register_choices(&registers);
            ends = self.ends();
            self.exact(&modifiers, &mut slots);
            repeats = self.repeats(&registers);
        }
        let groups = first..self.bins.groups.len();
        let Builder { form, aspects, .. } = self;
        FormBins {
            form,
            aspects,
            slots,
            attributes,
            guard,
            zero_register,
            repeated,
            held,
            repeats,
            alone,
            borders,
            ends,
            groups,
        }
    }

    /// Returns the modifiers, then the attributes, that the scope leaves free. Each is a field
    /// position with its number of values.
    pub(super) fn fields(&self) -> [Vec<(usize, usize)>; 2] {
        let form = self.form;
        let fields = form.fields.iter().enumerate().filter_map(|(position, field)| {
            let FieldType::Enum(e) = field.ty else { return None };
            let free = self.modes.iter().any(|mode| legality::permits(mode, field.name));
            let counts = field.constraint.is_none() && field.operand() != form.guard() && free;
            counts.then_some((position, e.values.len()))
        });
        let (modifiers, attributes) =
            fields.partition(|(position, _)| !form.is_operand(form.fields[*position]));
        [modifiers, attributes]
    }

    /// Adds a group, and returns the place of its first bin. `code` returns the code of a bin,
    /// given the builder and the bin's index in the group.
    pub(super) fn group(
        &mut self,
        topic: Topic,
        context: Context,
        shape: BinOrder,
        len: usize,
        mut code: impl FnMut(&mut Self, usize) -> u8,
    ) -> usize {
        if matches!(shape, BinOrder::Block(_)) {
            self.bins.codes.resize(self.bins.codes.len().next_multiple_of(64), GAP);
        }
        let first = self.bins.codes.len();
        for index in 0..len {
            let code = code(self, index);
            self.bins.codes.push(code);
        }
        let form = self.bins.forms.len();
        self.bins.groups.push(Group { first, len, topic, form, context, shape });
        first
    }

    fn fact(&mut self, facts: &'static [&'static str]) -> usize {
        let code = self.bins.code(self.no_case);
        self.group(Topic::Fact, Vec::new(), BinOrder::Facts(facts), facts.len(), |_, _| code)
    }

    fn guard(&mut self) -> usize {
        let (form, modes) = (self.form, self.modes);
        let unguarded = modes.iter().all(|mode| !legality::permits(mode, form.guard()));
        let never = (unguarded || form.field(form.guard()).is_none()).then_some("it takes no guard");
        let facts = BinOrder::Facts(&["guard is false", "guard is true"]);
        let code = |this: &mut Self, index: usize| this.bins.code(never.filter(|_| index == 0));
        self.group(Topic::Fact, Vec::new(), facts, 2, code)
    }

    /// Returns the indices of the modes in a context.
    pub(super) fn modes_in(&self, context: &Context) -> Vec<usize> {
        let is_here = |mode: &Instruction| context.iter().all(|(p, value)| mode.values()[*p] == *value);
        (0..self.modes.len()).filter(|mode| is_here(self.modes[*mode])).collect()
    }

    /// Returns the code of a bin for several modes. The bin is reachable if one mode can reach it.
    /// Otherwise, the code is a reason.
    pub(super) fn joint(&mut self, modes: &[usize], mut code: impl FnMut(&mut Self, usize) -> u8) -> u8 {
        let mut joint = GAP;
        for mode in modes {
            match code(self, *mode) {
                REACHABLE => return REACHABLE,
                GAP => {}
                code if joint == GAP => joint = code,
                code => joint = joint.min(code),
            }
        }
        joint
    }

    /// Adds a block with a bin for each class in a context. Returns the index of the block, or
    /// `None` if no mode is in the context.
    fn block(&mut self, topic: Topic, context: &Context) -> Option<usize> {
        let here = self.modes_in(context);
        let code = |this: &mut Self, bit: usize| this.joint(&here, |this, mode| this.has[mode][bit]);
        (!here.is_empty()).then(|| self.group(topic, context.clone(), BinOrder::Block(None), 64, code) / 64)
    }

    /// Adds a block for each combination of some modifiers' values, and returns the slot.
    fn slot(&mut self, topic: Topic, modifiers: &[(usize, usize)]) -> ModifierSlot {
        let number = modifiers.iter().map(|(_, number)| number).product();
        let contexts = (0..number).map(|index| context(modifiers, index));
        let blocks = contexts.map(|context| self.block(topic, &context));
        let values = blocks.map(|block| block.map(|block| Marks { block, ..Marks::default() })).collect();
        let (positions, numbers) = modifiers.iter().copied().unzip();
        ModifierSlot { positions, numbers, values }
    }

    /// Returns a slot for each modifier. If there are no modifiers, returns one slot without
    /// modifiers.
    fn slots(&mut self, modifiers: &[(usize, usize)]) -> Vec<ModifierSlot> {
        match modifiers {
            [] => vec![self.slot(Topic::Class, &[])],
            some => some.iter().map(|modifier| self.slot(Topic::Class, &[*modifier])).collect(),
        }
    }

    /// Returns a slot for each pair of modifiers.
    fn pairs(&mut self, modifiers: &[(usize, usize)]) -> Vec<ModifierSlot> {
        let pairs =
            modifiers.iter().enumerate().flat_map(|(i, a)| modifiers[i + 1..].iter().map(|b| [*a, *b]));
        pairs.map(|pair| self.slot(Topic::Pair, &pair)).collect()
    }

    /// Adds the combinations of operands and results to the slots of single modifiers, topic by topic.
    fn crosses(&mut self, slots: &mut [ModifierSlot]) {
        let inputs: Vec<usize> = (0..self.aspects.len()).filter(|a| !self.aspects[*a].is_result).collect();
        let results = inputs.len()..self.aspects.len();
        let meetings = inputs.iter().flat_map(|a| inputs[a + 1..].iter().map(|b| vec![*a, *b]));
        let results = if crossings::are_told(self.form.optype) { results } else { 0..0 };
        let flows = inputs.iter().flat_map(|a| results.clone().map(|b| vec![*a, b]));
        let is_fused = self.form.optype.hints.operation() == Some(Operation::Fused);
        let triple = is_fused.then(|| inputs.clone());
        let topics = [
            (Topic::Meeting, meetings.collect::<Vec<_>>()),
            (Topic::Flow, flows.collect()),
            (Topic::Triple, triple.into_iter().collect()),
        ];
        for (topic, crossed) in topics {
            for slot in &mut *slots {
                let modifiers: Vec<_> = slot.positions.iter().copied().zip(slot.numbers.clone()).collect();
                for (index, marks) in slot.values.iter_mut().enumerate() {
                    let Some(marks) = marks else { continue };
                    let context = context(&modifiers, index);
                    let here = self.modes_in(&context);
                    for aspects in &crossed {
                        let first = self.cross(topic, &context, &here, aspects);
                        marks.crosses.push((aspects.clone(), first));
                    }
                }
            }
        }
    }

    fn cross(&mut self, topic: Topic, context: &Context, here: &[usize], crossed: &[usize]) -> usize {
        let numbers: Vec<usize> = crossed.iter().map(|aspect| self.aspects[*aspect].classes.len()).collect();
        let shape = BinOrder::Cross(crossed.to_vec());
        let mut classes = vec![0; crossed.len()];
        self.group(topic, context.clone(), shape, numbers.iter().product(), |this, _index| {
            let code = this.joint(here, |this, mode| this.together(mode, crossed, &classes));
            advance(&mut classes, &numbers);
            code
        })
    }

    /// Returns the code of a combination of classes in a mode. Tests each class by itself. Then,
    /// for an operand and a result, tests whether the operand's class excludes the result's class.
    pub(super) fn together(&mut self, mode: usize, crossed: &[usize], classes: &[usize]) -> u8 {
        let codes =
            crossed.iter().zip(classes).map(|(a, class)| self.has[mode][self.aspects[*a].first + class]);
        let worst = codes
            .fold(REACHABLE, |worst, code| if worst == GAP || code == GAP { GAP } else { worst.max(code) });
        if worst != REACHABLE {
            return worst;
        }
        let [a, b] = crossed[..] else { return REACHABLE };
        let (input, result) = (&self.aspects[a], &self.aspects[b]);
        if !result.is_result {
            return REACHABLE;
        }
        let place = (mode * 64 + input.first + classes[0]) * 64 + result.first + classes[1];
        if self.flows[place] == GAP {
            let operand = (input.operand, input.classes[classes[0]]);
            let becomes = (result.operand, result.classes[classes[1]]);
            let reason = crossings::flow(self.modes[mode], self.readings, operand, becomes);
            self.flows[place] = self.bins.code(reason);
        }
        self.flows[place]
    }

    /// Adds the bins of the ends of operand fields. Returns the position and first bin of each
    /// field that some mode uses.
    fn ends(&mut self) -> Vec<(usize, usize)> {
        let form = self.form;
        let is_free = |name: &str| self.modes.iter().any(|mode| legality::permits(mode, name));
        let fields =
            form.fields.iter().enumerate().filter(|(_, field)| {
                form.is_operand(field) && field.constraint.is_none() && is_free(field.name)
            });
        let fields: Vec<(usize, usize)> =
            fields.map(|(position, field)| (position, ends::names(field).len())).collect();
        let code = self.bins.code(self.no_case);
        let group = |(position, number)| {
            (position, self.group(Topic::End, Vec::new(), BinOrder::Ends(position), number, |_, _| code))
        };
        fields.into_iter().filter(|(_, number)| *number > 0).map(group).collect()
    }

    /// Returns two lists of aspects: of inputs in general registers, and of inputs in uniform
    /// registers. Only inputs with one word in every mode count.
    fn registers(&self) -> [Vec<usize>; 2] {
        [FieldType::Reg, FieldType::UReg].map(|ty| {
            // A register is not counted if it must have an even number, or if some modes lack it.
            let plain = |name: &str| {
                self.modes.iter().all(|m| legality::has(m, name)) && self.modes[0].operand(name).words == 1
            };
            let counts = |aspect: &Aspect| {
                let name = aspect.operand;
                !aspect.is_result && plain(name) && self.form.field(name).is_some_and(|f| f.ty == ty)
            };
            (0..self.aspects.len()).filter(|a| counts(&self.aspects[*a])).collect()
        })
    }

    /// Adds a block for each input that can be the zero register, and for each pair of inputs that
    /// can be one register.
    fn register_choices(&mut self, registers: &[Vec<usize>; 2]) -> Vec<(RegisterChoice, usize)> {
        let zeros = registers.iter().flatten().map(|a| RegisterChoice::Zero(*a));
        let same = registers.iter().flat_map(|list| {
            list.iter()
                .enumerate()
                .flat_map(|(i, a)| list[i + 1..].iter().map(|b| RegisterChoice::Same(*a, *b)))
        });
        let all: Vec<usize> = (0..self.modes.len()).collect();
        let block = |held: RegisterChoice| {
            let code = |this: &mut Self, bit: usize| this.register_choice_code(&all, held, bit);
            (held, self.group(Topic::Source, Vec::new(), BinOrder::Block(Some(held)), 64, code) / 64)
        };
        zeros.chain(same).map(block).collect()
    }

    fn register_choice_code(&mut self, modes: &[usize], held: RegisterChoice, bit: usize) -> u8 {
        let Some(index) = self.aspects.iter().rposition(|aspect| aspect.first <= bit) else { return GAP };
        let class = bit - self.aspects[index].first;
        if class >= self.aspects[index].classes.len() {
            return GAP;
        }
        let is_result = self.aspects[index].is_result;
        self.joint(modes, |this, mode| match held {
            // The zero register always holds 0, and the second operand of a pair has the class of
            // the first. Neither needs bins.
            RegisterChoice::Zero(a) if a == index => GAP,
            RegisterChoice::Same(_, b) if b == index => GAP,
            _ if is_result && !crossings::are_told(this.form.optype) => GAP,
            RegisterChoice::Zero(a) if is_result => this.together(mode, &[a, index], &[0, class]),
            _ => this.has[mode][bit],
        })
    }

    /// Adds the bins of exact numbers to the slot whose modifiers are the rounding mode and
    /// flushing.
    fn exact(&mut self, modifiers: &[(usize, usize)], slots: &mut [ModifierSlot]) {
        let Some(operation) = self.form.optype.hints.operation() else { return };
        let decides = |position: &usize| matches!(self.form.fields[*position].name, "rnd" | "ftz");
        let chosen: Vec<_> = modifiers.iter().copied().filter(|(position, _)| decides(position)).collect();
        let positions: Vec<usize> = chosen.iter().map(|(position, _)| *position).collect();
        let Some(slot) = slots.iter_mut().find(|slot| slot.positions == positions) else { return };
        let reached: Vec<usize> =
            (0..slot.values.len()).filter(|value| slot.values[*value].is_some()).collect();
        for topic in Topic::EXACT {
            for index in &reached {
                let (len, no_case) = (exact::bins(operation, topic), self.no_case);
                let shape = BinOrder::Exact(operation);
                let code = |this: &mut Self, bin| {
                    this.bins.code(no_case.or(exact::unreachable(operation, topic, bin)))
                };
                let first = self.group(topic, context(&chosen, *index), shape, len, code);
                slot.values[*index].iter_mut().for_each(|marks| marks.exact.push((topic, first)));
            }
        }
    }

    /// Adds the bins of exact numbers for each pair of operands that can be one register.
    fn repeats(&mut self, registers: &[Vec<usize>; 2]) -> Vec<(RegisterChoice, usize)> {
        let Some(operation) = self.form.optype.hints.operation() else { return Vec::new() };
        let pairs = registers.iter().flat_map(|list| {
            list.iter().enumerate().flat_map(|(i, a)| list[i + 1..].iter().map(|b| [*a, *b]))
        });
        let all: Vec<usize> = (0..self.modes.len()).collect();
        let group = |[a, b]: [usize; 2]| {
            let code = |this: &mut Self, bin: usize| {
                this.joint(&all, |this, mode| {
                    let reason = exact::unreachable_repeated(this.modes[mode], bin);
                    let no_case = unreachable::no_case(this.modes[mode], this.readings);
                    this.bins.code(no_case.or(reason))
                })
            };
            let (shape, len) = (BinOrder::Repeated(operation, a, b), exact::bins(operation, Topic::Repeated));
            let first = self.group(Topic::Repeated, Vec::new(), shape, len, code);
            (RegisterChoice::Same(a, b), first)
        };
        pairs.map(group).collect()
    }

    /// Adds the bins of [`Topic::Alone`] to the slots of single modifiers, and returns the float
    /// operands. Only the first form of an optype has these bins. A campaign does not need them,
    /// because its crossed bins of two and three operands include these cases.
    fn alone(&mut self, slots: &mut [ModifierSlot]) -> Vec<usize> {
        let is_float = |aspect: &Aspect| !aspect.is_result && aspect.classes == FLOATS;
        let floats: Vec<usize> =
            (0..self.aspects.len()).filter(|aspect| is_float(&self.aspects[*aspect])).collect();
        // The other forms read these operands from other sources, which the plain bins cover.
        let is_first =
            catalog().forms_of(self.form.optype.name).next().is_some_and(|f| f.name == self.form.name);
        if self.bins.depth != Depth::Suite || floats.len() < 2 || !is_first {
            return Vec::new();
        }
        for slot in slots {
            let modifiers: Vec<_> = slot.positions.iter().copied().zip(slot.numbers.clone()).collect();
            for (index, marks) in slot.values.iter_mut().enumerate() {
                let Some(marks) = marks else { continue };
                let context = context(&modifiers, index);
                let here = self.modes_in(&context);
                let code = |this: &mut Self, bin: usize| {
                    let (special, class) = (bin / FLOATS.len(), bin % FLOATS.len());
                    if is_normal(class) {
                        return GAP;
                    }
                    let classes: Vec<usize> = (0..floats.len())
                        .map(|place| if place == special { class } else { NORMAL })
                        .collect();
                    this.joint(&here, |this, mode| this.together(mode, &floats, &classes))
                };
                let shape = BinOrder::Alone(floats.clone());
                marks.alone =
                    Some(self.group(Topic::Alone, context, shape, floats.len() * FLOATS.len(), code));
            }
        }
        floats
    }
}

/// Steps to the next combination of classes, in the order of [`digits`](super::group::digits): the
/// last class changes fastest.
fn advance(classes: &mut [usize], numbers: &[usize]) {
    for (class, number) in classes.iter_mut().zip(numbers).rev() {
        *class += 1;
        if *class < *number {
            return;
        }
        *class = 0;
    }
}

/// Returns the values of some modifiers in the combination with an index.
fn context(modifiers: &[(usize, usize)], mut index: usize) -> Context {
    let values = modifiers.iter().rev().map(|(position, number)| {
        let value = index % number;
        index /= number;
        (*position, value as u32)
    });
    let mut values: Context = values.collect();
    values.reverse();
    values
}

fn aspects(form: &'static Form, modes: &[&Instruction]) -> Vec<Aspect> {
    let mut next = 0;
    let inputs = form.inputs().map(|operand| (operand, false));
    let results = form.optype.outs.iter().map(|operand| (*operand, true));
    let place = |(operand, is_result)| {
        let first = next;
        next += OperandKind::count_of(form, operand);
        let classes = modes.iter().map(|mode| OperandKind::of(mode, operand).classes());
        let classes = classes.max_by_key(|classes| classes.len()).unwrap_or_default();
        Aspect { operand, is_result, first, classes }
    };
    let aspects: Vec<Aspect> = inputs.chain(results).map(place).collect();
    assert!(next <= 64, "{} has more classes than fit a block", form.name);
    aspects
}

/// Returns the code of each bit of a block in a mode.
fn classes_of(bins: &mut Bins, mode: &Instruction, readings: &Readings, aspects: &[Aspect]) -> [u8; 64] {
    let mut codes = [GAP; 64];
    for aspect in aspects {
        let classes = OperandKind::of(mode, aspect.operand).classes();
        for (index, class) in classes.iter().enumerate() {
            let reason = if legality::has(mode, aspect.operand) {
                unreachable::reason(mode, readings, aspect.is_result, class)
            } else {
                Some("the mode does not have the operand")
            };
            codes[aspect.first + index] = bins.code(reason);
        }
    }
    codes
}
