//! Runs Verilator and the C++ compiler.

use std::fs;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Output};

use assay_files::write::write_whole;
use assay_files::yaml;
use assay_isa::{EncodingTable, shown};

use crate::error::RtlError;
use crate::map::{MapProblem, PortMap};
use crate::operations::Operations;
use crate::{ports, source};

/// The input and the output folder of a build.
#[derive(Clone, Debug)]
pub struct BuildRequest<'a> {
    /// The file with the top module.
    pub top: &'a Path,
    /// The file with the map of the ports.
    pub map: &'a Path,
    /// Folders of included files and modules, in addition to the folders in the map. Paths in the
    /// map can be relative to these folders.
    pub include: &'a [PathBuf],
    /// The folder for the harness and the library.
    pub out: &'a Path,
    /// The encoding table for the instruction words.
    pub numbers: &'a EncodingTable,
    /// The digest of the encoding table, as devices receive it.
    pub digest: &'a str,
}

/// A built library.
#[derive(Clone, Debug)]
pub struct BuiltDevice {
    /// The name of the device.
    pub name: String,
    /// The path of the library.
    pub library: PathBuf,
    /// The modes, as patterns.
    pub patterns: Vec<String>,
    /// Number of modes that match the patterns.
    pub modes: usize,
    /// Patterns for the option `--only`, such as `FADD` and `MUFU.EX2.F32`.
    pub selection: Vec<String>,
    /// The profile that the map names, as an argument of `--profile`.
    pub profile: Option<String>,
}

/// Name of the folder for intermediate files, in the output folder.
const BUILD: &str = "unit.build";
/// Name of a file in that folder. It shows that this program made the folder and may remove it.
const MARKER: &str = "made-by-assay-rtl";
/// Maximum number of shown lines of an error.
const SHOWN_LINES: usize = 6;

