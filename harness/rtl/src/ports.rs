//! Compares the ports that Verilator found in a unit with the ports of a map.

use std::collections::BTreeSet;

use assay_isa::similar::did_you_mean;

use crate::map::{MapProblem, PortMap, PortValues};
use crate::operations::Operations;

/// A port of the compiled unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// Name.
    pub name: String,
    /// Whether the port is an input of the unit, which the harness drives.
    pub is_input: bool,
    /// Width in bits.
    pub width: u32,
}

/// Returns the name of a port in the compiled unit. Verilator writes `___05F` for `__`.
pub fn member(port: &str) -> String {
    port.replace("__", "___05F")
}

/// Reads the ports from the header that Verilator wrote, which has lines such as `VL_IN(&a,31,0);`.
pub fn parse(header: &str) -> Vec<Port> {
    let port = |line: &str| {
        let (kind, rest) = line.trim().strip_prefix("VL_")?.split_once("(&")?;
        let is_input = kind.starts_with("IN") && !kind.starts_with("INOUT");
        if !is_input && !kind.starts_with("OUT") {
            return None;
        }
        let mut parts = rest.strip_suffix(");")?.split(',');
        let (name, high, low) = (parts.next()?, parts.next()?, parts.next()?);
        let width = high.parse::<u32>().ok()?.checked_sub(low.parse().ok()?)? + 1;
        Some(Port { name: name.replace("___05F", "__"), is_input, width })
    };
    header.lines().filter_map(port).collect()
}

/// Compares a map with the ports of the unit.
///
/// # Errors
///
/// The map names a port that does not exist, has the other direction or is too narrow. Or the map
/// names an input twice, or not at all.
pub(crate) fn check(map: &PortMap, operations: &Operations, ports: &[Port]) -> Result<(), MapProblem> {
    let mut own: Vec<(&[&str], &str)> = Vec::new();
    own.extend(map.clock.as_ref().map(|name| (&["clock"][..], &name[..])));
    own.extend(map.reset.as_ref().map(|reset| (&["reset", "port"][..], &reset.port[..])));
    if let Some(handshake) = &map.handshake {
        own.push((&["handshake", "input", "valid"], &handshake.input.valid));
        own.extend(
            handshake.output.ready.as_ref().map(|name| (&["handshake", "output", "ready"][..], &name[..])),
        );
        find(ports, &["handshake", "output", "valid"], &handshake.output.valid, false)?;
        if let Some(ready) = &handshake.input.ready {
            find(ports, &["handshake", "input", "ready"], ready, false)?;
        }
    }
    for (place, (keys, name)) in own.iter().enumerate() {
        find(ports, keys, name, true)?;
        if own[..place].iter().any(|(_, other)| other == name) {
            return Err(MapProblem::new(keys, &format!("is `{name}`, which another key of the map drives")));
        }
    }
    values(&["set"], &map.set, ports)?;
    for (place, operation) in map.operations.iter().enumerate() {
        check_operation(operation, ports).map_err(|problem| problem.in_operation(place))?;
        let set = operations.variants.iter().filter(|v| v.operation == place).flat_map(|v| v.set.keys());
        let named =
            operation.operands.keys().map(|port| ("operands", port)).chain(set.map(|port| ("set", port)));
        for (key, name) in named {
            let twice = |problem| Err(MapProblem::new(&[key, name], problem).in_operation(place));
            if own.iter().any(|(_, own)| own == name) {
                return twice("is driven by the clock, the reset or the handshake too");
            }
            if key == "set" && operation.operands.contains_key(name) {
                return twice("has an operand too; remove one of them");
            }
        }
    }
    let operands = map.operations.iter().flat_map(|operation| operation.operands.keys());
    let set = operations.variants.iter().flat_map(|variant| variant.set.keys());
    let named: BTreeSet<&str> =
        operands.chain(set).map(|name| &name[..]).chain(own.iter().map(|(_, n)| *n)).collect();
    match ports.iter().find(|port| port.is_input && !named.contains(&port.name[..])) {
        None => Ok(()),
        Some(port) => {
            let problem = format!(
                "names no value for the input `{}` of {} bits; write `set: {{{}: 0}}` if it is constant",
                port.name, port.width, port.name
            );
            Err(MapProblem::new(&[], &problem))
        }
    }
}

fn check_operation(operation: &crate::map::Operation, ports: &[Port]) -> Result<(), MapProblem> {
    for (name, operands) in &operation.operands {
        let port = find(ports, &["operands", name], name, true)?;
        let words = operands.words().len();
        if words > 1 && port.width as usize <= 32 * (words - 1) {
            let problem = format!("has {words} operands, and the port has {} bits", port.width);
            return Err(MapProblem::new(&["operands", name], &problem));
        }
    }
    values(&["set"], &operation.set, ports)?;
    for (modifier, set) in &operation.when {
        values(&["when", modifier], set, ports)?;
    }
    for result in operation.result.ports() {
        let port = find(ports, &["result", "port"], &result.port, false)?;
        match result.bits {
            Some(bits) if u32::from(bits.low) + u32::from(bits.width) > port.width => {
                let problem = format!("reach beyond `{}`, which has {} bits", port.name, port.width);
                return Err(MapProblem::new(&["result", "bits"], &problem));
            }
            None if port.width > 32 => {
                let problem = format!("is `{}`, which has {} bits; name its `bits`", port.name, port.width);
                return Err(MapProblem::new(&["result", "port"], &problem));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Checks the constant values of ports against the widths of the ports.
fn values(keys: &[&str], set: &PortValues, ports: &[Port]) -> Result<(), MapProblem> {
    for (name, value) in set {
        let keys: Vec<&str> = keys.iter().copied().chain([&name[..]]).collect();
        let port = find(ports, &keys, name, true)?;
        if port.width < 64 && value >> port.width != 0 {
            return Err(MapProblem::new(
                &keys,
                &format!("is {value:#x}, and the port has {} bits", port.width),
            ));
        }
    }
    Ok(())
}

/// Returns the port with a name and a direction.
fn find<'a>(ports: &'a [Port], keys: &[&str], name: &str, is_input: bool) -> Result<&'a Port, MapProblem> {
    let (direction, other) = if is_input { ("input", "output") } else { ("output", "input") };
    match ports.iter().find(|port| port.name == name) {
        Some(port) if port.is_input == is_input => Ok(port),
        Some(_) => Err(MapProblem::new(
            keys,
            &format!("names `{name}`, which is an {other} of the unit and no {direction}"),
        )),
        None => {
            let known: Vec<&str> =
                ports.iter().filter(|p| p.is_input == is_input).map(|p| &p.name[..]).collect();
            let all = format!("its {direction}s are {}", known.join(", "));
            let remedy = did_you_mean(name, known.iter().copied(), &all);
            Err(MapProblem::new(keys, &format!("names `{name}`, which is no port of the unit; {remedy}")))
        }
    }
}
