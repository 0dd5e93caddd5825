//! Runs the PTX of an instruction in an interpreter on this machine instead of on a GPU.
//!
//! The interpreter was written from the PTX ISA. Where the ISA defines the result completely, the
//! interpreter is an independent implementation. It can also show what an assembler cannot: whether
//! the PTX computes the result of the instruction.

use assay_isa::readings::SWITCHES;
use assay_isa::{Answer, BackendError, Batch, Effects, EncodingTable, Instruction, Readings, Subject, codec};
use assay_ptx::{Launch, Memory, Module};

use crate::cuda::{CudaError, CudaSubject, Machine};
use crate::ptx::{Feed, Lowering, kernel, module};

/// A subject whose kernels run in the interpreter.
pub type PtxSubject = CudaSubject<Interpreter>;

impl PtxSubject {
    /// Creates the subject. Its name is `ptx`.
    pub fn interpreted(numbers: EncodingTable) -> PtxSubject {
        CudaSubject::on(Interpreter, "ptx".to_owned(), numbers)
    }
}

/// The interpreter as a cross-check. An instruction is unsupported if a reading that concerns its
/// optype differs from the one that PTX is known to follow.
pub struct PtxOpinion {
    subject: PtxSubject,
    numbers: EncodingTable,
    readings: Readings,
    /// The readings that PTX follows.
    followed: Readings,
}

impl PtxOpinion {
    /// Creates the cross-check for some readings. `followed` are the readings that PTX follows.
    pub fn new(numbers: EncodingTable, readings: Readings, followed: Readings) -> PtxOpinion {
        PtxOpinion { subject: PtxSubject::interpreted(numbers.clone()), numbers, readings, followed }
    }

    /// Returns whether PTX follows all readings that concern an instruction's optype.
    fn follows(&self, instruction: &Instruction) -> bool {
        let mut touching = SWITCHES.iter().filter(|switch| switch.optypes.contains(&instruction.optype()));
        touching.all(|switch| self.readings.setting(switch.erratum) == self.followed.setting(switch.erratum))
    }
}

impl Subject for PtxOpinion {
    fn name(&self) -> &str {
        self.subject.name()
    }

    fn execute(&mut self, batch: &Batch, effects: &mut Effects) -> Result<Answer, BackendError> {
        let instruction = codec::decode(batch.word(), &self.numbers)?;
        if self.follows(&instruction) {
            self.subject.execute(batch, effects)
        } else {
            Ok(Answer::Unsupported)
        }
    }
}

/// A machine that interprets kernels. Results are available immediately.
pub struct Interpreter;

/// A parsed kernel.
#[derive(Clone)]
pub struct Interpreted(std::sync::Arc<Module>);

const ENTRY: &str = "assay";
/// The target of interpreted kernels. It has no effect.
const TARGET: &str = "sm_90";
/// Number of threads in a block.
const BLOCK: u32 = 256;
/// Address of the inputs, as the kernels see it.
const INPUTS: u64 = 1 << 40;
/// Address of the outputs, as the kernels see it.
const OUTPUTS: u64 = 2 << 40;

/// The columns of a launch, accessed by address.
struct LaunchColumns<'a> {
    inputs: &'a [u32],
    outputs: &'a mut [u32],
}

/// Returns the index of the word at an address, for columns that begin at `begins`. Returns `None`
/// if the address is below `begins` or misaligned.
fn place(address: u64, begins: u64) -> Option<usize> {
    let offset = address.checked_sub(begins)?;
    if offset.is_multiple_of(4) { usize::try_from(offset / 4).ok() } else { None }
}

impl Memory for LaunchColumns<'_> {
    fn load(&self, address: u64) -> Option<u32> {
        self.inputs.get(place(address, INPUTS)?).copied()
    }

    fn store(&mut self, address: u64, word: u32) -> Option<()> {
        *self.outputs.get_mut(place(address, OUTPUTS)?)? = word;
        Some(())
    }
}

impl Interpreted {
    fn run(&self, mut columns: LaunchColumns<'_>, count: u32, more: &[u64]) -> Result<(), CudaError> {
        let failed = |problem: String| CudaError::Driver { doing: "run a kernel", problem };
        let kernel = self.0.kernel(ENTRY).ok_or_else(|| failed(format!("there is no {ENTRY}")))?;
        let launch = Launch { blocks: count.div_ceil(BLOCK), threads: BLOCK };
        let arguments = [&[INPUTS, OUTPUTS, u64::from(count)], more].concat();
        kernel.run(&launch, &arguments, &mut columns).map_err(|trap| failed(trap.to_string()))
    }
}

impl Machine for Interpreter {
    type Kernel = Interpreted;
    type Results = Vec<u32>;

    fn ready(&mut self) -> Result<(), CudaError> {
        Ok(())
    }

    fn kernel(&mut self, lowering: &Lowering, feed: Feed) -> Result<Interpreted, CudaError> {
        let ptx = module(TARGET, &[kernel(ENTRY, &lowering.as_executed(), feed)]);
        let refused =
            |error: assay_ptx::ParseError| CudaError::Assembler { log: error.to_string(), ptx: ptx.clone() };
        Ok(Interpreted(Module::parse_machine(&ptx).map_err(refused)?.into()))
    }

    fn columns(
        &mut self,
        kernel: &Interpreted,
        inputs: &[u32],
        count: u32,
        outputs: &mut [u32],
    ) -> Result<(), CudaError> {
        kernel.run(LaunchColumns { inputs, outputs }, count, &[])
    }

    fn slices(&mut self, kernel: &Interpreted, firsts: &[u32], lanes: u32) -> Result<Vec<u32>, CudaError> {
        let mut outputs = vec![0; firsts.len() * lanes as usize];
        let count = outputs.len() as u32;
        kernel.run(LaunchColumns { inputs: firsts, outputs: &mut outputs }, count, &[u64::from(lanes)])?;
        Ok(outputs)
    }

    fn wait(results: &Vec<u32>) -> Result<&[u32], CudaError> {
        Ok(results)
    }

    fn give_back(&mut self, _: Vec<u32>) {}
}