impl BuildRequest<'_> {
    /// Builds the device.
    ///
    /// # Errors
    ///
    /// The map is wrong or does not fit the unit, a program is missing or refuses the unit, or a
    /// file cannot be read or written.
    pub fn build(&self) -> Result<BuiltDevice, RtlError> {
        let whole = std::path::absolute(self.out).map_err(RtlError::file(self.out))?;
        if !whole.as_os_str().as_encoded_bytes().iter().any(u8::is_ascii_whitespace) {
            return self.build_here();
        }
        self.check_folder()?;
        // Make cannot build in a folder with a blank in its path.
        let elsewhere = tempfile::tempdir().map_err(RtlError::file(&std::env::temp_dir()))?;
        let built = BuildRequest { out: elsewhere.path(), ..self.clone() }.build_here();
        let made = elsewhere.path().join(BUILD);
        if made.exists() {
            copy_files(&made, &self.empty_folder()?)?;
            copy_files(elsewhere.path(), self.out)?;
        }
        let here = |path: PathBuf| match path.strip_prefix(elsewhere.path()) {
            Ok(inner) => self.out.join(inner),
            Err(_) => path,
        };
        match built {
            Ok(built) => Ok(BuiltDevice { library: here(built.library), ..built }),
            Err(RtlError::Refused { program, last, log }) => {
                Err(RtlError::Refused { program, last, log: here(log) })
            }
            Err(error) => Err(error),
        }
    }

    /// Builds the device in the output folder.
    fn build_here(&self) -> Result<BuiltDevice, RtlError> {
        let text = assay_files::read_text(self.map, yaml::BYTES).map_err(RtlError::input(self.map))?;
        let map = PortMap::parse(&text, self.map)?;
        let in_map = |problem: MapProblem| problem.of(&text, self.map);
        let operations = Operations::new(&map, self.numbers).map_err(in_map)?;
        let top = self.top_module(&map).map_err(in_map)?;
        let folder = self.empty_folder()?;
        let write = |name: &str, text: &str| {
            let path = self.out.join(name);
            write_whole(&path, text.as_bytes()).map_err(RtlError::file(&path))
        };
        self.verilate(&map, &top, &folder).map_err(|error| match error {
            VerilateError::Map(problem) => in_map(problem),
            VerilateError::Other(error) => error,
        })?;
        let header = folder.join("Vunit.h");
        let header = fs::read_to_string(&header).map_err(RtlError::file(&header))?;
        let ports = ports::parse(&header);
        ports::check(&map, &operations, &ports).map_err(in_map)?;
        let name = map.name.clone().unwrap_or_else(|| top.clone());
        write("harness.cpp", source::HARNESS)?;
        write("assay_device.h", source::INTERFACE)?;
        write("unit.h", &source::unit(&name, &map, &operations, &ports, self.digest))?;
        let mut make = Command::new("make");
        let cores = std::thread::available_parallelism().map_or(1, usize::from).to_string();
        // The code of the unit and of the harness is optimised. The library of Verilator is not,
        // because it is rarely called.
        make.args(["-j", &cores, "-f", "Vunit.mk", "OPT_FAST=-O2", "OPT_GLOBAL=-O0"]).current_dir(&folder);
        self.run("make", "apt-get install make g++", make)?;
        let profile = map.profile.as_ref().map(|profile| match self.resolve(Path::new(profile)) {
            path if path.exists() => shortened(&path).display().to_string(),
            _ => profile.clone(),
        });
        let library = self.out.join("unit.so");
        let selection = operations.selection();
        let Operations { patterns, modes, .. } = operations;
        Ok(BuiltDevice { name, library, modes: modes.len(), selection, patterns, profile })
    }

    /// Returns the folder for intermediate files. Refuses an existing folder that this program did
    /// not make.
    fn check_folder(&self) -> Result<PathBuf, RtlError> {
        let folder = self.out.join(BUILD);
        if folder.exists() && !folder.join(MARKER).exists() {
            let problem = "was not made by `assay rtl`, and stays; name another folder with --out".to_owned();
            Err(RtlError::Map { path: folder, line: None, problem })
        } else {
            Ok(folder)
        }
    }

    /// Creates an empty folder for intermediate files, and returns it.
    fn empty_folder(&self) -> Result<PathBuf, RtlError> {
        let folder = self.check_folder()?;
        if folder.exists() {
            fs::remove_dir_all(&folder).map_err(RtlError::file(&folder))?;
        }
        fs::create_dir_all(&folder).map_err(RtlError::file(&folder))?;
        fs::write(folder.join(MARKER), "").map_err(RtlError::file(&folder))?;
        Ok(folder)
    }

    /// Returns the name of the top module.
    fn top_module(&self, map: &PortMap) -> Result<String, MapProblem> {
        if let Some(top) = &map.top {
            return Ok(top.clone());
        }
        let stem = self.top.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let is_name = stem.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && !stem.is_empty();
        is_name
            .then_some(stem)
            .ok_or_else(|| MapProblem::new(&[], "names no `top` module, and the file is none"))
    }

    /// Returns the location of a path in the map. Searches the folder of the map, the folder of the
    /// unit, and the included folders, in this order.
    fn resolve(&self, path: &Path) -> PathBuf {
        let beside = |file: &Path| file.parent().unwrap_or(Path::new("")).join(path);
        let of_map = beside(self.map);
        let others =
            [beside(self.top)].into_iter().chain(self.include.iter().map(|folder| folder.join(path)));
        [of_map.clone()].into_iter().chain(others).find(|path| path.exists()).unwrap_or(of_map)
    }

    /// Compiles the unit to C++.
    fn verilate(&self, map: &PortMap, top: &str, folder: &Path) -> Result<(), VerilateError> {
        let existing = |key: &str, path: PathBuf, is_folder: bool| {
            let is_there = if is_folder { path.is_dir() } else { path.is_file() };
            let kind = if is_folder { "folder" } else { "file" };
            if is_there {
                fs::canonicalize(&path).map_err(|e| RtlError::file(&path)(e).into())
            } else {
                let problem = format!(
                    "names `{}`, and there is no such {kind}",
                    shown::quoted(&path.display().to_string())
                );
                Err(VerilateError::Map(MapProblem::new(&[key], &problem)))
            }
        };
        let unit = fs::canonicalize(self.top).map_err(RtlError::input(self.top))?;
        let mut command = Command::new("verilator");
        // `--no-MMD`: dependency lists are not needed, because everything is built anew. And make
        // cannot read a list with a blank in a path.
        command.args(["--cc", "--exe", "-O3", "--prefix", "Vunit", "--no-timing", "--no-MMD"]);
        command.args(["-Wno-fatal", "-Wno-lint", "-Wno-style", "--x-assign", "fast"]);
        // $stop, $finish and $fatal end the batch, not the program.
        let stops = "-DVL_USER_STOP -DVL_USER_FINISH -DVL_USER_FATAL";
        command.args(["-CFLAGS", &format!("-fPIC -std=c++17 {stops} -I..")]);
        command.args(["-LDFLAGS", "-shared -Wl,-Bsymbolic", "-o", "../unit.so"]);
        command.args(["--Mdir", ".", "--top-module", top]);
        command.args(map.ignore.iter().map(|name| format!("-Wno-{name}")));
        for (name, value) in &map.defines {
            command.arg(format!("+define+{name}={value}"));
        }
        for (name, value) in &map.parameters {
            command.arg(format!("-G{name}={value}"));
        }
        // Verilator searches the folder of the unit for modules that no source file defines.
        command.args(unit.parent().map(|folder| ["-y".as_ref(), folder.as_os_str()]).into_iter().flatten());
        for folder in self.include {
            command.arg("-y").arg(fs::canonicalize(folder).map_err(RtlError::input(folder))?);
        }
        for path in &map.include {
            command.arg("-y").arg(existing("include", self.resolve(path), true)?);
        }
        for path in &map.sources {
            command.arg(existing("sources", self.resolve(path), false)?);
        }
        command.arg(unit).arg("../harness.cpp").current_dir(folder);
        Ok(self.run("verilator", "apt-get install verilator make g++", command).map(|_| ())?)
    }

    /// Runs a program and writes its output to a log. Fails if the program fails.
    fn run(
        &self,
        program: &'static str,
        remedy: &'static str,
        mut command: Command,
    ) -> Result<Output, RtlError> {
        let ended = match command.output() {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Err(RtlError::Missing { program, remedy });
            }
            ended => ended.map_err(RtlError::file(Path::new(program)))?,
        };
        let log = self.out.join(BUILD).join(format!("{program}.log"));
        let output = [&ended.stdout[..], &ended.stderr[..]].concat();
        write_whole(&log, &output).map_err(RtlError::file(&log))?;
        if ended.status.success() {
            return Ok(ended);
        }
        let output = String::from_utf8_lossy(&output);
        let is_error = |line: &&str| line.starts_with("%Error") || line.contains("error:");
        let mut last: Vec<&str> = output.lines().filter(is_error).take(SHOWN_LINES).collect();
        if last.is_empty() {
            last = output.lines().rev().take(SHOWN_LINES).collect();
            last.reverse();
        }
        if last.iter().any(|line| line.contains("g++: not found") || line.contains("g++: No such file")) {
            return Err(RtlError::Missing { program: "g++", remedy: "apt-get install g++" });
        }
        Err(RtlError::Refused { program, last: last.join("\n"), log })
    }
}

