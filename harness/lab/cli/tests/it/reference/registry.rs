//! The types of all schemas. Each type is described once, and linked where it is used.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::anchor;

/// A schema that has a heading of its own.
pub struct Root {
    /// The file of its page.
    pub page: &'static str,
    /// The heading.
    pub heading: String,
    /// The schema.
    pub schema: Value,
}

/// A type in the `$defs` of a schema.
pub struct Definition {
    /// The file of its page.
    pub page: &'static str,
    /// The heading.
    pub heading: String,
    /// The name of the type.
    name: String,
    /// The schema of the type.
    pub body: Value,
    /// The schema of the type, with each reference replaced by the schema of the type that it
    /// names.
    resolved: Value,
    /// Index of the root that has the type in its `$defs`.
    pub root: usize,
}

/// All schemas, and all types that they define.
pub struct Registry {
    /// The schemas, in order of their pages.
    pub roots: Vec<Root>,
    /// The types. A type that several schemas define in the same way is listed once.
    pub definitions: Vec<Definition>,
}

impl Registry {
    /// Collects the types of schemas.
    pub fn new(roots: Vec<Root>) -> Registry {
        let mut definitions: Vec<Definition> = Vec::new();
        for (index, root) in roots.iter().enumerate() {
            let Some(types) = root.schema.get("$defs").and_then(Value::as_object) else { continue };
            for (name, body) in types {
                let resolved = resolve(body, types);
                if definitions.iter().any(|known| known.name == *name && known.resolved == resolved) {
                    continue;
                }
                let mut heading = name.clone();
                let is_taken = |heading: &str| {
                    let roots = roots.iter().map(|root| (root.page, &root.heading));
                    let types = definitions.iter().map(|known| (known.page, &known.heading));
                    roots
                        .chain(types)
                        .any(|(page, other)| page == root.page && anchor(other) == anchor(heading))
                };
                if is_taken(&heading) {
                    heading = format!("{name} of {}", root.heading);
                }
                let (page, name, body) = (root.page, name.clone(), body.clone());
                definitions.push(Definition { page, heading, name, body, resolved, root: index });
            }
        }
        Registry { roots, definitions }
    }

    /// Returns the type that the `$defs` of a root list under this name.
    pub fn find(&self, root: usize, name: &str) -> &Definition {
        let types =
            self.roots[root].schema["$defs"].as_object().expect("a schema that names types defines them");
        let resolved = resolve(&types[name], types);
        let found = self.definitions.iter().find(|known| known.name == name && known.resolved == resolved);
        found.expect("each type of a schema is collected")
    }

    /// Returns an earlier root with the same schema.
    pub fn twin(&self, root: usize) -> Option<&Root> {
        self.roots[..root].iter().find(|earlier| earlier.schema == self.roots[root].schema)
    }
}

/// Returns a schema with each reference replaced by the schema of the type that it names.
fn resolve(schema: &Value, types: &Map<String, Value>) -> Value {
    match schema {
        Value::Object(map) => {
            let mut resolved: BTreeMap<String, Value> =
                map.iter().map(|(key, value)| (key.clone(), resolve(value, types))).collect();
            if let Some(name) = referenced(schema) {
                resolved.insert("resolved".into(), resolve(&types[name], types));
            }
            Value::Object(resolved.into_iter().collect())
        }
        Value::Array(list) => list.iter().map(|value| resolve(value, types)).collect(),
        other => other.clone(),
    }
}

/// Returns the name of the type that a schema refers to.
pub fn referenced(schema: &Value) -> Option<&str> {
    schema.get("$ref")?.as_str()?.strip_prefix("#/$defs/")
}
