//! Measures the cost of each transport: cases per second for each instruction, on one thread, in
//! batches of 1024.
//!
//! `cargo bench -p assay-device`. The model is measured in this process, as a library, and as a
//! separate process in each framing. The example in C is measured as a library and as a process.
//! The last column divides each speed by the model's speed in this process.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use assay_device::protocol::{Framing, Hello, OLDEST, PROTOCOL};
use assay_device::{DevicePool, TransportKind};
use assay_isa::{Answer, Batch, Effects, EncodingTable, Readings, Subject, asm, codec};

const LANES: usize = 1024;
const TIME: Duration = Duration::from_millis(400);
const ROUNDS: usize = 5;
const TEXTS: [&str; 4] =
    ["FADD.FTZ R0, R1, R2", "FFMA.RZ R0, R1, R2, R3", "POPC R0, R1", "@P0 FFMA.FTZ.SAT R0, -R1, |R2|, R3"];

fn main() {
    // The host starts this program again as the process that serves a library.
    if assay_device::library::serve_if_asked().is_some() {
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let built =
        Command::new(env!("CARGO")).args(["build", "--release", "-p", "assay-device", "--examples"]).status();
    assert!(built.is_ok_and(|status| status.success()), "the examples can be built");
    let target = std::env::current_exe().expect("a program has a path");
    let examples = target.ancestors().nth(2).expect("target/release/deps").join("examples");
    let model = examples.join("model_device").display().to_string();
    let mut transports = vec![
        ("model, in process", assay_model::model(EncodingTable::provisional().clone(), Readings::default())),
        ("model, library", device(&format!("lib:{}", examples.join("libmodel_library.so").display()), &BOTH)),
        ("model, shared", device(&format!("exec:{model}"), &ALL)),
        ("model, binary", device(&format!("exec:{model}"), &BOTH)),
        ("model, JSON", device(&format!("exec:{model}"), &[Framing::Json])),
    ];
    let folder = std::env::temp_dir().join(format!("assay-transport-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for what is compiled");
    match in_c(&root, &folder) {
        Some((library, program)) => transports.extend([
            ("C, library", device(&format!("lib:{}", library.display()), &BOTH)),
            ("C, binary", device(&format!("exec:{}", program.display()), &BOTH)),
            ("C, JSON", device(&format!("exec:{}", program.display()), &[Framing::Json])),
        ]),
        None => println!("SKIPPED: 3 transports of the example in C, for there is no C compiler"),
    }
    println!("{:<36} {:<18} {:>14}  of the model", "instruction", "coupling", "cases a second");
    for text in TEXTS {
        let batch = batch(text);
        // The transports are measured in turns, and the best rate of each counts. So other work on
        // the machine affects all transports alike.
        let mut best = vec![0f64; transports.len()];
        for _ in 0..ROUNDS {
            for ((_, subject), best) in transports.iter_mut().zip(&mut best) {
                *best = best.max(rate(subject.as_mut(), &batch));
            }
        }
        for ((name, _), rate) in transports.iter().zip(&best) {
            println!("{text:<36} {name:<18} {rate:>14.0}  {:.2}", rate / best[0]);
        }
    }
    drop(transports);
    std::fs::remove_dir_all(&folder).expect("our own folder");
}

const BOTH: [Framing; 2] = [Framing::Binary, Framing::Json];
const ALL: [Framing; 3] = [Framing::Shared, Framing::Binary, Framing::Json];

fn device(name: &str, framings: &[Framing]) -> Box<dyn Subject> {
    let kind: TransportKind = name.parse().expect("the name of a device");
    let readings =
        Readings::default().iter().map(|(erratum, setting)| (erratum.to_string(), setting)).collect();
    let hello = Hello {
        protocol: OLDEST,
        protocols: vec![OLDEST, PROTOCOL],
        numbers: "bench".into(),
        profile: "intended".into(),
        readings,
        framings: framings.to_vec(),
        memory: None,
    };
    Box::new(
        DevicePool::new(kind, |words| println!("{words}"))
            .subject(hello, EncodingTable::provisional().clone()),
    )
}

/// Compiles the example in C. Returns the paths of the library and of the program. `None` without a
/// C compiler.
fn in_c(root: &Path, folder: &Path) -> Option<(PathBuf, PathBuf)> {
    let (library, program) = (folder.join("device.so"), folder.join("device"));
    let sources = root.join("examples/devices/c");
    let compile = |extra: &[&str], out: &Path, files: &[&str]| {
        let mut cc = Command::new("cc");
        cc.args(["-std=c11", "-O2", "-march=native", "-frounding-math", "-ffp-contract=off"]).args(extra);
        cc.arg("-I").arg(root.join("harness/device/include"));
        cc.args(files.iter().map(|file| sources.join(file))).args(["-lm", "-o"]).arg(out);
        cc.status().is_ok_and(|status| status.success())
    };
    let done = compile(&["-shared", "-fPIC"], &library, &["device.c"])
        && compile(&[], &program, &["device.c", "process.c"]);
    done.then_some((library, program))
}

fn batch(text: &str) -> Batch {
    let instruction = asm::parse(text).expect("an instruction");
    let word = codec::encode(&instruction, EncodingTable::provisional());
    let mut batch = Batch::new(word, &instruction.reads(), LANES);
    let mut state = 1u32;
    for (place, location) in instruction.reads().into_iter().enumerate() {
        for value in batch.column_mut(place) {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            // Normal numbers from 2^-31 up to 2^33. For a predicate, 0 or 1.
            *value = if location.is_predicate() { state >> 31 } else { 0x3000_0000 + (state >> 3) };
        }
    }
    batch
}

/// Returns the rate in cases per second.
fn rate(subject: &mut dyn Subject, batch: &Batch) -> f64 {
    let (began, mut cases, mut effects) = (Instant::now(), 0, Effects::default());
    while began.elapsed() < TIME {
        assert_eq!(subject.execute(batch, &mut effects).expect("an answer"), Answer::Known);
        cases += batch.len();
    }
    cases as f64 / began.elapsed().as_secs_f64()
}
