//! Executes synthetic documents: each construct of pseudo-code, its limits, and patches. The known
//! documents are not in the repository.

mod constructs;
mod limits;
mod patches;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

use assay_documents::eval::{
    Codes, Edition, Evaluator, Halt, LaneInputs, PrepareError, Prepared, Reason, Rules, Specification,
};
use assay_isa::Location;

/// The definitions before the code of the instruction `T`.
const BEFORE: &str = "\
__DefBitFieldType Mode<2>
  LOW;
  HIGH;
  BOTH;

__DefGroup G : [ALL]
  __Encoding
    field<12, 3> Pred pg = PT;
    field<15, 1> Flag pg.not = False;

__DefOptype T : [G]
  __Encoding
    field<16, 8> Reg rd;
    field<24, 8> Reg ra;
    field<32, 8> Reg rb;
    field<80, 2> Mode mode = LOW;
    field<98, 3> Pred pp = PT;
    field<106, 3> Pred pu = PT;

  __ModifierInfo
| .mode | operator |
|:--|:--|
| .LOW | < |
| .HIGH | \\|\\| |

  __Semantics
```
";

/// The definitions after it.
const AFTER: &str = "
```

__DefOpcode T_R : [T]
  __OperandInfo
    InList<pg, ra, rb, pp>;
    OutList<rd, pu>;
    Order<pg, rd, pu, ra, rb, pp>;
    Bitwidth<rd> = 32;
";

/// The head of the routine.
const HEAD: &str = "T.mode Rd, pu, Ra, SrcB, pp:\n";

/// The line of the first statement.
const FIRST_LINE: u32 = 29;

/// The word of `T R0, P0, R1, R2, P1`, with the mode 0.
const WORD: u128 = 7 << 12 | 1 << 24 | 2 << 32 | 1 << 98;

/// The values of a lane.
pub struct Lane<'a> {
    values: &'a [(Location, u32)],
    inputs: &'a [Location],
}

impl LaneInputs for Lane<'_> {
    fn input(&self, index: usize) -> u32 {
        self.read(self.inputs[index]).unwrap_or(0)
    }

    fn read(&self, location: Location) -> Option<u32> {
        self.values.iter().find(|(known, _)| *known == location).map(|(_, value)| *value)
    }
}

/// Returns a document whose instruction `T` has these statements, one a line.
fn document(statements: &str) -> String {
    let mut text = format!("{BEFORE}{HEAD}");
    for line in statements.lines() {
        writeln!(text, "    {line}").unwrap();
    }
    text + AFTER
}

fn evaluator(text: &str, settings: &[(u16, u8)]) -> Evaluator {
    let specification = Arc::new(Specification::read([("t.txt", text)]));
    assert_eq!(specification.errors(), [], "{text}");
    let codes = Codes::new(&specification, [("Flag", 0, "False"), ("Flag", 1, "True")]);
    let rules = Rules::new(settings.iter().copied()).expect("known settings");
    Evaluator::new(Edition::unpatched(specification, rules), codes)
}

/// What a lane wrote, or why it stopped: the line and the reason.
type Ended = Result<BTreeMap<Location, u32>, (u32, Reason)>;

fn run_prepared(prepared: &Prepared, values: &[(Location, u32)]) -> Ended {
    let lane = Lane { values, inputs: prepared.inputs() };
    let mut ended = None;
    prepared.run(std::iter::once(lane), |_, result| {
        ended = Some(match result {
            Ok(writes) => Ok(writes.iter().copied().collect()),
            Err(Halt::Stop(stop)) => Err((prepared.place(&stop).line, stop.reason)),
            Err(Halt::Fault(fault)) => panic!("{fault:?}"),
        });
    });
    ended.expect("one lane")
}

/// Executes `T` in a mode. R1 is `a`, R2 is `b`, P1 is true, and R0 was 0xaaaaaaaa.
fn run_mode(statements: &str, mode: u128, a: u32, b: u32) -> Ended {
    let text = document(statements);
    // With E011 = 2, a source is read once.
    match evaluator(&text, &[(11, 2), (12, 2)]).prepare(WORD | mode << 80) {
        Err(PrepareError::Stopped { stop, at }) => Err((at.line, stop.reason)),
        Err(error) => panic!("{error}"),
        Ok(prepared) => {
            let values = [
                (Location::R(0), 0xaaaa_aaaa),
                (Location::R(1), a),
                (Location::R(2), b),
                (Location::P(1), 1),
            ];
            run_prepared(&prepared, &values)
        }
    }
}

fn run(statements: &str, a: u32, b: u32) -> Ended {
    run_mode(statements, 0, a, b)
}
