//! BFN (document `002`): applies any function of three bits, given by its table, in each enabled
//! channel (E081 to E087).

use assay_isa::effect::Lanes;
use assay_isa::readings::Reading;
use assay_isa::tables::types::{ChannelMask, ExecSize, VisaType};
use assay_isa::{BackendError, Erratum, Operand, Source, Truths};

use crate::bits::{BitFunction, WIDTH, bit};
use crate::operand::Values;
use crate::question::Question;

/// The weights of the three sources' bits. The sum of the weights of the set bits is the index of
/// the row in the function's table.
const WEIGHTS: [u32; 3] = [1, 2, 4];

/// Distance of the first channels of consecutive execution masks (M1, M2, …), unless E085 = 2.
const STEP: u32 = 4;
const CHANNELS: u32 = 32;

/// The elements that are written, and their channels in the masks.
#[derive(Clone, Copy, Debug)]
struct Elements {
    /// Number of elements that are written.
    count: u32,
    /// The channel of the first element.
    first: u32,
    /// Whether the dispatch mask enables the elements.
    dispatched: bool,
}

impl Elements {
    /// Returns the elements. If all lanes are undefined, returns the erratum that causes it.
    fn of(question: &Question) -> Result<Elements, Erratum> {
        let size: ExecSize = question.instruction.modifier("size").expect("BFN names its size");
        let mask: ChannelMask = question.instruction.modifier("mask").expect("BFN has a mask");
        let (code, mask) = (size as u32, mask as u32);
        let size = 1 << code;
        let count = if question.reads(Reading::E081, 1) { mask << 4 | code } else { size };
        let first = mask % 8 * if question.reads(Reading::E085, 2) { size } else { STEP };
        match () {
            () if count > size => Err(Erratum(81)),
            () if first + size > CHANNELS => Err(Erratum(85)),
            () => Ok(Elements { count, first, dispatched: mask < 8 }),
        }
    }
}

/// The masks that enable elements. An element is enabled by the bit at its channel in each mask.
#[derive(Clone, Copy, Debug)]
struct Enabled<'a> {
    /// The dispatch mask, if it enables elements.
    dispatched: Option<Values<'a>>,
    /// The predicate, and whether it is negated. The field is `None` if there is no predicate, or
    /// if it is not used (E084).
    predicate: Option<(Values<'a>, bool)>,
}

impl<'a> Enabled<'a> {
    fn of(
        question: &Question<'a>,
        elements: Elements,
        predicate: Operand,
        mask: Operand,
    ) -> Result<Enabled<'a>, BackendError> {
        let looked_at = predicate.source.location().is_some() && question.reads(Reading::E084, 1);
        Ok(Enabled {
            dispatched: if elements.dispatched { Some(question.values(mask)?) } else { None },
            predicate: if looked_at { Some((question.values(predicate)?, predicate.not)) } else { None },
        })
    }

    /// Returns the lanes in which a channel is enabled.
    fn lanes(&self, question: &Question, channel: u32) -> Lanes {
        let holds = |lane| {
            let dispatched = self.dispatched.is_none_or(|mask| bit(mask.get(lane), channel) == 1);
            let predicated =
                self.predicate.is_none_or(|(flags, not)| (bit(flags.get(lane), channel) == 1) != not);
            dispatched && predicated
        };
        match (self.dispatched, self.predicate) {
            (None, None) => Lanes::All,
            _ => Lanes::Some((0..question.len()).map(holds).collect()),
        }
    }
}

/// Returns the values of a source in a channel. A literal has one value in all channels, and E087
/// determines its extension.
fn source<'a>(
    question: &Question<'a>,
    operand: Operand,
    channel: u32,
    signed_literals: bool,
) -> Result<Values<'a>, BackendError> {
    match operand.source {
        Source::Imm(literal) if signed_literals => Ok(Values::Constant(i32::from(literal as i16) as u32)),
        _ => Values::of(operand, channel as u8, question.batch()),
    }
}

/// BFN: applies the function to the bits at each position, in each enabled element.
pub fn of_channels(question: &Question, truths: &mut Truths) -> Result<(), BackendError> {
    let [predicate, a, b, c, table, mask] = question.operands()?;
    let elements = match Elements::of(question) {
        Ok(elements) => elements,
        Err(erratum) => {
            question.undefine(truths, erratum, |_| true);
            return Ok(());
        }
    };
    let ty = question.instruction.modifier("type").expect("BFN names its type");
    let width = if matches!(ty, VisaType::D | VisaType::UD) { WIDTH } else { WIDTH / 2 };
    let signed_literals = match ty {
        VisaType::D => !question.reads(Reading::E087, 1),
        _ => question.reads(Reading::E087, 2),
    };
    let enabled = Enabled::of(question, elements, predicate, mask)?;
    let Source::Imm(table) = table.source else { unreachable!("BFN's table is a literal") };
    let function = BitFunction::new(table, WEIGHTS);
    let destination = question.instruction.operand("dst");
    for element in 0..elements.count {
        let channel = |operand| source(question, operand, element, signed_literals);
        let [a, b, c] = [channel(a)?, channel(b)?, channel(c)?].map(|values| values.column(question.len()));
        let Some(location) = destination.word(element as u8) else { continue };
        let lanes = enabled.lanes(question, elements.first + element);
        let sources = a.iter().zip(b.iter()).zip(c.iter());
        for (value, ((a, b), c)) in truths.bits(location, lanes).iter_mut().zip(sources) {
            *value = function.of([*a, *b, *c]) & (u32::MAX >> (WIDTH - width));
        }
    }
    Ok(())
}