/// Copies the files in a folder, but not its subfolders. A process that has opened a replaced file,
/// such as the library, keeps the old file.
fn copy_files(from: &Path, to: &Path) -> Result<(), RtlError> {
    for entry in fs::read_dir(from).map_err(RtlError::file(from))? {
        let path = entry.map_err(RtlError::file(from))?.path();
        if let Some(name) = path.file_name().filter(|_| path.is_file()) {
            let (copy, place) = (to.join(name).with_extension("new"), to.join(name));
            fs::copy(&path, &copy).map_err(RtlError::file(&copy))?;
            fs::rename(&copy, &place).map_err(RtlError::file(&place))?;
        }
    }
    Ok(())
}

/// Returns the path without parts such as `name/..`, if the shorter path still names the same file.
fn shortened(path: &Path) -> PathBuf {
    let mut short = PathBuf::new();
    for component in path.components() {
        let is_up = component == Component::ParentDir;
        match short.components().next_back() {
            Some(Component::Normal(_)) if is_up => drop(short.pop()),
            _ => short.push(component),
        }
    }
    let is_same = fs::canonicalize(&short).ok() == fs::canonicalize(path).ok();
    if is_same { short } else { path.to_owned() }
}

/// The reason why Verilator did not compile a unit to C++.
enum VerilateError {
    Map(MapProblem),
    Other(RtlError),
}

impl From<RtlError> for VerilateError {
    fn from(error: RtlError) -> VerilateError {
        VerilateError::Other(error)
    }
}
