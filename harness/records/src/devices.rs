//! The devices that took part in a run: their names, versions, declarations and digests of their
//! files.
//!
//! Results of different devices do not merge. So devices are part of the plan. `--resume` and
//! `merge` refuse a different device unless `--same-device` is given.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The devices of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Devices(BTreeSet<DeviceIdentity>);

/// A device that took part in a run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeviceIdentity {
    /// The role of the device.
    pub role: Role,
    /// The name that the device reports.
    pub name: String,
    /// The version that the device reports.
    pub version: String,
    /// The protocol version of the device.
    pub protocol: u32,
    /// The supported modes as patterns. Supported optypes if the device declares no modes.
    pub modes: Vec<String>,
    /// SHA-256 of each file of the device, by its path on the command line. The files are the
    /// library, or the program and those of its arguments that are files. The files of
    /// `--device-file` are included. A program that is found by the search path is not listed.
    pub files: BTreeMap<String, String>,
}

/// The role of a device in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The subject.
    Subject,
    /// The reference that the subject is compared with.
    Against,
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Role::Subject => "subject",
            Role::Against => "device in the oracle's place",
        })
    }
}

impl FromIterator<DeviceIdentity> for Devices {
    fn from_iter<I: IntoIterator<Item = DeviceIdentity>>(devices: I) -> Devices {
        Devices(devices.into_iter().collect())
    }
}

impl Devices {
    /// Returns whether there are no devices.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the devices of a role. A role has several devices only if the user declared them to
    /// be the same device.
    pub fn of(&self, role: Role) -> impl Iterator<Item = &DeviceIdentity> {
        self.0.iter().filter(move |device| device.role == role)
    }

    /// Adds the devices of another run. Call it only if the user declares the devices to be the
    /// same.
    pub fn unite(&mut self, others: &Devices) {
        self.0.extend(others.0.iter().cloned());
    }

    /// Returns a phrase that names the first difference from devices that are not equal.
    pub(crate) fn difference(&self, other: &Devices) -> String {
        let alone = |these: &Devices, those: &Devices| these.0.difference(&those.0).next().cloned();
        match (alone(self, other), alone(other, self)) {
            (Some(one), Some(another)) if one.role == another.role => one.difference(&another),
            (Some(one), _) | (None, Some(one)) => {
                format!(
                    "the {} ({} {}, which one of the two does not record)",
                    one.role, one.name, one.version
                )
            }
            (None, None) => "nothing".to_owned(),
        }
    }
}

impl DeviceIdentity {
    /// Returns a phrase that names the first difference from another device of the same role.
    fn difference(&self, other: &DeviceIdentity) -> String {
        let role = self.role;
        let pair = |what: &str, one: &dyn fmt::Display, another: &dyn fmt::Display| {
            format!("the {what} of the {role} (`{one}` and `{another}`)")
        };
        let paths: BTreeSet<&String> = self.files.keys().chain(other.files.keys()).collect();
        let file = paths.into_iter().find(|path| self.files.get(*path) != other.files.get(*path));
        match () {
            () if self.name != other.name => pair("name", &self.name, &other.name),
            () if self.version != other.version => pair("version", &self.version, &other.version),
            () if self.protocol != other.protocol => {
                pair("version of the protocol", &self.protocol, &other.protocol)
            }
            () if self.modes != other.modes => format!("what the {role} declares to support"),
            () => match file {
                Some(path) => format!("the digest of {path}, a file of the {role},"),
                None => format!("the {role}"),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn device(name: &str, version: &str, file: &str) -> DeviceIdentity {
        DeviceIdentity {
            role: Role::Subject,
            name: name.into(),
            version: version.into(),
            protocol: 2,
            modes: vec!["FADD".into()],
            files: BTreeMap::from([("./d.so".to_owned(), file.to_owned())]),
        }
    }

    #[test]
    fn the_part_that_differs_is_named() {
        let one = device("d", "1", "aa");
        let none = Devices::default();
        let of = |device: &DeviceIdentity| Devices::from_iter([device.clone()]);
        for (other, words) in [
            (of(&device("e", "1", "aa")), "the name of the subject (`d` and `e`)"),
            (of(&device("d", "2", "aa")), "the version of the subject (`1` and `2`)"),
            (of(&device("d", "1", "bb")), "the digest of ./d.so"),
            (of(&DeviceIdentity { modes: vec!["FMUL".into()], ..one.clone() }), "declares to support"),
            (of(&DeviceIdentity { role: Role::Against, ..one.clone() }), "does not record"),
            (none, "does not record"),
        ] {
            let differs = of(&one).difference(&other);
            assert!(differs.contains(words), "{differs}");
        }
    }

    #[test]
    fn united_devices_are_a_set_in_any_order() {
        let [one, other] = ["aa", "bb"].map(|file| Devices::from_iter([device("d", "1", file)]));
        let united = |a: &Devices, b: &Devices| {
            let mut both = a.clone();
            both.unite(b);
            both
        };
        assert_eq!(united(&one, &other), united(&other, &one));
        assert_eq!(united(&one, &one), one);
    }
}
