//! The property of profiles: a profile that is read has everything that a run needs. The bounds of
//! the profile can be printed and parsed again.

use assay_isa::readings::SWITCHES;
use assay_isa::{Instruction, catalog};
use assay_vectors::{Bound, Contract, Profile};

use crate::{Reached, Violation, equal, refused, safe};
use assay_engine::stats::judged::{Allowed, Demands};

/// Profiles with which a mutator starts. They are JSON, which is also YAML.
pub const BASES: [&str; 2] = [
    include_str!("../../../../vectors/data/fuzz/profile/extends"),
    include_str!("../../../../vectors/data/fuzz/profile/root"),
];

/// Checks a profile. The bytes are the content of its file.
///
/// # Errors
///
/// The first violation.
pub fn profile(data: &[u8]) -> Result<Reached, Violation> {
    let text = String::from_utf8_lossy(data);
    let profile = match Profile::parse("profile.yaml", &text) {
        Ok(profile) => profile,
        Err(error) => return safe(error, text.as_bytes()),
    };
    let lacks = SWITCHES.iter().find(|switch| !profile.basis.contains_key(&switch.erratum));
    if let Some(switch) = lacks {
        return Err(Violation::Unusable(format!("the profile has no basis for {}", switch.erratum)));
    }
    let way = "printing and parsing a bound";
    for row in &profile.contracts {
        let Contract::Bounded { bounds, .. } = &row.contract else { continue };
        for bound in bounds.iter() {
            let again = bound.to_string().parse::<Bound>().map_err(refused(way, text.as_bytes()))?;
            equal(way, bound, &again)?;
        }
    }
    for form in &catalog().forms {
        let _ = profile.contract_for(&Instruction::new(form));
    }
    Demands::new(&profile.judged, &Allowed::default())
        .map_or_else(|error| safe(error, text.as_bytes()), |_| Ok(Reached::Judged))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bases_and_the_built_in_profiles_hold() {
        // A profile file must not have the name of a built-in profile.
        let renamed = |(name, text): (&str, &str)| text.replace(&format!("name: {name}\n"), "name: file\n");
        let built_in = assay_vectors::profile::BUILT_IN.map(renamed);
        for text in BASES.into_iter().chain(built_in.iter().map(String::as_str)) {
            assert_eq!(profile(text.as_bytes()).expect(text), Reached::Judged, "{text}");
        }
    }

    #[test]
    fn what_is_no_profile_is_refused_with_a_message_that_is_safe_to_show() {
        let [extends, _] = BASES;
        let long = "x".repeat(3000);
        for (text, other) in [
            (r#""fuzzed""#, long.replace('x', "/").as_str()),
            (r#""intended""#, "/etc/passwd"),
            (r#""intended""#, &long),
            (r#""inferred""#, &long),
            (r#""E173""#, &long),
            (r#""MUFU.RCP.F32""#, &long),
            (r#""E035=1""#, &long),
            (r#""<1""#, &long),
            (r#""2^-20.5""#, &long),
            (r#""[-2pi, 2pi]""#, &long),
            (r#""odd""#, &long),
            (r#""model""#, &long),
            (r#""FADD*""#, "["),
            (r#""FADD*""#, &long.replace('x', "[")),
            (r#""4a168039117d351a2c5be0f3d8e97c610b5f42ad9e83716c0d24fb58a6e1937c""#, &long),
            (r#""judged""#, &long),
        ] {
            let file = extends.replacen(text, &format!("{other:?}"), 1);
            assert_ne!(file, extends, "{text}");
            assert_eq!(profile(file.as_bytes()).expect(&file), Reached::Refused, "{text}");
        }
    }
}
