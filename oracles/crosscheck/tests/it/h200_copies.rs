//! Checks the copies of the H200's MUFU in C and SystemVerilog, and the programs beside them that
//! compare a copy with the measured digests.
//!
//! `BLESS=1 cargo test -p assay-crosscheck --test it h200_copies` writes the tables of the copies. The
//! ignored test compares the copies with all digests: `just as-measured`.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

use tempfile::TempDir;

use crate::h200::{HALVES, SELECTED};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/h200");

/// A table of `mufu_h200.rs`: its name in capitals, its number of rows, and the text of its rows.
struct Table {
    name: String,
    rows: String,
    text: String,
}

/// Returns the tables of `mufu_h200.rs`.
fn tables() -> Vec<Table> {
    let source = read("mufu_h200.rs");
    let statics = source.split("\nstatic ").skip(1);
    let tables = statics.map(|table| {
        let (name, rest) = table.split_once("_ROWS: [Row; ").expect("its name");
        let (rows, rest) = rest.split_once("] = ").expect("its number of rows");
        let (text, _) = rest.split_once(';').expect("its end");
        Table { name: name.to_owned(), rows: rows.to_owned(), text: text.to_owned() }
    });
    tables.collect()
}

fn read(name: &str) -> String {
    fs::read_to_string(Path::new(FOLDER).join(name)).expect("a file of the unit")
}

fn in_c(table: &Table) -> String {
    let Table { name, rows, text } = table;
    let text = text.replace('[', "{").replace(']', "}");
    format!("static const int32_t mufu_h200_{}_rows[{rows}][3] = {text};\n", name.to_lowercase())
}

fn in_systemverilog(table: &Table) -> String {
    let Table { name, rows, text } = table;
    let capitalised = |word: &str| word[..1].to_owned() + &word[1..].to_lowercase();
    let name: String = name.split('_').map(capitalised).collect();
    let text = text.replace('[', "'{").replace(",\n]", "\n]").replace(']', "}");
    format!("localparam logic signed [31:0] {name}Rows [{rows}][3] = {text};\n")
}

/// The tables of the copies are those of `mufu_h200.rs`.
#[test]
fn the_tables_of_the_copies_are_current() {
    let tables = tables();
    assert_eq!(tables.len(), 9);
    check_tables(
        "mufu_h200.h",
        ["/* Tables of mufu_h200.rs. */\n", "/* End of the tables. */"],
        &tables.iter().map(in_c).collect::<String>(),
    );
    check_tables(
        "mufu_h200.sv",
        ["// Tables of mufu_h200.rs.\n", "// End of the tables."],
        &tables.iter().map(in_systemverilog).collect::<String>(),
    );
}

/// Asserts that a copy has these tables between two lines. With `BLESS`, writes them first.
fn check_tables(file: &str, [begin, end]: [&str; 2], tables: &str) {
    let committed = read(file);
    let (before, rest) = committed.split_once(begin).expect("the begin of the tables");
    let (_, after) = rest.split_once(end).expect("the end of the tables");
    let current = format!("{before}{begin}{tables}{end}{after}");
    if env::var_os("BLESS").is_some() {
        fs::write(Path::new(FOLDER).join(file), &current).expect("the copy is written");
    }
    assert!(read(file) == current, "run `BLESS=1 cargo test -p assay-crosscheck --test it h200_copies`");
}

/// A program that compares a copy with the digests.
enum Check {
    C,
    Rust,
    SystemVerilog,
}

