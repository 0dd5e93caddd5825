//! Mutations of JSON documents. A random change of a byte hardly ever leaves a document that a
//! reader accepts.

use arbitrary::{Result as Drawn, Unstructured};
use serde_json::{Map, Value, json};

use assay_engine::generate::stream;

/// Number of random bytes that one mutation may use.
const CHOICES: usize = 1024;

/// Returns the JSON document in `data` with one change, as compact JSON. If `data` is no JSON, one
/// seed in 16 returns one of the JSON documents in `bases` with a change. The result depends only
/// on the arguments.
///
/// Returns `None` if libFuzzer must mutate the bytes itself. If `data` is JSON, this is so for one
/// seed in 4, and otherwise for 15 seeds in 16.
pub fn mutate(data: &[u8], seed: u32, bases: &[&str]) -> Option<Vec<u8>> {
    let mut choices = Vec::new();
    stream::fill(seed.into(), 1, CHOICES, &mut choices);
    let mut u = Unstructured::new(&choices);
    let mut document: Value = match serde_json::from_slice(data) {
        Ok(_) if seed.is_multiple_of(4) => return None,
        Ok(document) => document,
        Err(_) if seed % 16 == 1 => serde_json::from_str(u.choose(bases).ok()?).ok()?,
        Err(_) => return None,
    };
    change(&mut document, &mut u).ok()?;
    Some(document.to_string().into_bytes())
}

/// Changes one value of a document: removes, repeats, renames or replaces it.
fn change(document: &mut Value, u: &mut Unstructured<'_>) -> Drawn<()> {
    let nodes = count(document);
    let (place, other) = (u.choose_index(nodes)?, u.choose_index(nodes)?);
    let other = nth(document, &mut { other }).cloned().unwrap_or_default();
    let Some(value) = nth(document, &mut { place }) else { return Ok(()) };
    match (u.int_in_range(0..=5)?, value) {
        (0, Value::Object(map)) if !map.is_empty() => {
            let key = key(map, u)?;
            map.shift_remove(&key);
        }
        (0, Value::Array(list)) if !list.is_empty() => drop(list.remove(u.choose_index(list.len())?)),
        (1, Value::Object(map)) if !map.is_empty() => {
            let value = map[&key(map, u)?].clone();
            map.insert(text(u, &other)?, value);
        }
        (1, Value::Array(list)) => list.insert(u.int_in_range(0..=list.len())?, other),
        (2, value) => *value = other,
        (3, value) => *value = json!(text(u, &other)?),
        (_, value) => *value = replacement(u, value)?,
    }
    Ok(())
}

/// Returns the number of values in a document: the document itself and all nested values.
fn count(value: &Value) -> usize {
    1 + match value {
        Value::Object(map) => map.values().map(count).sum(),
        Value::Array(list) => list.iter().map(count).sum::<usize>(),
        _ => 0,
    }
}

/// Returns the value with index `place`, counted in depth-first order with outer values first.
fn nth<'a>(value: &'a mut Value, place: &mut usize) -> Option<&'a mut Value> {
    if *place == 0 {
        return Some(value);
    }
    *place -= 1;
    match value {
        Value::Object(map) => map.values_mut().find_map(|value| nth(value, place)),
        Value::Array(list) => list.iter_mut().find_map(|value| nth(value, place)),
        _ => None,
    }
}

fn key(map: &Map<String, Value>, u: &mut Unstructured<'_>) -> Drawn<String> {
    let keys: Vec<&String> = map.keys().collect();
    Ok((*u.choose(&keys)?).clone())
}

/// Returns a text: another text of the document, random characters, or a text that is long, hostile
/// or special.
fn text(u: &mut Unstructured<'_>, other: &Value) -> Drawn<String> {
    const SPECIAL: [&str; 8] = ["", "*", "[", "\u{1b}[2K\n", "\u{202e}", "<script>&|`", "../x", "0x"];
    Ok(match (u.int_in_range(0..=3)?, other) {
        (0, Value::String(text)) => text.clone(),
        (0 | 1, _) => u.arbitrary::<&str>()?.chars().take(8).collect(),
        (2, _) => (*u.choose(&SPECIAL)?).to_owned(),
        _ => u.choose(&["a", "é", "\u{7}", "{a,", "`"])?.repeat(u.int_in_range(1..=300)?),
    })
}

/// Returns a number near the old value or at an edge, or a value of another type.
fn replacement(u: &mut Unstructured<'_>, value: &Value) -> Drawn<Value> {
    let near = value.as_u64().or_else(|| value.as_str()?.parse().ok()).unwrap_or_default();
    let number = match u.int_in_range(0..=5)? {
        0 => near.wrapping_add(1),
        1 => near.wrapping_sub(1),
        2 => near.wrapping_mul(2),
        3 => 1 << u.int_in_range(0..=63)?,
        4 => *u.choose(&[0, 1, u64::MAX, i64::MAX as u64, u32::MAX.into()])?,
        _ => u.arbitrary()?,
    };
    Ok(match u.int_in_range(0..=9)? {
        0 => Value::Null,
        1 => json!(u.arbitrary::<bool>()?),
        2 => json!({}),
        3 => json!([value.clone()]),
        4 => json!(number as i64),
        5 => json!(f64::from_bits(number)),
        _ if value.is_string() => json!(number.to_string()),
        _ => json!(number),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: &str = r#"{"name":"a","list":[1,2,{"inner":"b"}],"count":7}"#;

    fn changed(seed: u32) -> Option<Vec<u8>> {
        mutate(BASE.as_bytes(), seed, &[])
    }

    #[test]
    fn three_changes_in_four_are_of_the_document_and_most_differ() {
        let all: Vec<_> = (0..1000).map(changed).collect();
        assert_eq!(all, (0..1000).map(changed).collect::<Vec<_>>());
        let documents: Vec<_> = all.into_iter().flatten().collect();
        assert!((700..=750).contains(&documents.len()), "{}", documents.len());
        for bytes in &documents {
            serde_json::from_slice::<Value>(bytes).expect("a document");
        }
        let differ = documents.iter().filter(|bytes| **bytes != BASE.as_bytes()).count();
        assert!(differ > 600, "{differ}");
    }

    #[test]
    fn every_part_of_a_document_is_changed() {
        let texts: Vec<_> =
            (0..4000).filter_map(changed).map(|bytes| String::from_utf8(bytes).expect("UTF-8")).collect();
        let has = |words: &str| texts.iter().filter(|text| text.contains(words)).count();
        for part in [r#""name":"a""#, r#"[1,2"#, r#""inner":"b""#, r#""count":7"#] {
            assert!((1..texts.len()).contains(&has(part)), "{part} is kept and changed");
        }
        for made in ["18446744073709551615", "null", r#"\u001b"#, "aaaaaaaaaaaaaaaaaaaa", "\"count\":8"] {
            assert!(has(made) > 0, "{made}");
        }
    }

    #[test]
    fn bytes_that_are_no_document_give_way_to_a_base() {
        for data in ["", "{", "a: b"] {
            let made: Vec<_> = (0..64).filter_map(|seed| mutate(data.as_bytes(), seed, &[BASE])).collect();
            assert_eq!(made.len(), 4, "{data}");
            made.iter().for_each(|bytes| drop(serde_json::from_slice::<Value>(bytes).expect("a document")));
            assert_eq!(mutate(data.as_bytes(), 1, &[]), None, "there is no base");
        }
    }
}
