//! Checks that written traces can be read, and that damage is reported.

use std::path::{Path, PathBuf};

use arbitrary::Unstructured;
use assay_engine::generate::{self, Scope};
use assay_isa::effect::{Action, Fault, Lanes};
use assay_isa::{
    Answer, Batch, Effects, EncodingTable, Erratum, Event, Instruction, Location, Readings, asm, codec,
};
use proptest::prelude::*;

use super::error::Problem;
use super::fuzzing::{Row, row};
use super::{Digest, GROUP_ROWS, Header, Reader, TraceError, TraceWriter};

/// A batch with its instruction, its PTX and its effects.
type Recorded = (Instruction, Option<&'static str>, Batch, Effects);

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Place {
        Place(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, recorded: &[Recorded]) -> (PathBuf, Header) {
        let path = self.path(name);
        let header =
            Header { device: "a test".into(), date: "2026-01-02T03:04:05Z".into(), ..Header::default() };
        let mut writer = TraceWriter::create(&path, header).unwrap();
        for (instruction, ptx, batch, effects) in recorded {
            writer.record(instruction, *ptx, batch, effects).unwrap();
        }
        let header = writer.finish().unwrap();
        (path, header)
    }
}

fn rows(recorded: &[Recorded]) -> Vec<Row> {
    let all = recorded.iter().flat_map(|(instruction, ptx, batch, effects)| {
        (0..batch.len()).map(move |lane| row(instruction, *ptx, batch, effects, lane))
    });
    all.collect()
}

/// Reads a whole trace and checks its hash.
fn read(path: &Path) -> Result<Vec<Row>, TraceError> {
    let reader = Reader::open(path)?;
    let (mut rows, mut digest) = (Vec::new(), Digest::default());
    for index in 0..reader.groups() {
        let group = reader.group(index, EncodingTable::provisional())?;
        digest.add(&group.content);
        for run in &group.runs {
            assert_eq!((run.first, reader.group_of(run.first)), (rows.len() as u64, index));
            let lanes = 0..run.batch.len();
            rows.extend(
                lanes.map(|lane| row(&run.instruction, run.ptx.as_deref(), &run.batch, &run.effects, lane)),
            );
        }
    }
    reader.check_hash(digest)?;
    Ok(rows)
}

/// Returns the model's effects on generated lanes, for an instruction of each picked mode.
fn of_the_model(lanes: usize, pick: impl Fn(usize) -> bool) -> Vec<Recorded> {
    let numbers = EncodingTable::provisional();
    let mut model = assay_model::model(numbers.clone(), Readings::INTENDED);
    let (mut recorded, mut bytes) = (Vec::new(), Vec::new());
    for (index, mode) in Scope::everything().modes().enumerate().filter(|(index, _)| pick(*index)) {
        let (mut batch, mut effects) = (Batch::default(), Effects::default());
        let scope = Scope::filtered(|other| other == mode);
        let draw = |u: &mut Unstructured<'_>| scope.instruction(u);
        let instruction =
            generate::from_stream((1, index as u64), numbers, lanes, &mut bytes, &mut batch, draw).unwrap();
        if model.execute(&batch, &mut effects).unwrap() == Answer::Known {
            recorded.push((instruction, None, batch, effects));
        }
    }
    recorded
}

#[test]
fn every_mode_reads_back_as_the_model_did_it() {
    let recorded = of_the_model(17, |_| true);
    let forms: std::collections::BTreeSet<_> = recorded.iter().map(|(i, ..)| i.form().name).collect();
    assert_eq!(forms.len(), assay_isa::catalog().forms.len(), "every form is recorded");
    let place = Place::new();
    let (path, header) = place.write("all.parquet", &recorded);
    let rows = rows(&recorded);
    assert_eq!(header.cases, rows.len() as u64);
    assert_eq!(Reader::open(&path).unwrap().header(), &header);
    let back = read(&path).unwrap();
    for (number, (wrote, read)) in rows.iter().zip(&back).enumerate() {
        assert_eq!(wrote, read, "row {number}");
    }
    assert_eq!(rows.len(), back.len());
}

fn assemble(text: &str) -> (Instruction, u128) {
    let instruction = asm::parse(text).unwrap();
    let word = codec::encode(&instruction, EncodingTable::provisional());
    (instruction, word)
}

/// Returns an instruction whose effects are copies of register values. Some lanes are not written.
fn moves(text: &str, ptx: Option<&'static str>, lanes: usize) -> Recorded {
    let (instruction, word) = assemble(text);
    let mut batch = Batch::new(word, &instruction.reads(), lanes);
    for place in 0..instruction.reads().len() {
        let column = batch.column_mut(place);
        column
            .iter_mut()
            .enumerate()
            .for_each(|(lane, value)| *value = (lane as u32).wrapping_mul(0x9e37_79b9));
    }
    let mut effects = Effects::default();
    effects.reset(lanes);
    let column = effects.write(Location::R(0), Lanes::Some((0..lanes).map(|lane| lane % 3 > 0).collect()));
    column.iter_mut().enumerate().for_each(|(lane, value)| *value = lane as u32);
    (instruction, ptx, batch, effects)
}

#[test]
fn rows_beyond_a_group_go_to_the_next() {
    let place = Place::new();
    let recorded = [
        moves("FADD R0, R1, R2", None, GROUP_ROWS - 5),
        moves("FADD R0, R1, R2", Some("add.f32 %o0, %i0, %i1;"), 12),
        moves("FMUL R0, R1, R2", None, GROUP_ROWS + 3),
    ];
    let (path, header) = place.write("long.parquet", &recorded);
    let reader = Reader::open(&path).unwrap();
    assert_eq!((reader.groups(), header.cases), (3, 2 * GROUP_ROWS as u64 + 10));
    assert!(read(&path).unwrap() == rows(&recorded));
    let none = place.write("none.parquet", &[]).0;
    assert!(read(&none).unwrap().is_empty());
}

#[test]
fn the_hash_is_about_rows_and_not_about_batches() {
    let place = Place::new();
    let halves = |at: usize| {
        let (instruction, ptx, batch, effects) = moves("FADD R0, R1, R2", None, 10);
        let part = |range: std::ops::Range<usize>| {
            let mut part = Batch::new(batch.word(), batch.locations(), range.len());
            for (index, location) in batch.locations().iter().enumerate() {
                part.column_mut(index).copy_from_slice(&batch.column(*location).unwrap()[range.clone()]);
            }
            let mut some = Effects::default();
            some.reset(range.len());
            let column = &effects.columns()[0];
            let written = Lanes::Some(range.clone().map(|lane| column.written.contains(lane)).collect());
            some.write(column.location, written).copy_from_slice(&column.values[range]);
            (instruction.clone(), ptx, part, some)
        };
        place.write(&format!("{at}.parquet"), &[part(0..at), part(at..10)]).1.hash
    };
    assert_eq!(halves(3), halves(7));
    let other = place.write("other.parquet", &[moves("FADD R0, R1, R2", None, 11)]).1.hash;
    assert_ne!(halves(3), other);
}

fn any_event() -> impl Strategy<Value = Event> {
    prop_oneof![
        Just(Event::Fault(Fault::Misaligned)),
        Just(Event::Fault(Fault::RegisterIndex)),
        any::<u16>().prop_map(|number| Event::Executed(Action::Trigger(number))),
    ]
}

/// Returns any effects of one of a few instructions, with any written locations and any events.
fn any_recorded() -> impl Strategy<Value = Recorded> {
    let texts = ["FADD R0, R1, R2", "NOP", "@P0 LOP3.LUT R4, R1, R2, R3, 0x96", "MUFU.RCP.F32 R0, R1"];
    let texts = texts.into_iter().filter(|text| asm::parse(text).is_ok()).collect::<Vec<_>>();
    let ptx = prop_oneof![Just(None), Just(Some("add.f32 %o0, %i0, %i1;")), Just(Some(""))];
    let lane = (
        any::<[u32; 4]>(),
        any::<[u32; 3]>(),
        any::<[bool; 3]>(),
        proptest::option::weighted(0.2, any_event()),
        any::<u8>(),
    );
    (proptest::sample::select(texts), ptx, proptest::collection::vec(lane, 0..40)).prop_map(
        |(text, ptx, lanes)| {
            let (instruction, word) = assemble(text);
            let reads = instruction.reads();
            let mut batch = Batch::new(word, &reads, lanes.len());
            let fit =
                |location: Location, value: u32| if location.is_predicate() { value & 1 } else { value };
            for (place, location) in reads.iter().enumerate() {
                let column = batch.column_mut(place);
                column.iter_mut().zip(&lanes).for_each(|(to, lane)| *to = fit(*location, lane.0[place]));
            }
            let mut effects = Effects::default();
            effects.reset(lanes.len());
            // One location has two columns. The later one counts.
            for (place, location) in [Location::R(0), Location::P(3), Location::R(0)].into_iter().enumerate()
            {
                let written = Lanes::Some(lanes.iter().map(|lane| lane.2[place]).collect());
                let column = effects.write(location, written);
                column.iter_mut().zip(&lanes).for_each(|(to, lane)| *to = fit(location, lane.1[place]));
            }
            for (number, (.., event, seed)) in lanes.iter().enumerate() {
                event.iter().for_each(|event| effects.event(number, *event));
                if seed % 7 == 0 {
                    effects.undefine(number, Erratum(u16::from(*seed)));
                }
            }
            (instruction, ptx, batch, effects)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_recorded_is_read(recorded in proptest::collection::vec(any_recorded(), 0..6)) {
        let place = Place::new();
        let (path, _) = place.write("any.parquet", &recorded);
        prop_assert_eq!(read(&path).unwrap(), rows(&recorded));
    }
}

/// Returns the bytes of a small trace in which everything possible occurs.
fn small(place: &Place) -> Vec<u8> {
    let mut recorded = of_the_model(5, |index| index % 97 == 0);
    recorded.push(moves("FADD R0, R1, R2", Some("add.f32 %o0, %i0, %i1;"), 50));
    std::fs::read(place.write("small.parquet", &recorded).0).unwrap()
}

#[test]
fn a_file_cut_off_anywhere_is_an_error() {
    let place = Place::new();
    let whole = small(&place);
    let path = place.path("cut.parquet");
    for length in (0..whole.len()).step_by(whole.len() / 200).chain([whole.len() - 1]) {
        std::fs::write(&path, &whole[..length]).unwrap();
        let error = read(&path).unwrap_err();
        assert!(matches!(error.problem, Problem::NotParquet(_)), "{length}: {error}");
        assert!(error.to_string().contains("cut.parquet"), "{error}");
    }
}

#[test]
fn a_damaged_file_is_an_error_or_the_same_rows() {
    let place = Place::new();
    let whole = small(&place);
    let original = read(&place.path("small.parquet")).unwrap();
    let (path, refused) = (place.path("damaged.parquet"), std::cell::Cell::new(0));
    proptest!(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() },
        |(flips in proptest::collection::vec((0..whole.len(), 1..=255u8), 1..4), tail in any::<bool>())| {
        let mut bytes = whole.clone();
        for (at, flip) in flips {
            // Half of the changes are in the metadata at the end of the file.
            let at = if tail { whole.len() - 1 - at % (whole.len() / 4) } else { at };
            bytes[at] ^= flip;
        }
        std::fs::write(&path, &bytes).unwrap();
        match read(&path) {
            Ok(rows) => prop_assert!(rows == original, "rows changed and nothing was said"),
            Err(error) => {
                refused.set(refused.get() + 1);
                prop_assert!(!error.to_string().is_empty());
            }
        }
    });
    assert!(refused.get() > 500, "{} damaged files were refused", refused.get());
}

#[test]
fn foreign_files_are_told_apart() {
    use parquet::file::metadata::KeyValue;
    use parquet::file::properties::WriterProperties;
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;

    let place = Place::new();
    let header = |version: u32| {
        let header = Header { version, ..Header::default() };
        KeyValue::new(super::header::KEY.to_owned(), serde_json::to_string(&header).unwrap())
    };
    let texts = "required binary instruction (UTF8); required binary word (UTF8); optional binary ptx (UTF8);
        required binary reads (UTF8); required binary writes (UTF8);";
    let list = |name: &str, element: &str| {
        format!("required group {name} (LIST) {{ repeated group list {{ optional {element} item; }} }}")
    };
    let whole = format!(
        "{texts} {} {} optional binary event (UTF8);",
        list("inputs", "int32"),
        list("outputs", "int32")
    );
    let wide = whole.replace(&list("outputs", "int32"), &list("outputs", "int64"));
    let renamed = whole.replace("binary word", "binary code");
    let (short, long) = (texts.to_owned(), format!("{whole} required int32 more;"));
    let key = |version| Some(header(version));
    let cases: &[(&str, Option<KeyValue>, &str)] = &[
        (&whole, None, "assay trace capture"),
        (&whole, key(3), "trace format 3"),
        (&whole, Some(KeyValue::new("assay.trace".to_owned(), "{".to_owned())), "record the trace again"),
        (&wide, key(1), "column 7 is `outputs a group` where `outputs LIST<UINT32 NULL>` belongs"),
        (&renamed, key(1), "column 2 is `code BYTE_ARRAY` where `word TEXT` belongs"),
        (&short, key(1), "column 6 is missing where `inputs LIST<UINT32>` belongs"),
        (&long, key(1), "column 9 is `more INT32` where `the end` belongs"),
        (&whole, key(1), ""),
        (&whole, key(2), ""),
    ];
    for (schema, header, hint) in cases {
        let path = place.path("foreign.parquet");
        let schema = std::sync::Arc::new(parse_message_type(&format!("message any {{ {schema} }}")).unwrap());
        let properties =
            WriterProperties::builder().set_key_value_metadata(header.clone().map(|pair| vec![pair]));
        let file = std::fs::File::create(&path).unwrap();
        SerializedFileWriter::new(file, schema, properties.build().into()).unwrap().close().unwrap();
        match Reader::open(&path) {
            Ok(_) => assert!(hint.is_empty(), "{hint}"),
            Err(error) => {
                assert!(!hint.is_empty() && error.to_string().contains(hint), "{error} lacks `{hint}`")
            }
        }
    }
}

#[test]
fn rows_that_contradict_themselves_are_told() {
    // These recorded rows contradict themselves: a predicate of 2, a missing input, and another
    // instruction's word.
    let place = Place::new();
    let (path, _) = place.write("one.parquet", &[moves("FADD R0, R1, R2", None, 3)]);
    let mut wide = moves("@P0 FADD R0, R1, R2", None, 3);
    wide.2.column_mut(0).fill(2);
    wide.2.column_mut(1).fill(2);
    wide.2.column_mut(2).fill(2);
    let (predicate, _) = place.write("two.parquet", &[wide]);
    let error = read(&predicate).unwrap_err().to_string();
    assert!(error.contains("row 0") && error.contains("a predicate is 0 or 1"), "{error}");
    let (instruction, word) = assemble("FADD R0, R1, R2");
    let batch = Batch::new(word, &[Location::R(1)], 1);
    let mut effects = Effects::default();
    effects.reset(1);
    let (lacking, _) = place.write("three.parquet", &[(instruction.clone(), None, batch, effects.clone())]);
    let error = read(&lacking).unwrap_err().to_string();
    assert!(error.contains("`reads` lacks R2"), "{error}");
    let batch = Batch::new(word ^ 1 << 127 ^ 1, &instruction.reads(), 1);
    let (foreign, _) = place.write("four.parquet", &[(instruction, None, batch, effects)]);
    let error = read(&foreign).unwrap_err().to_string();
    assert!(error.contains("row 0 (row group 0)"), "{error}");
    assert!(read(&path).is_ok());
    assert!(matches!(Reader::open(&place.path("no.parquet")).err().unwrap().problem, Problem::Io(_)));
}
