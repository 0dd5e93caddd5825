//! Renders a schema as text and tables.

use assay_pages::{Block, Cell, Table, Text, paragraph, row};
use serde_json::{Map, Value};

use super::registry::{Definition, Registry, referenced};
use super::{anchor, prose, sentence};

/// Maximum length of a pattern that is shown.
const LONGEST_PATTERN: usize = 40;

/// Describes schemas on a page.
pub struct Describer<'a> {
    /// All types.
    pub registry: &'a Registry,
    /// The file of the page.
    pub page: &'static str,
    /// The schema that names the types.
    pub root: usize,
}

impl Describer<'_> {
    /// Returns the description of a schema, then its fields, values or variants.
    pub fn describe(&self, schema: &Value) -> Vec<Block> {
        let about = text(schema, "description").split("\n\n");
        let mut blocks: Vec<Block> =
            about.filter(|part| !part.is_empty()).map(|part| markdown(sentence(part))).collect();
        blocks.extend(self.content(schema));
        blocks
    }

    fn content(&self, schema: &Value) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut rows = Vec::new();
        self.add_fields(schema, "", &mut rows);
        let has_fields = !rows.is_empty();
        blocks.push(Table::new("", "field | type | meaning", rows).open().into());
        let variants = variants(schema);
        let values: Vec<&Value> =
            variants.iter().copied().filter(|variant| variant.get("const").is_some()).collect();
        if !variants.is_empty() && values.len() == variants.len() {
            let rows = values.iter().map(|value| {
                row![
                    Text::markdown(self.expression(value)),
                    Text::markdown(sentence(text(value, "description")))
                ]
            });
            blocks.push(Table::new("", "value | meaning", rows).open().into());
        } else if !variants.is_empty() {
            let lead =
                if has_fields { "It also has one of these forms:" } else { "It has one of these forms:" };
            blocks.push(markdown(lead.to_owned()));
            variants.iter().for_each(|variant| blocks.extend(self.variant(variant)));
        } else if !has_fields {
            blocks.push(markdown(format!("Type: {}.", self.expression(schema))));
        }
        blocks
    }

    /// Returns a variant: its name or type with its description, then its fields.
    fn variant(&self, schema: &Value) -> Vec<Block> {
        let tags = properties(schema).into_iter().flatten();
        let tags: Vec<String> = tags
            .filter_map(|(name, field)| Some(format!("`{name}` is {}", json(field.get("const")?))))
            .collect();
        let required: Vec<String> = required(schema).iter().map(|name| format!("`{name}`")).collect();
        let name = match (tags.is_empty(), required.is_empty()) {
            (false, _) => tags.join(", "),
            (true, false) => format!("With {}", required.join(" and ")),
            (true, true) => self.expression(schema),
        };
        let about = sentence(text(schema, "description"));
        let mut blocks = vec![markdown(format!("**{name}.** {about}").trim().to_owned())];
        let mut rows = Vec::new();
        self.add_fields(schema, "", &mut rows);
        blocks.push(Table::new("", "field | type | meaning", rows).open().into());
        blocks
    }

    /// Adds a row for each field of an object, and for the fields of objects within.
    fn add_fields(&self, schema: &Value, path: &str, rows: &mut Vec<[Cell; 3]>) {
        let required = required(schema);
        for (name, field) in properties(schema).into_iter().flatten() {
            let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            let mut meaning = sentence(text(field, "description"));
            match field.get("default") {
                Some(value) => meaning += &format!(" Optional; default: {}.", json(value)),
                None if !required.contains(&name.as_str()) => meaning += " Optional.",
                None => {}
            }
            let name = Text::markdown(format!("`{path}`"));
            let ty = Text::markdown(self.expression(field));
            rows.push(row![name, ty, Text::markdown(meaning.trim().to_owned())]);
            self.add_fields(field, &path, rows);
            for variant in variants(field) {
                self.add_fields(variant, &path, rows);
            }
        }
    }

    /// Returns the type of a value in words, with links.
    fn expression(&self, schema: &Value) -> String {
        if let Some(name) = referenced(schema) {
            return self.link(self.registry.find(self.root, name));
        }
        if let Some(value) = schema.get("const") {
            return json(value);
        }
        if let Some(values) = schema.get("enum").and_then(Value::as_array) {
            return values.iter().map(json).collect::<Vec<_>>().join(" or ");
        }
        if let Some(parts) = schema.get("allOf").and_then(Value::as_array) {
            return parts.iter().map(|part| self.part(part)).collect::<Vec<_>>().join(" ");
        }
        let choices = variants(schema);
        if !choices.is_empty() && properties(schema).is_none() {
            return alternatives(choices.iter().map(|choice| self.expression(choice)));
        }
        match schema.get("type") {
            Some(Value::Array(types)) => {
                alternatives(types.iter().filter_map(Value::as_str).map(|ty| self.named(ty, schema)))
            }
            Some(Value::String(ty)) => self.named(ty, schema),
            _ => "any JSON value".to_owned(),
        }
    }

    /// Describes one schema of an `allOf`: its type, or the names of the fields that it requires.
    fn part(&self, schema: &Value) -> String {
        let required: Vec<String> = required(schema).iter().map(|name| format!("`{name}`")).collect();
        if schema.get("type").is_none() && !required.is_empty() {
            format!("with {}", required.join(" and "))
        } else {
            self.expression(schema)
        }
    }

    fn named(&self, ty: &str, schema: &Value) -> String {
        match ty {
            "integer" | "number" => ty.to_owned() + &range(schema, "minimum", "maximum"),
            "string" => match schema.get("pattern").and_then(Value::as_str) {
                Some(pattern) if pattern.len() <= LONGEST_PATTERN => format!("string, `{pattern}`"),
                _ => ty.to_owned(),
            },
            "array" => self.array(schema),
            "object" => self.object(schema),
            other => other.to_owned(),
        }
    }

    fn array(&self, schema: &Value) -> String {
        if let Some(items) = schema.get("prefixItems").and_then(Value::as_array) {
            let items: Vec<String> = items.iter().map(|item| self.expression(item)).collect();
            return format!("array: {}", items.join(", "));
        }
        let item =
            schema.get("items").map_or_else(|| "any JSON value".to_owned(), |item| self.expression(item));
        let lengths = range(schema, "minItems", "maxItems");
        if lengths.is_empty() {
            format!("array of {item}")
        } else {
            format!("array of {item} (length{lengths})")
        }
    }

    fn object(&self, schema: &Value) -> String {
        let patterns = schema.get("patternProperties").and_then(Value::as_object).into_iter().flatten();
        let mut values: Vec<String> = patterns.map(|(_, value)| self.expression(value)).collect();
        values
            .extend(schema.get("additionalProperties").filter(|v| v.is_object()).map(|v| self.expression(v)));
        values.dedup();
        if values.is_empty() {
            "object".to_owned()
        } else {
            format!("object, by name: {}", values.join(" or "))
        }
    }

    fn link(&self, definition: &Definition) -> String {
        let page = if definition.page == self.page { "" } else { definition.page };
        format!("[{}]({page}#{})", definition.heading, anchor(&definition.heading))
    }
}

