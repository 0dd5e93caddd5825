//! Helpers: a kernel around some instructions, and the memory in which it runs.

use assay_ptx::{Launch, Memory, Module, ParseError};

/// Memory of words that begins at address 0.
pub struct Words(pub Vec<u32>);

impl Words {
    fn index(&self, address: u64) -> Option<usize> {
        let index = usize::try_from(address / 4).ok()?;
        (index < self.0.len()).then_some(index)
    }
}

impl Memory for Words {
    fn load(&self, address: u64) -> Option<u32> {
        self.index(address).map(|index| self.0[index])
    }

    fn store(&mut self, address: u64, word: u32) -> Option<()> {
        let index = self.index(address)?;
        self.0[index] = word;
        Some(())
    }
}

/// Number of input words of a thread. A thread has the same number of output words.
const WORDS: usize = 5;

const REGISTERS: &str = "
    .reg .b64 %inputs, %outputs, %place, %d<4>;
    .reg .b32 %thread, %i<5>, %o<5>, %t<8>;
    .reg .b16 %h<4>;
    .reg .f64 %e<4>;
    .reg .pred %p<4>;
    ld.param.u64 %inputs, [inputs];
    ld.param.u64 %outputs, [outputs];
    mov.u32 %thread, %tid.x;
    mul.wide.u32 %place, %thread, 20;
    add.u64 %inputs, %inputs, %place;
    add.u64 %outputs, %outputs, %place;
";

/// Returns the text of a kernel with this body. Each thread reads the words `%i0` to `%i4`, and
/// writes those of `%o0` to `%o4` that occur in the body.
pub fn text(body: &str) -> String {
    use std::fmt::Write;
    let mut text = ".version 8.2\n.target sm_90\n.address_size 64\n\
                    .visible .entry k(.param .u64 inputs, .param .u64 outputs) {"
        .to_owned();
    text += REGISTERS;
    for index in 0..WORDS {
        write!(text, "    ld.global.b32 %i{index}, [%inputs];\n    add.u64 %inputs, %inputs, 4;\n").unwrap();
    }
    for line in body.split_inclusive(';') {
        writeln!(text, "    {}", line.trim()).unwrap();
    }
    for index in 0..WORDS {
        if body.contains(&format!("%o{index}")) {
            writeln!(text, "    st.global.b32 [%outputs], %o{index};").unwrap();
        }
        text += "    add.u64 %outputs, %outputs, 4;\n";
    }
    text + "    ret;\n}\n"
}

/// Returns the results of a body for each row of inputs. Each row has one thread.
pub fn run<const N: usize>(body: &str, rows: &[[u32; N]]) -> Vec<[u32; WORDS]> {
    run_module(Module::parse(&text(body)), body, rows)
}

/// Returns the results of a body, like [`run`]. The body may have the statements for machine
/// instructions that PTX lacks.
pub fn run_machine<const N: usize>(body: &str, rows: &[[u32; N]]) -> Vec<[u32; WORDS]> {
    run_module(Module::parse_machine(&text(body)), body, rows)
}

fn run_module<const N: usize>(
    module: Result<Module, ParseError>,
    body: &str,
    rows: &[[u32; N]],
) -> Vec<[u32; WORDS]> {
    let module = module.unwrap_or_else(|error| panic!("{body}: {error}"));
    let mut words = Words(vec![0; rows.len() * WORDS * 2]);
    for (row, place) in rows.iter().zip(words.0.chunks_mut(WORDS)) {
        place[..N].copy_from_slice(row);
    }
    let launch = Launch { blocks: 1, threads: rows.len().try_into().unwrap() };
    let outputs = rows.len() * WORDS * 4;
    module.kernel("k").unwrap().run(&launch, &[0, outputs as u64], &mut words).unwrap();
    words.0[rows.len() * WORDS..].chunks(WORDS).map(|row| row.try_into().unwrap()).collect()
}

/// Returns the `%o0` of a body.
pub fn word(body: &str, inputs: &[u32]) -> u32 {
    let mut row = [0; WORDS];
    row[..inputs.len()].copy_from_slice(inputs);
    run(body, &[row])[0][0]
}

/// Compares the values that bodies write to `%o0` with a table of inputs and outputs.
pub fn check<const N: usize>(rows: &[(&str, [u32; N], u32)]) {
    for (body, inputs, expected) in rows {
        let found = word(body, inputs);
        assert_eq!(found, *expected, "{body} of {inputs:x?}: {found:#x}, expected {expected:#x}");
    }
}
