//! A product as a free word, with what is known of it.
//!
//! Two multipliers of different structure are too hard for a solver. A proof cuts at the product:
//! both sides use one free word, whose factors have to be equal on both sides. The proof then holds
//! for each value of the word, and so for the product. Some values are no products, and for them
//! the claim may fail. [`lemmas`] exclude such values. Each lemma is an obligation of its own, of
//! the real product.

use crate::definition::Steps;
use crate::graph::{Bit, Graph};
use crate::word::Word;

/// A product that was replaced.
#[derive(Clone, Debug)]
pub struct Cut {
    /// The first factor.
    pub a: Word,
    /// The second factor.
    pub b: Word,
    /// The free word in place of the product.
    pub product: Word,
}

/// Replaces each product of a definition by a free word.
#[derive(Clone, Debug, Default)]
pub struct ProductCuts {
    /// The products that were replaced, in the order of the definition.
    pub cuts: Vec<Cut>,
}

impl Steps for ProductCuts {
    fn product(&mut self, graph: &mut Graph, a: &Word, b: &Word) -> Word {
        let product = graph.input_word(a.width() + b.width());
        self.cuts.push(Cut { a: a.clone(), b: b.clone(), product: product.clone() });
        product
    }
}

/// Returns statements that hold for the product of two unsigned words, each with a name.
///
/// # Panics
/// If the product is not as wide as both factors together.
pub fn lemmas(graph: &mut Graph, Cut { a, b, product }: &Cut) -> Vec<(&'static str, Bit)> {
    let width = a.width() + b.width();
    assert_eq!(product.width(), width, "the width of the product");
    let (a_zero, b_zero, zero) = (graph.is_zero(a), graph.is_zero(b), graph.is_zero(product));
    let any_zero = graph.or(a_zero, b_zero);
    let differs = graph.xor(zero, any_zero);
    // Factors with their leading bit have a product with one of the two leading bits.
    let leading = graph.and(a.sign(), b.sign());
    let large = graph.or(product.bit(width - 1), product.bit(width - 2));
    let at_least = |graph: &mut Graph, factor: &Word, other_zero: Bit| {
        let below = graph.less(product, &factor.zero_extend(width));
        graph.or(!below, other_zero)
    };
    vec![
        ("the product is 0 exactly if a factor is", !differs),
        ("normal factors have a normal product", graph.or(!leading, large)),
        ("the product is at least the first factor, or the second is 0", at_least(graph, a, b_zero)),
        ("the product is at least the second factor, or the first is 0", at_least(graph, b, a_zero)),
        ("the product is at most the largest one", is_at_most_largest(graph, a.width(), b.width(), product)),
    ]
}

/// Whether a word is at most (2^m − 1)(2^n − 1).
fn is_at_most_largest(graph: &mut Graph, m: usize, n: usize, product: &Word) -> Bit {
    let (first, second) = (Word::repeated(Bit::TRUE, m), Word::repeated(Bit::TRUE, n));
    let largest = graph.multiply(&first, &second);
    !graph.less(&largest, product)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::word::testing::{all_pairs, check_pairs};

    #[test]
    fn each_lemma_holds_for_products() {
        let make = |graph: &mut Graph, a: &Word, b: &Word| {
            let cut = Cut { a: a.clone(), b: b.clone(), product: graph.multiply(a, b) };
            Word::from_bits(lemmas(graph, &cut).into_iter().map(|(_, holds)| holds))
        };
        check_pairs((5, 4), &all_pairs((5, 4)), make, |_, _| 0b11111);
    }

    #[test]
    fn each_lemma_excludes_a_word_that_is_no_product() {
        // Factors of 3 bits, with words that they do not make.
        for (a, b, product, failing) in [
            (1, 1, 0, 0b01101),
            (0, 0, 1, 0b00001),
            (4, 4, 15, 0b00010),
            (6, 1, 5, 0b00100),
            (1, 6, 5, 0b01000),
            (7, 7, 50, 0b10000),
        ] {
            let word = |width, value| Word::constant(width, value);
            let cut = Cut { a: word(3, a), b: word(3, b), product: word(6, product) };
            let holds = lemmas(&mut Graph::default(), &cut).into_iter().map(|(_, holds)| holds);
            assert_eq!((!&Word::from_bits(holds)).as_constant(), Some(failing), "{a} {b} {product}");
        }
    }
}