impl Check {
    /// Compiles the program `check` into a temporary folder. `make`, which Verilator starts, takes no
    /// path with a blank.
    fn compile(&self) -> TempDir {
        let folder = TempDir::new().expect("a folder");
        let (compiler, options) = match self {
            Check::C => ("cc", "-O2 -std=c99 -Wall -Wextra -Werror check.c"),
            Check::Rust => ("rustc", "-O --edition 2021 -Dwarnings check.rs"),
            // The file has a package and a module, which is not used here.
            Check::SystemVerilog => (
                "verilator",
                "--binary -O3 -CFLAGS -O2 -Wall -Wno-DECLFILENAME -Wno-UNUSEDPARAM -Wno-UNUSEDSIGNAL \
                 --top-module check mufu_h200.sv check.sv --Mdir",
            ),
        };
        let mut command = Command::new(compiler);
        command.args(options.split_whitespace());
        if let Check::SystemVerilog = self {
            command.arg(folder.path());
        }
        let output = command
            .arg("-o")
            .arg(folder.path().join("check"))
            .current_dir(FOLDER)
            .output()
            .expect("the compiler starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        folder
    }

    /// Compares blocks of a function, or all of it, with the measured digests. Returns what the
    /// program prints, or an error if its exit status is not 0.
    fn run(&self, folder: &TempDir, function: &str, block: Option<usize>) -> Result<String, String> {
        self.run_with(folder, Path::new("digests.txt"), function, block)
    }

    /// Like [`Check::run`], with a file of digests.
    fn run_with(
        &self,
        folder: &TempDir,
        digests: &Path,
        function: &str,
        block: Option<usize>,
    ) -> Result<String, String> {
        let mut command = Command::new(folder.path().join("check"));
        match (self, block) {
            (Check::SystemVerilog, _) => {
                command.arg(format!("+digests={}", digests.display())).arg(format!("+function={function}"));
                command.args(block.map(|block| format!("+block={block}")));
            }
            (_, None) => drop(command.arg(digests).arg(function)),
            (_, Some(block)) => drop(command.arg(digests).arg(format!("{function}:{block}"))),
        }
        let output = command.current_dir(FOLDER).output().expect("the program starts");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        if output.status.success() { Ok(said) } else { Err(said) }
    }

    /// Asserts that the program notices a digest that is not that of the results: otherwise it would
    /// compare nothing.
    fn check_notices(&self, folder: &TempDir) {
        let wrong = folder.path().join("wrong-digests.txt");
        fs::write(&wrong, read("digests.txt").replace("RCP.F32\n0", "RCP.F32\n1")).expect("a file");
        let said = self.run_with(folder, &wrong, "RCP.F32", Some(0)).expect_err("a wrong digest");
        assert!(said.contains("RCP.F32: a result for the inputs from 00000000 on is not"), "{said}");
        assert!(said.contains("1 blocks compared, 1 wrong"), "{said}");
    }

    /// Asserts that the selected blocks of each function are as measured, and that a block which the
    /// file of digests does not have is an error.
    fn check_selected(&self) {
        let program = self.compile();
        let halves = HALVES.iter().map(|(function, dtype)| (format!("{function}.{dtype}"), 0));
        let blocks = SELECTED
            .iter()
            .flat_map(|(name, blocks)| blocks.iter().map(|block| ((*name).to_owned(), *block)));
        for (function, block) in blocks.chain(halves) {
            let said = self.run(&program, &function, Some(block)).expect("as measured");
            assert!(said.contains("1 blocks compared, 0 wrong"), "{function}: {said}");
        }
        self.run(&program, "RCP.F32", Some(512)).expect_err("there is no such block");
        self.check_notices(&program);
    }
}

#[test]
fn the_copy_in_c_is_as_measured() {
    Check::C.check_selected();
}

/// The library has the file of Rust itself. So a part of the blocks suffices here.
#[test]
fn the_program_in_rust_compares_what_it_is_asked() {
    let program = Check::Rust.compile();
    for function in ["TANH.F16", "RCP.F32"] {
        let said = Check::Rust.run(&program, function, Some(0)).expect("as measured");
        assert_eq!(said, "1 blocks compared, 0 wrong\n");
    }
    Check::Rust.run(&program, "TANH.F16", Some(1)).expect_err("there is no such block");
    Check::Rust.check_notices(&program);
}

#[test]
fn the_copy_in_systemverilog_is_as_measured() {
    if Command::new("verilator").arg("--version").output().is_err() {
        assay_testing::skip(
            "verilator",
            "MUFU of an H200 in SystemVerilog: apt-get install verilator make g++",
        );
        return;
    }
    Check::SystemVerilog.check_selected();
}

/// In Rust the library is the copy. In SystemVerilog the selected blocks must suffice.
#[test]
#[ignore = "2^32 inputs of ten functions: `just as-measured`"]
fn every_result_of_the_copy_in_c_is_as_measured() {
    let program = Check::C.compile();
    let compare = |function: &str| {
        let said = Check::C.run(&program, function, None).expect("as measured");
        assert!(said.contains("512 blocks compared, 0 wrong"), "{function}: {said}");
    };
    std::thread::scope(|scope| {
        // Two threads, which take every second function each.
        for first in 0..2 {
            let functions = SELECTED.iter().skip(first).step_by(2);
            scope.spawn(move || functions.for_each(|(function, _)| compare(function)));
        }
    });
}