fn markdown(text: String) -> Block {
    paragraph(Text::markdown(text))
}

fn text<'a>(schema: &'a Value, key: &str) -> &'a str {
    schema.get(key).and_then(Value::as_str).unwrap_or_default()
}

fn properties(schema: &Value) -> Option<&Map<String, Value>> {
    schema.get("properties").and_then(Value::as_object)
}

/// Returns the names of the required fields.
fn required(schema: &Value) -> Vec<&str> {
    schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}

/// Returns the alternatives of a schema, without alternatives that only constrain the fields of the
/// object.
fn variants(schema: &Value) -> Vec<&Value> {
    let lists = ["oneOf", "anyOf"].into_iter().filter_map(|key| schema.get(key).and_then(Value::as_array));
    lists.flatten().filter(|variant| !is_rule(variant)).collect()
}

/// Whether a schema only constrains the fields of the object around it.
fn is_rule(schema: &Value) -> bool {
    ["type", "$ref", "const", "enum", "anyOf", "oneOf", "allOf"].iter().all(|key| schema.get(key).is_none())
}

/// Joins alternatives with `or`, without duplicates, and with `null` as the last.
fn alternatives(parts: impl Iterator<Item = String>) -> String {
    let (null, mut parts): (Vec<String>, Vec<String>) = parts.partition(|part| part == "null");
    parts.extend(null);
    let mut seen = Vec::new();
    parts.retain(|part| {
        let is_new = !seen.contains(part);
        seen.push(part.clone());
        is_new
    });
    parts.join(" or ")
}

/// Returns the bounds of a value or a length as text, such as ` 1 to 8`. Empty without bounds.
fn range(schema: &Value, least: &str, most: &str) -> String {
    let bound = |key: &str| schema.get(key).filter(|value| value.is_number()).map(ToString::to_string);
    match (bound(least), bound(most)) {
        (Some(least), Some(most)) if least == most => format!(" = {least}"),
        (Some(least), Some(most)) => format!(" {least} to {most}"),
        (Some(least), None) => format!(" ≥ {least}"),
        (None, Some(most)) => format!(" ≤ {most}"),
        (None, None) => String::new(),
    }
}

fn json(value: &Value) -> String {
    match value {
        Value::String(text) => format!("`\"{text}\"`"),
        other => prose(&format!("`{other}`")),
    }
}

#[test]
fn a_schema_becomes_a_description_and_tables() {
    let schema = r##"{
        "description": "A shard.", "type": "object", "required": ["index", "kind"],
        "properties": {
            "index": {"type": "integer", "minimum": 0, "description": "Index | of *all*"},
            "kind": {"$ref": "#/$defs/Kind", "description": "The kind."},
            "path": {"type": ["string", "null"], "default": null, "description": "Path."},
            "sizes": {"type": "array", "minItems": 2, "maxItems": 2, "items": {"type": "number"}}
        },
        "$defs": {"Kind": {"oneOf": [
            {"const": "a", "description": "First."},
            {"const": "b", "description": "Second."}
        ]}}
    }"##;
    let schema: Value = serde_json::from_str(schema).expect("JSON");
    let root = super::registry::Root { page: "a.md", heading: "shard".to_owned(), schema: schema.clone() };
    let registry = Registry::new(vec![root]);
    let describer = Describer { registry: &registry, page: "b.md", root: 0 };
    let text = super::page("Shard", describer.describe(&schema));
    let kind = super::page("Kind", describer.describe(&registry.definitions[0].body));
    let expected = [
        "A shard.",
        r"| `index` | integer ≥ 0 | Index \| of \*all\*. |",
        "| `kind` | [Kind](a.md#kind) | The kind. |",
        "| `path` | string or null | Path. Optional; default: `null`. |",
        "| `sizes` | array of number (length = 2) | Optional. |",
    ];
    expected.iter().for_each(|line| assert!(text.contains(line), "{line} is not in\n{text}"));
    assert!(kind.contains("| `\"b\"` | Second. |"), "{kind}");
}
