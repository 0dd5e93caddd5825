//! The settings of the errata: which text is executed, and by which rules.
//!
//! A setting selects a patch of the text ([`super::patch`]), or a rule of the evaluator that is
//! named by its erratum.

use std::collections::BTreeMap;

use super::real::{Real, SIGN};
use super::value::Value;

/// The settings that the evaluator can follow, by erratum. Conventions (C001 and up) are 1001 and
/// up.
///
/// | kind | errata |
/// |---|---|
/// | patch of XU and BFN | 49 50 51 53 58 81 |
/// | patch of UDP | 98 102 112 113 119 120 126 127 134 135 139 149 158 |
/// | patch of FALU | 170 177 178 179 183 189 |
/// | rule | 8 11 12 13 23 63 66 71 92 93 96 99 100 103 105 111 153 157 159 165 169 172 184 186 |
/// | tables of MUFU | 33 34 36 37 40 41 42 |
/// | the code gives one of several settings | all others |
const SETTINGS: &[(u16, &[u8])] = &[
    (8, &[1, 2]),
    (11, &[1, 2]),
    (12, &[1, 2]),
    (13, &[1, 2]),
    (23, &[1, 2]),
    (33, &[1, 2]),
    (34, &[1, 2]),
    (35, &[1]),
    (36, &[1, 2]),
    (37, &[1, 2]),
    (40, &[1, 2]),
    (41, &[1, 2]),
    (42, &[1]),
    (49, &[1, 2]),
    (50, &[1, 2]),
    (51, &[1, 2]),
    (52, &[2]),
    (53, &[1, 2]),
    (56, &[1]),
    (57, &[2]),
    (58, &[1, 2]),
    (62, &[2]),
    (63, &[1, 2]),
    (66, &[1, 2]),
    (71, &[1, 2]),
    (75, &[1, 2]),
    (76, &[1, 2]),
    (77, &[1, 2]),
    (78, &[1, 2]),
    (81, &[1, 2]),
    (84, &[1, 2]),
    (85, &[1]),
    (87, &[1, 2, 3]),
    (92, &[1, 2]),
    (93, &[1, 2]),
    (96, &[1, 2, 3]),
    (98, &[1, 2]),
    (99, &[1, 2]),
    (100, &[1, 2]),
    (102, &[1, 2]),
    (103, &[1, 2, 3]),
    (104, &[2]),
    (105, &[1, 2]),
    (111, &[1, 2]),
    (112, &[1, 2]),
    (113, &[1, 2]),
    (114, &[2]),
    (118, &[1]),
    (119, &[1, 2]),
    (120, &[1, 2]),
    (126, &[1, 2]),
    (127, &[1, 2]),
    (129, &[1]),
    (134, &[1, 2]),
    (135, &[1, 2, 3]),
    (139, &[1, 2]),
    (148, &[1, 2]),
    (149, &[1, 2]),
    (151, &[2]),
    (152, &[1]),
    (153, &[1, 2]),
    (157, &[1, 2]),
    (158, &[1, 2]),
    (159, &[1, 2]),
    (160, &[1]),
    (165, &[1, 2]),
    (168, &[1, 2]),
    (169, &[1, 2]),
    (170, &[1, 2]),
    (172, &[1, 2]),
    (173, &[1]),
    (176, &[1]),
    (177, &[1, 2]),
    (178, &[1, 2]),
    (179, &[1, 2]),
    (180, &[2]),
    (183, &[1, 2]),
    (184, &[1, 2]),
    (185, &[1]),
    (186, &[1, 2]),
    (189, &[1, 2]),
    (1001, &[1]),
    (1002, &[1]),
    (1003, &[1]),
    (1004, &[1]),
    (1005, &[1]),
    (1006, &[1]),
    (1007, &[1]),
    (1008, &[1]),
    (1009, &[1]),
    (1010, &[1]),
    (1011, &[1]),
];

/// A setting that the evaluator cannot follow.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the documents are not executed with setting {setting} of erratum {erratum}: use one of {known:?}")]
pub struct UnsupportedSetting {
    /// The erratum. Conventions are 1001 and up.
    pub erratum: u16,
    /// The setting.
    pub setting: u8,
    /// The settings that the evaluator can follow.
    pub known: &'static [u8],
}

/// A setting for every erratum that has several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rules(BTreeMap<u16, u8>);

impl Rules {
    /// Creates the rules from settings. An erratum that is left out has the first setting that the
    /// evaluator can follow.
    ///
    /// # Errors
    ///
    /// A setting that the evaluator cannot follow.
    pub fn new(settings: impl IntoIterator<Item = (u16, u8)>) -> Result<Rules, UnsupportedSetting> {
        let mut rules: BTreeMap<u16, u8> =
            SETTINGS.iter().map(|(erratum, known)| (*erratum, known[0])).collect();
        for (erratum, setting) in settings {
            let known = SETTINGS.iter().find(|known| known.0 == erratum).map_or(&[][..], |known| known.1);
            if !known.contains(&setting) {
                return Err(UnsupportedSetting { erratum, setting, known });
            }
            rules.insert(erratum, setting);
        }
        Ok(Rules(rules))
    }

    /// Returns the setting of an erratum. 0 if it has none.
    pub fn of(&self, erratum: u16) -> u8 {
        self.0.get(&erratum).copied().unwrap_or_default()
    }

    /// Returns the bits that a rounded value keeps. E172 = 1 makes an exact sum of zero positive.
    pub(super) fn kept_bits(&self, value: &Value) -> u32 {
        match value {
            Value::Real(Real::Zero { is_sum: true, .. }) if self.of(172) == 1 => !SIGN,
            _ => u32::MAX,
        }
    }
}
