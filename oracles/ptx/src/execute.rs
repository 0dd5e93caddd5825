//! Runs the steps of a kernel. Up to 256 threads run together.
//!
//! A step is applied to all active lanes before the next step, so the cost of decoding a step is
//! shared. Branches only go forward, so a lane that branches waits until the other lanes reach its
//! target.

use crate::column::{Access, Column, Initial};
use crate::lanes::{LANES, Lanes, low};
use crate::step::{Action, Function, Step};
use crate::{Kernel, Launch, Memory, Parameter, Trap};

/// The threads of one block that run together.
struct Group {
    lanes: Lanes,
    /// The lanes that branched, with the index of their target step.
    waiting: Vec<(usize, Vec<u8>)>,
    block: u32,
    /// The number of the thread in lane 0.
    first: u32,
}

/// Runs a kernel: see [`Kernel::run`].
pub(crate) fn run(
    kernel: &Kernel,
    launch: &Launch,
    arguments: &[u64],
    memory: &mut dyn Memory,
) -> Result<(), Trap> {
    let fits = |(parameter, &argument): (&Parameter, &u64)| match parameter {
        Parameter::U32 => u32::try_from(argument).is_ok(),
        Parameter::U64 => true,
    };
    if kernel.parameters.len() != arguments.len() || !kernel.parameters.iter().zip(arguments).all(fits) {
        let (parameters, arguments) = (kernel.parameters.clone(), arguments.to_vec());
        return Err(Trap::Arguments { parameters, arguments });
    }
    let mut group = Group::new(kernel, launch, arguments);
    for block in 0..launch.blocks {
        for first in (0..launch.threads).step_by(LANES) {
            group.start(kernel, block, first, launch.threads - first);
            group.finish(kernel, memory)?;
        }
    }
    Ok(())
}

impl Group {
    fn new(kernel: &Kernel, launch: &Launch, arguments: &[u64]) -> Self {
        let fill = |&initial: &Initial| match initial {
            Initial::Nothing | Initial::Thread | Initial::Block => [0; LANES],
            Initial::Constant(value) => [value; LANES],
            Initial::Parameter(index) => [arguments[index]; LANES],
            Initial::Threads => [launch.threads.into(); LANES],
        };
        let columns = kernel.columns.iter().map(fill).collect();
        let lanes = Lanes { columns, active: Vec::with_capacity(LANES) };
        Self { lanes, waiting: Vec::new(), block: 0, first: 0 }
    }

    /// Starts the threads of a block from `first` on. `left` is the number of threads of the block
    /// that have not run. At most one group of them starts.
    fn start(&mut self, kernel: &Kernel, block: u32, first: u32, left: u32) {
        (self.block, self.first) = (block, first);
        for (column, initial) in self.lanes.columns.iter_mut().zip(&kernel.columns) {
            match initial {
                Initial::Thread => {
                    (u64::from(first)..).zip(column).for_each(|(thread, place)| *place = thread)
                }
                Initial::Block => column.fill(block.into()),
                _ => {}
            }
        }
        self.lanes.active.clear();
        self.lanes.active.extend((0..=u8::MAX).take(left as usize));
    }

    /// Runs all threads to their ends.
    fn finish(&mut self, kernel: &Kernel, memory: &mut dyn Memory) -> Result<(), Trap> {
        for (index, step) in kernel.steps.iter().enumerate() {
            self.wake(index);
            match step.action {
                Action::Compute(function) => function.compute(&mut self.lanes, &step.access),
                Action::Load => self.load(step, memory)?,
                Action::Store => self.store(step, memory)?,
                Action::Branch { guard, target } => self.branch(step, guard, target),
                Action::Return => self.lanes.active.clear(),
            }
        }
        Ok(())
    }

    /// Activates the lanes that wait for the step with this index.
    fn wake(&mut self, index: usize) {
        let active = &mut self.lanes.active;
        let before = active.len();
        self.waiting.retain(|(target, lanes)| {
            let here = *target == index;
            if here {
                active.extend(lanes);
            }
            !here
        });
        if active.len() > before {
            active.sort_unstable();
        }
    }

    fn branch(&mut self, step: &Step, guard: Option<bool>, target: usize) {
        let predicate = &self.lanes.columns[step.access.from[0]];
        let takes = |lane: &u8| guard.is_none_or(|guard| (predicate[usize::from(*lane)] != 0) == guard);
        let (gone, stay) = self.lanes.active.iter().partition::<Vec<u8>, _>(|lane| takes(lane));
        self.lanes.active = stay;
        if !gone.is_empty() {
            self.waiting.push((target, gone));
        }
    }

    fn load(&mut self, step: &Step, memory: &mut dyn Memory) -> Result<(), Trap> {
        for &lane in &self.lanes.active {
            let address = self.lanes.columns[step.access.from[0]][usize::from(lane)];
            let aligned = address.is_multiple_of(4);
            let Some(word) = aligned.then(|| memory.load(address)).flatten() else {
                let (block, thread) = (self.block, self.first + u32::from(lane));
                return Err(Trap::Load { address, line: step.line, block, thread });
            };
            self.lanes.columns[step.access.to[0]][usize::from(lane)] = word.into();
        }
        Ok(())
    }

    fn store(&mut self, step: &Step, memory: &mut dyn Memory) -> Result<(), Trap> {
        let [address, value]: [Column; 2] = [step.access.from[0], step.access.from[1]];
        for &lane in &self.lanes.active {
            let address = self.lanes.columns[address][usize::from(lane)];
            let word = low(self.lanes.columns[value][usize::from(lane)]);
            if !address.is_multiple_of(4) || memory.store(address, word).is_none() {
                let (block, thread) = (self.block, self.first + u32::from(lane));
                return Err(Trap::Store { address, line: step.line, block, thread });
            }
        }
        Ok(())
    }
}

impl Function {
    fn compute(self, lanes: &mut Lanes, access: &Access) {
        match self {
            Self::Integer(integer) => integer.compute(lanes, access),
            Self::Logic(logic) => logic.compute(lanes, access),
            Self::Compare(compare) => compare.compute(lanes, access),
            Self::Float(float) => float.compute(lanes, access),
            Self::Approximation(approximation) => approximation.compute(lanes, access),
            Self::Turn(turn) => turn.compute(lanes, access),
            Self::Machine(machine) => machine.compute(lanes, access),
        }
    }
}
