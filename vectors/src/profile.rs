//! Profiles: a setting for every reading, the evidence for each setting, and the demanded accuracy.
//!
//! A profile is a YAML file. It can extend another profile and override some of its entries. It
//! names that profile by a built-in name or by a path relative to its own file. A profile that
//! extends none must set every reading.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use assay_isa::readings::{Erratum, SWITCHES};
use assay_isa::shown::quoted;
use assay_isa::similar::did_you_mean;
use assay_isa::{Instruction, Readings};
use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, Visitor, value::MapAccessDeserializer};

use crate::VERSION;
use crate::check::check_name;
use crate::clauses::INVERSION;
use crate::confine::within;
use crate::contract::Contract;
use crate::error::{ErrorKind, VectorError};
use crate::evidence::{Basis, Evidence};
use crate::read::{parse_yaml, read_text};
use crate::row::{ContractEntry, ContractRow, InversionRow};
use crate::text::present;
use crate::values::{ByKey, UnderKey, check_setting};

/// The built-in profiles, as pairs of name and text.
pub const BUILT_IN: [(&str, &str); 4] = [
    ("literal", include_str!("../data/profiles/literal.yaml")),
    ("intended", include_str!("../data/profiles/intended.yaml")),
    ("sm90", include_str!("../data/profiles/sm90.yaml")),
    ("faithful", include_str!("../data/profiles/faithful.yaml")),
];

/// A profile, with the entries that it inherits from the profiles that it extends.
#[derive(Clone, Debug)]
pub struct Profile {
    /// The name of the profile.
    pub name: String,
    /// A description.
    pub about: String,
    /// A setting for every reading.
    pub readings: Readings,
    /// The evidence for each setting. Every reading has an entry.
    pub basis: BTreeMap<Erratum, Basis>,
    /// The contracts of instructions whose results need not be correctly rounded.
    pub contracts: Vec<ContractRow>,
    /// The least percentage of lanes that must be judged, by glob over optypes, forms and
    /// functions. The entry `*` applies to names that no other entry covers.
    pub judged: BTreeMap<String, u8>,
    /// The built-in profile with which this profile is compared: the nearest that it extends,
    /// directly or through files. For a built-in profile, this is its own name. `intended` if the
    /// profile extends no built-in profile.
    pub base: &'static str,
    /// How far results of monotonic functions may move in the wrong direction. [`INVERSION`]
    /// applies if no row matches.
    pub inversions: Vec<InversionRow>,
}

/// The built-in profile with which a profile that extends none is compared.
const REFERENCE: &str = "intended";

/// The required percentage of judged lanes if a profile states none.
pub const JUDGED: u8 = 75;

impl Profile {
    /// Reads a profile, given the name of a built-in profile or the path of a file.
    pub fn load(name_or_path: &str) -> Result<Profile, VectorError> {
        let source = Source::find(name_or_path, None)?;
        resolve(&source, source.folder(), &mut Vec::new())
    }

    /// Reads a profile that a data file names. The name is that of a built-in profile, or a path
    /// relative to the data file's folder `base`. Refuses a file outside the folder `tree`, as
    /// [`within`] does.
    pub fn load_within(name: &str, base: &Path, tree: &Path) -> Result<Profile, VectorError> {
        resolve(&Source::find(name, Some((base, tree)))?, Some(tree), &mut Vec::new())
    }

    /// Reads a profile from text. It can extend only built-in profiles. Errors show `name` in place
    /// of a file.
    ///
    /// # Errors
    ///
    /// The error contains the place in the text, and the problem.
    pub fn parse(name: &str, text: &str) -> Result<Profile, VectorError> {
        resolve(&Source::Text { name, text }, None, &mut Vec::new())
    }

    /// Returns the contract that applies to an instruction. [`Contract::BitExact`] if no row
    /// matches.
    pub fn contract_for(&self, instruction: &Instruction) -> Contract {
        let matching = self.contracts.iter().filter(|row| row.matches(instruction, &self.readings));
        let row = matching.max_by_key(|row| row.precision());
        row.map_or(Contract::BitExact, |row| row.contract_for(instruction, self.inversion_of(instruction)))
    }

    /// Returns by how many steps of the format results of a monotonic function may move in the
    /// wrong direction.
    fn inversion_of(&self, instruction: &Instruction) -> u32 {
        let matching = self.inversions.iter().filter(|row| row.matches(instruction));
        matching.max_by_key(|row| row.precision()).map_or(INVERSION, |row| row.steps)
    }

