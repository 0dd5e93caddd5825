//! The functions of the formulas, following the manual's explanations.

use assay_isa::{Location, Source};

use crate::formulas::eval::Machine;
use crate::formulas::eval::Value::{self, Int, Real, Symbol};
use crate::formulas::float;
use crate::formulas::parse::Expr;

impl Machine<'_> {
    /// Returns the operand that an argument names.
    fn operand(&self, argument: &Expr) -> assay_isa::Operand {
        let name = match argument {
            Expr::Name(name) | Expr::Index(name, _) => name.as_str(),
            other => panic!("{other:?} is no operand"),
        };
        self.instruction.operand(self.names[name])
    }

    pub fn call(&mut self, name: &str, arguments: &[Expr]) -> Value {
        let Some(first) = arguments.first().cloned() else {
            return match name {
                "tiny" => Int(self.tiny.into()),
                "below" => Int(self.below.into()),
                _ => panic!("{name} takes arguments"),
            };
        };
        match name {
            "negated" => return Int(self.operand(&first).neg.into()),
            "register" => {
                return Int(matches!(self.operand(&first).source, Source::Reg(_) | Source::UReg(_)).into());
            }
            "immediate" => return Int(matches!(self.operand(&first).source, Source::Imm(_)).into()),
            "constant" => return Int(matches!(self.operand(&first).source, Source::Const { .. }).into()),
            "overlaps" => {
                let [a, b] = [&first, &arguments[1]].map(|a| self.operand(a).source);
                return Int((a.location().is_some() && a == b).into());
            }
            "plain" => {
                let Expr::Name(alias) = &first else { panic!("plain names an operand") };
                return Int(self.operands[alias.as_str()].1);
            }
            "old" => {
                let Expr::Name(alias) = &first else { panic!("old names a destination") };
                return Int(self.operands[alias.as_str()].0);
            }
            "selected" => {
                let byte = self.operand(&first).byte.map_or(0, |byte| byte as u32);
                return Int(self.integer(&first) >> (8 * byte) & 0xff);
            }
            "address" => return Int(self.address(&first)),
            "load" => {
                let (at, size) = (self.integer(&arguments[1]), self.integer(&arguments[2]));
                return Int(self.load(&first, at as u32, size as u32));
            }
            "extended" => {
                let (value, signed) = (self.integer(&first), self.is_true(&arguments[1]));
                let is_literal = matches!(self.operand(&first).source, Source::Imm(_));
                let is_negative = is_literal && signed && value >> 15 == 1;
                return Int(if is_negative { value | 0xffff_0000 } else { value });
            }
            _ => {}
        }
        let values: Vec<Value> = arguments.iter().map(|argument| self.value(argument)).collect();
        self.computed(name, &values)
    }

    fn computed(&mut self, name: &str, values: &[Value]) -> Value {
        let bits = |index: usize| match &values[index] {
            Int(i) => *i as u32,
            other => panic!("{name}: {other:?}"),
        };
        let symbol = |index: usize| match &values[index] {
            Symbol(name) => name.as_str(),
            other => panic!("{name}: {other:?}"),
        };
        let integer = |index: usize| match &values[index] {
            Int(i) => *i,
            other => panic!("{name}: {other:?}"),
        };
        let is_nan = |bits: u32| f32::from_bits(bits).is_nan();
        let rounded = match name {
            "add" => Some(float::add(bits(0), bits(1), symbol(2))),
            "mul" => Some(float::multiply(bits(0), bits(1), integer(2) as i32, symbol(3))),
            "fma" => Some(float::fma(bits(0), bits(1), bits(2), 0, symbol(3))),
            _ => None,
        };
        if let Some(rounded) = rounded {
            (self.tiny, self.below) = (rounded.tiny, rounded.below);
            return Int(rounded.bits.into());
        }
        let word: u32 = match name {
            "number" => return Real(f32::from_bits(bits(0)).into()),
            "order" => return Int(float::order(bits(0))),
            "signed" => return Int((bits(0) as i32).into()),
            "abs" => return Int(integer(0).abs()),
            "min" => return Int(integer(0).min(integer(1))),
            "max" => return Int(integer(0).max(integer(1))),
            "bit" => return Int(integer(0) >> integer(1) & 1),
            "leading" => return Int(127 - i128::from(integer(0).leading_zeros())),
            "power" => {
                let list = ["D8", "D4", "D2", "NoScale", "M2", "M4", "M8"];
                return Int(list.iter().position(|s| *s == symbol(0)).expect("a scale") as i128 - 3);
            }
            "byte" => symbol(0)[1..].parse().expect("B0 to B3"),
            "popcount" => bits(0).count_ones(),
            "reverse" => bits(0).reverse_bits(),
            "half" => {
                if is_nan(bits(0)) {
                    float::half_of_nan(self.convention(6), bits(0))
                } else {
                    float::half(bits(0))
                }
            }
            "isnan" => is_nan(bits(0)).into(),
            "signals" => float::signals(bits(0)).into(),
            "nan_of" => {
                let operands: Vec<u32> = (0..values.len()).map(bits).collect();
                float::nan_of([1, 2].map(|number| self.convention(number)), &operands)
            }
            "flush" => {
                let x = f32::from_bits(bits(0));
                if x.is_subnormal() { bits(0) & 0x8000_0000 } else { bits(0) }
            }
            "saturate" => match f32::from_bits(bits(0)) {
                x if x.is_nan() || x.is_sign_negative() => 0,
                x => x.min(1.0).to_bits(),
            },
            "lut3" => {
                let [table, a, b, c] = [bits(0), bits(1), bits(2), bits(3)];
                let at = |i: u32| table >> (4 * (a >> i & 1) + 2 * (b >> i & 1) + (c >> i & 1)) & 1;
                (0..32).map(|i| at(i) << i).sum()
            }
            "elements" => symbol(0).parse().expect("a number of elements"),
            "code" => symbol(0).parse::<u32>().expect("a number of elements").ilog2(),
            "number_of" => symbol(0)[1..2].parse::<u32>().expect("Mk") - 1,
            "number_of_mask" => {
                symbol(0)[1..2].parse::<u32>().expect("Mk") - 1 + 8 * u32::from(symbol(0).ends_with("_NM"))
            }
            "dispatched" => symbol(0).ends_with("_NM").into(),
            _ => panic!("the function {name} is not explained"),
        };
        Int(word.into())
    }

    fn address(&self, place: &Expr) -> i128 {
        let source = self.operand(place).source;
        let (offset, width) = match source {
            Source::ConstAt { offset, .. } => (offset, 17),
            Source::URegAt { offset, .. } => (offset, 7),
            other => panic!("{other:?} has no address"),
        };
        let offset =
            if offset >> (width - 1) == 1 { i128::from(offset) - (1 << width) } else { offset.into() };
        let base = source.base().map_or(0, |location| i128::from(self.before[&location]));
        (base + offset).rem_euclid(1 << 32)
    }

    fn load(&self, place: &Expr, at: u32, size: u32) -> i128 {
        let Source::ConstAt { bank, .. } = self.operand(place).source else { panic!("no constant") };
        let byte = |at: u32| {
            let word = self.now(Location::C { bank, offset: at & !3 });
            u128::from(word >> (8 * (at % 4)) & 0xff)
        };
        let value: u128 = (0..size).map(|i| byte(at + i) << (8 * i)).sum();
        value as i128
    }
}
