//! The property of specification documents: any text is parsed, resolved and linted without a
//! panic, and every reported position lies inside the text.
//!
//! Random bytes almost never make a definition. So an input is a text, or, if its first byte is
//! odd, a sequence of indices into `PIECES`.

use std::collections::BTreeSet;

use assay_documents::{lint, parse, read, render, resolve};

use crate::{Reached, Violation};

/// Pieces of the language, and text that resembles it.
const PIECES: [&str; 64] = [
    "__DefGroup G : [ALL]\n",
    "__DefOptype X : [G]\n",
    "__DefOptype X : [ALL]\n",
    "__DefOpcode X_R : [X]\n",
    "__DefBitFieldType T<2>\n",
    "__Def",
    "__Encoding\n",
    "__OperandInfo\n",
    "__Exception\n",
    "__Syntax\n",
    "__Semantics\n",
    "__Examples\n",
    "__Description\n",
    "__ModifierInfo\n",
    "```\n",
    "```asm\n",
    "field<0, 8> Reg ra;\n",
    "field<8, 2> T m = A;\n",
    "field<16, 8> SImm8 vb;\n",
    "field<",
    "InList<ra, vb>;\n",
    "OutList<ra>;\n",
    "Order<pg, ra, C[vb, ra]>;\n",
    "Bitwidth<ra> = 32 + (m==\"A\")*32;\n",
    "EncodingError<A, \"b\"> = (m==\"A\") and (m!=\"B\");\n",
    "X{.m}.n Ra, {-}{|}SrcB{.h}{|} $s ;\n",
    ".m = {.A*, .B}\n",
    "X.A R1, -|R2|, 0x10 ; // why\n",
    "X.m Ra, SrcB:\n",
    "    if (Ra == 1) {\n",
    "    } else if (.m == .A) {\n",
    "    while (Ra != 0)\n",
    "    for (i = 0; i < 4; i++) {\n",
    "    switch (.m) {\n",
    "    case .A: break;\n",
    "    Ra[7:0] = mod(SrcB << 32, 1<<64) & 0xff + 1;\n",
    "    c = a > 0.0f ? b : |d|;\n",
    "    return F32[31:24] - 127;\n",
    "    }\n",
    "| .m | .n |\n",
    "|:--|:--|\n",
    "| .A | .B/.C |\n",
    "### COS/SIN.F\n",
    "Ra的默认值是!PT (~) [[Y]] [a](b.md) GPR .X = a & b + c; mod(a, 3) > 3 [a+b:a]\n",
    "## Opcode\n",
    "F = 0x85\n",
    "## Format\n",
    "## Description\n",
    "- **A(ub):** Operand class: b,c\n",
    "- Bit[7..0]: d\n",
    "- 0b01: e\n",
    "## Semantics\n",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ";",
    ",",
    "?",
    ":",
    " ",
    "\n",
];

/// Returns the words of the language, for a dictionary.
pub fn words() -> BTreeSet<String> {
    PIECES.iter().map(|piece| piece.trim()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Returns the text of an input.
fn text(data: &[u8]) -> String {
    match data.split_first() {
        Some((first, choices)) if first % 2 == 1 => {
            choices.iter().map(|choice| PIECES[usize::from(*choice) % PIECES.len()]).collect()
        }
        _ => String::from_utf8_lossy(data).into_owned(),
    }
}

/// Checks the text of an input. Returns [`Reached::Refused`] if the text has neither definitions
/// nor streams. Returns [`Reached::Judged`] even if the parser refuses the text, if all errors
/// point into the text.
///
/// # Errors
///
/// The first violation.
pub fn document(data: &[u8]) -> Result<Reached, Violation> {
    check(&text(data)).map_err(Violation::Document)
}

fn check(text: &str) -> Result<Reached, String> {
    for finding in lint([("text", text)]) {
        if text.get(finding.span.clone()).is_none() {
            return Err(format!("{finding} points outside the text: {:?}", finding.span));
        }
    }
    let lines = text.lines().count();
    match parse("text", text) {
        Ok(document) => {
            let rendered = render(&document).map_err(|error| error.to_string())?;
            let again =
                read([("text", text)]).map_err(|_| "the same text was read and refused".to_owned())?;
            if render(&again).map_err(|error| error.to_string())? != rendered {
                return Err("the same text was read in two ways".to_owned());
            }
            let defines = !(document.definitions.is_empty() && document.streams.is_empty());
            // `resolve` must return, but may report errors.
            let _ = resolve(&document);
            Ok(if defines { Reached::Judged } else { Reached::Refused })
        }
        Err(errors) => match errors.iter().find(|error| !(1..=lines).contains(&(error.at.line as usize))) {
            Some(error) => Err(format!("{error} points outside the text")),
            None => Ok(Reached::Judged),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_of_pieces_reach_the_rules_and_words_do_not() {
        let piece = |wanted: &str| PIECES.iter().position(|piece| *piece == wanted).unwrap() as u8;
        let choices =
            [1, piece("__DefOptype X : [ALL]\n"), piece("__Encoding\n"), piece("field<0, 8> Reg ra;\n")];
        assert_eq!(document(&choices).unwrap(), Reached::Judged);
        assert_eq!(document(b"nothing but words").unwrap(), Reached::Refused);
        assert_eq!(document(b"").unwrap(), Reached::Refused);
        assert_eq!(
            document(b" __Def").unwrap(),
            Reached::Judged,
            "refused, and the error points into the text"
        );
    }

    #[test]
    fn every_single_piece_and_pair_holds() {
        for one in 0..PIECES.len() as u8 {
            for other in 0..PIECES.len() as u8 {
                document(&[1, one, other]).unwrap();
            }
        }
    }
}