    /// Whether some contract demands the bits of the reference model.
    pub fn asks_for_model(&self) -> bool {
        self.contracts.iter().any(|row| row.contract == Contract::Model)
    }

    /// Overrides one reading, given as text such as `E173=2`. Returns the reading and its setting.
    pub fn set_reading(&mut self, text: &str) -> Result<(Erratum, u8), VectorError> {
        let before = self.readings;
        let (erratum, setting) = self.readings.set_from_text(text).map_err(ErrorKind::Reading)?;
        if self.readings != before {
            let basis = Basis {
                evidence: Evidence::Design,
                note: "set for this run".into(),
                trace: None,
                profile: self.name.clone(),
            };
            self.basis.insert(erratum, basis);
        }
        Ok((erratum, setting))
    }
}

/// A profile as its file writes it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    version: u32,
    name: String,
    about: String,
    #[serde(default, deserialize_with = "present")]
    extends: Option<String>,
    /// The evidence for all inherited settings. Absent if each setting keeps the parent's evidence.
    #[serde(default, deserialize_with = "present")]
    inherited: Option<Evidence>,
    #[serde(default, deserialize_with = "settings")]
    readings: BTreeMap<Erratum, Setting>,
    #[serde(default)]
    contracts: Vec<ContractEntry>,
    #[serde(default)]
    judged: BTreeMap<String, u8>,
    #[serde(default)]
    inversions: BTreeMap<String, u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Setting {
    setting: u8,
    evidence: Evidence,
    #[serde(default)]
    note: String,
    /// Hash of the trace that shows a measurement. Only `measured` evidence has one.
    #[serde(default, deserialize_with = "present")]
    trace: Option<String>,
}

fn settings<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<Erratum, Setting>, D::Error> {
    deserializer.deserialize_any(ByKey(std::marker::PhantomData))
}

impl<'de> serde::de::DeserializeSeed<'de> for UnderKey<Erratum, Setting> {
    type Value = Setting;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Setting, D::Error> {
        deserializer.deserialize_any(EvidencedSettingVisitor(self.0))
    }
}

/// Reads a setting of the erratum: a map with evidence, or only a number.
struct EvidencedSettingVisitor(Erratum);

impl<'de> Visitor<'de> for EvidencedSettingVisitor {
    type Value = Setting;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a setting such as 2, or {setting: 2, evidence: documented, note: TEXT}")
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Setting, E> {
        let setting = check_setting(self.0, value)?;
        Ok(Setting { setting, evidence: Evidence::default(), note: String::new(), trace: None })
    }

    fn visit_map<A: MapAccess<'de>>(self, access: A) -> Result<Setting, A::Error> {
        let setting = Setting::deserialize(MapAccessDeserializer::new(access))?;
        check_setting(self.0, setting.setting.into())?;
        match (setting.evidence, &setting.trace) {
            (Evidence::Measured, None) => Err(A::Error::custom(format!(
                "{}: a `measured` setting needs the `trace: HASH` of the measurement; `assay trace info` prints the hash",
                self.0
            ))),
            (Evidence::Measured, Some(hash)) if !is_hash(hash) => Err(A::Error::custom(format!(
                "{}: `{}` is no hash of a trace, which has 64 digits; `assay trace info` prints it",
                self.0,
                quoted(hash)
            ))),
            (Evidence::Measured, Some(_)) | (_, None) => Ok(setting),
            (evidence, Some(_)) => Err(A::Error::custom(format!(
                "{}: a `trace` is for `measured` settings, and the evidence here is `{evidence}`",
                self.0
            ))),
        }
    }
}

/// Whether a text is a SHA-256 in the form that traces use: 64 lower-case hexadecimal digits.
fn is_hash(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'))
}

/// Returns the path of a profile, and the paths of the profiles that it extends and that are files.
/// Ends at the first file that cannot be read.
pub fn profile_files(path: &Path) -> Vec<PathBuf> {
    let mut files = vec![path.to_owned()];
    loop {
        let last = &files[files.len() - 1];
        let document = read_text(last).and_then(|text| parse_yaml::<Document>("", &text)).ok();
        let parent = document.and_then(|document| document.extends);
        let parent = parent.filter(|name| Source::built_in(name).is_err());
        let parent = parent.and_then(|name| last.with_file_name(name).canonicalize().ok());
        match parent.filter(|parent| parent.is_file() && !files.contains(parent)) {
            Some(parent) => files.push(parent),
            None => return files,
        }
    }
}

