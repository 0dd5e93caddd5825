//! Makes the pages of files, of the output of commands and of the device protocol from the JSON
//! Schemas.

use std::collections::BTreeMap;

use assay_lab::ASSAY_LAB;
use assay_pages::{Block, Text, paragraph, section};
use serde_json::Value;

use super::registry::{Registry, Root};
use super::types::Describer;
use super::{anchor, page};

const FILES_PAGE: &str = "files.md";
const OUTPUT_PAGE: &str = "output.md";
const PROTOCOL_PAGE: &str = "protocol.md";

/// Returns the pages, each by the name of its file.
pub fn pages() -> BTreeMap<&'static str, String> {
    let registry = Registry::new(roots());
    BTreeMap::from([
        (FILES_PAGE, one(&registry, FILES_PAGE, "Files", FILES_ABOUT)),
        (OUTPUT_PAGE, one(&registry, OUTPUT_PAGE, "Output of the commands", OUTPUT_ABOUT)),
        (PROTOCOL_PAGE, one(&registry, PROTOCOL_PAGE, "Device protocol", PROTOCOL_ABOUT)),
    ])
}

/// Returns links to a command's output, one for each of its schemas.
pub fn links_to_output(command: &str) -> Vec<String> {
    let is_of = |name: &str| {
        let option = name.strip_prefix(command).and_then(|rest| rest.strip_prefix(' '));
        name == command || (option.is_some() && !is_command(name))
    };
    let names = ASSAY_LAB.printed().map(|(name, _)| *name).filter(|name| is_of(name));
    names.map(|name| format!("[{name}]({OUTPUT_PAGE}#{})", anchor(name))).collect()
}

/// Whether the name of a schema is also the name of a command.
fn is_command(name: &str) -> bool {
    let command = assay_cli::help::command(&ASSAY_LAB);
    let found = name.split(' ').try_fold(&command, |command, word| command.find_subcommand(word));
    found.is_some()
}

const FILES_ABOUT: &str = "The fields of the files that `assay` reads and writes. [formats.md](../formats.md) lists which \
    command writes a file, and the rules between its fields. `assay schema NAME` prints the JSON Schema of a file of a run. \
    `assay vectors schema` prints that of a suite, and `assay-lab errata schema` that of a file of errata.";
const OUTPUT_ABOUT: &str = "The fields of the JSON that a command prints with `--format json`. `assay-lab schema NAME` prints the \
    JSON Schema. [formats.md](../formats.md#json-of-the-commands) has the rules for all commands.";
const PROTOCOL_ABOUT: &str = "The fields of the messages between `assay` and a device. \
    [device-under-test.md](../device-under-test.md#the-protocol) describes the order of the messages. `assay dut schema` \
    prints the JSON Schema.";

/// Returns the schemas, in the order of the pages.
fn roots() -> Vec<Root> {
    let root = |page, heading: &str, schema| Root { page, heading: heading.to_owned(), schema };
    let mut roots: Vec<Root> =
        ASSAY_LAB.files.iter().map(|(name, schema)| root(FILES_PAGE, name, schema())).collect();
    roots.push(root(FILES_PAGE, "A suite of cases", assay_vectors::schema()));
    roots.push(root(FILES_PAGE, "A file of errata", assay_vectors::errata_schema()));
    roots.extend(ASSAY_LAB.printed().map(|(name, schema)| root(OUTPUT_PAGE, name, schema())));
    roots.push(root(PROTOCOL_PAGE, "Messages", assay_device::protocol::schema()));
    roots
}

/// Returns a page: its schemas, then the types that they name.
fn one(registry: &Registry, file: &'static str, title: &str, about: &str) -> String {
    let mut blocks = vec![paragraph(Text::markdown(about))];
    for (index, root) in registry.roots.iter().enumerate().filter(|(_, root)| root.page == file) {
        blocks.push(section(root.heading.as_str(), describe_root(registry, file, index)));
    }
    let mut types: Vec<_> =
        registry.definitions.iter().filter(|definition| definition.page == file).collect();
    types.sort_by_key(|definition| definition.heading.to_lowercase());
    let types = types.into_iter().map(|definition| {
        let describer = Describer { registry, page: file, root: definition.root };
        section(definition.heading.as_str(), describer.describe(&definition.body))
    });
    blocks.push(section("Types", types.collect()));
    page(title, blocks)
}

fn describe_root(registry: &Registry, file: &'static str, index: usize) -> Vec<Block> {
    if let Some(twin) = registry.twin(index) {
        let page = if twin.page == file { "" } else { twin.page };
        let text = format!("The same as [{}]({page}#{}).", twin.heading, anchor(&twin.heading));
        return vec![paragraph(Text::markdown(text))];
    }
    let mut schema: Value = registry.roots[index].schema.clone();
    if let Some(map) = schema.as_object_mut() {
        map.remove("$defs");
    }
    Describer { registry, page: file, root: index }.describe(&schema)
}