/// The place from which a profile is read.
enum Source<'a> {
    BuiltIn { name: &'static str, text: &'static str },
    File(PathBuf),
    Text { name: &'a str, text: &'a str },
}

impl Source<'_> {
    /// Finds a profile by name. If a data file names the profile, `named_by` has two folders. A
    /// relative path then starts at the first folder, and the file must lie below the second.
    fn find(name: &str, named_by: Option<(&Path, &Path)>) -> Result<Source<'static>, VectorError> {
        let built_in = Source::built_in(name);
        if built_in.is_ok() {
            return built_in;
        }
        let path = named_by.map_or_else(|| PathBuf::from(name), |(base, _)| base.join(name));
        if path.is_file() {
            if let Some((base, tree)) = named_by {
                return Ok(Source::File(within(base, Path::new(name), tree)?));
            }
            // Each file needs a unique label. Otherwise a cycle of profiles through paths such as
            // `a/../` would never be noticed.
            let canonical = path.canonicalize();
            return canonical
                .map(Source::File)
                .map_err(|e| VectorError::from(ErrorKind::Read(e)).in_file(path.display()));
        }
        built_in
    }

    /// Finds a built-in profile.
    fn built_in(name: &str) -> Result<Source<'static>, VectorError> {
        let found = BUILT_IN.iter().find(|(built_in, _)| *built_in == name);
        found.map(|(name, text)| Source::BuiltIn { name, text }).ok_or_else(|| {
            let known = || BUILT_IN.iter().map(|(name, _)| *name);
            let all = format!("built in are: {}", known().collect::<Vec<_>>().join(", "));
            ErrorKind::UnknownProfile { name: quoted(name), remedy: did_you_mean(name, known(), &all) }.into()
        })
    }

    /// Finds the parent profile `name`. If it is a file, this file must lie below the folder
    /// `tree`.
    fn parent(&self, name: &str, tree: Option<&Path>) -> Result<Source<'static>, VectorError> {
        match self {
            Source::Text { .. } => Source::built_in(name),
            Source::BuiltIn { .. } | Source::File(_) => Source::find(name, self.folder().zip(tree)),
        }
    }

    fn label(&self) -> String {
        match self {
            Source::BuiltIn { name, .. } | Source::Text { name, .. } => (*name).to_owned(),
            Source::File(path) => path.display().to_string(),
        }
    }

    fn text(&self) -> Result<String, VectorError> {
        match self {
            Source::BuiltIn { text, .. } | Source::Text { text, .. } => Ok((*text).to_owned()),
            Source::File(path) => read_text(path),
        }
    }

    /// Refuses a file or a text that has the name of a built-in profile, because its results would
    /// look like results under the built-in profile.
    fn check_own_name(&self, name: &str) -> Result<(), ErrorKind> {
        let taken = BUILT_IN.iter().find(|(built_in, _)| built_in.eq_ignore_ascii_case(name));
        match (self, taken) {
            (Source::File(_) | Source::Text { .. }, Some((built_in, _))) => {
                Err(ErrorKind::BuiltInName { name: name.to_owned(), built_in })
            }
            _ => Ok(()),
        }
    }

    /// Returns the profile from the cache of built-in profiles. `None` if it is not there yet, and
    /// for a file or a text.
    fn known(&self) -> Option<Profile> {
        match self {
            Source::BuiltIn { name, .. } => known_profiles().get(name).cloned(),
            Source::File(_) | Source::Text { .. } => None,
        }
    }

    fn folder(&self) -> Option<&Path> {
        match self {
            Source::BuiltIn { .. } | Source::Text { .. } => None,
            Source::File(path) => path.parent(),
        }
    }
}

/// Returns the cache of built-in profiles that were already read, by name. A check of vectors loads
/// a profile for each case, and would be slow if it parsed the bounds each time.
fn known_profiles() -> MutexGuard<'static, BTreeMap<&'static str, Profile>> {
    static KNOWN: Mutex<BTreeMap<&str, Profile>> = Mutex::new(BTreeMap::new());
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reads a profile, and puts its entries over those of its parent. If the parent is a file, it must
/// lie below the folder `tree`. `chain` lists the labels from the first profile to this one, to
/// detect cycles.
fn resolve(
    source: &Source<'_>,
    tree: Option<&Path>,
    chain: &mut Vec<String>,
) -> Result<Profile, VectorError> {
    if let Some(profile) = source.known() {
        return Ok(profile);
    }
    let label = source.label();
    let text = source.text()?;
    let document: Document = parse_yaml(&label, &text)?;
    let at_key = |key: &str, error: VectorError| {
        let line = text.lines().position(|line| line.starts_with(key));
        let error = error.in_file(&label);
        match line {
            Some(index) => error.at_line(index + 1),
            None => error,
        }
    };
    if document.version != VERSION {
        return Err(at_key("version:", ErrorKind::Version(document.version).into()));
    }
    check_name(&document.name)
        .and_then(|()| source.check_own_name(&document.name))
        .map_err(|kind| at_key("name:", kind.into()))?;
    chain.push(label.clone());
    let mut profile = match &document.extends {
        Some(parent) => {
            let at_extends = |error| at_key("extends:", error);
            let parent = source.parent(parent, tree).map_err(at_extends)?;
            if chain.contains(&parent.label()) {
                chain.push(parent.label());
                return Err(at_extends(ErrorKind::Cycle(chain.join(" -> ")).into()));
            }
            resolve(&parent, tree, chain)?
        }
        None => root(&document).map_err(|kind| at_key("readings:", kind.into()))?,
    };
    apply(&mut profile, document).map_err(|kind| VectorError::from(kind).in_file(&label))?;
    if let Source::BuiltIn { name, .. } = source {
        profile.base = name;
        known_profiles().insert(name, profile.clone());
    }
    Ok(profile)
}

/// Returns an empty profile, to which the entries of a profile without a parent are added. Fails
/// unless the document sets every reading.
fn root(document: &Document) -> Result<Profile, ErrorKind> {
    let open = SWITCHES.iter().map(|s| s.erratum).filter(|e| !document.readings.contains_key(e));
    let open = open.map(|e| e.to_string()).collect::<Vec<_>>().join(", ");
    if !open.is_empty() {
        return Err(ErrorKind::Incomplete(open));
    }
    Ok(Profile {
        name: String::new(),
        about: String::new(),
        readings: Readings::default(),
        basis: BTreeMap::new(),
        contracts: Vec::new(),
        judged: BTreeMap::from([("*".to_owned(), JUDGED)]),
        base: REFERENCE,
        inversions: Vec::new(),
    })
}

fn apply(profile: &mut Profile, document: Document) -> Result<(), ErrorKind> {
    if document.inherited == Some(Evidence::Measured) {
        let problem = "`inherited` cannot be measured: each setting names the trace that shows it";
        return Err(ErrorKind::Shape(problem.to_owned()));
    }
    if let Some(evidence) = document.inherited {
        profile.basis.values_mut().for_each(|basis| (basis.evidence, basis.trace) = (evidence, None));
    }
    for (erratum, Setting { setting, evidence, note, trace }) in document.readings {
        profile.readings.set(erratum, setting)?;
        let note = match &trace {
            Some(hash) => format!("{note} (trace {hash})").trim_start().to_owned(),
            None => note,
        };
        profile.basis.insert(erratum, Basis { evidence, note, trace, profile: document.name.clone() });
    }
    let rows: Vec<_> = document.contracts.into_iter().map(|entry| entry.row(&document.name)).collect();
    profile.contracts.retain(|inherited| !rows.iter().any(|row| row.replaces(inherited)));
    profile.contracts.extend(rows);
    if let Some((name, percent)) = document.judged.iter().find(|(_, percent)| **percent > 100) {
        return Err(ErrorKind::Shape(format!(
            "`judged: {{{}: {percent}}}`: write a percentage from 0 to 100",
            quoted(name)
        )));
    }
    profile.judged.extend(document.judged);
    let rows = document.inversions.iter().map(|(name, steps)| InversionRow::parsed(name, *steps));
    let rows = rows.collect::<Result<Vec<_>, String>>().map_err(ErrorKind::Shape)?;
    profile.inversions.retain(|inherited| !rows.iter().any(|row| row.replaces(inherited)));
    profile.inversions.extend(rows);
    profile.name = document.name;
    profile.about = document.about;
    Ok(())
}
