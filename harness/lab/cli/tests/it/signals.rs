//! Long commands end soon after a signal.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{command, root};

/// The time within which each command must end. Each runs for longer. Beside other work on all
/// cores, two seconds were too few.
const SOON: Duration = Duration::from_secs(10);

#[test]
fn long_commands_end_soon_after_a_signal() {
    let folder = tempfile::tempdir().unwrap();
    let witnesses = root().join("vectors/data/witnesses").display().to_string();
    for line in [
        &["errata", "discover", "--vectors", &witnesses, "--cases", "4000000000"][..],
        &["certify", "tanh"],
        &["certify", "--check"],
    ] {
        let mut command = command(folder.path(), line);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
        std::thread::sleep(Duration::from_millis(700));
        assert!(child.try_wait().unwrap().is_none(), "{line:?} was over before it was asked to end");
        ends(&mut child, &line.join(" "));
    }
}

fn ends(child: &mut Child, what: &str) {
    let kill = Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
    assert!(kill.expect("there is kill").success(), "{what}");
    let started = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if started.elapsed() > SOON {
            child.kill().unwrap();
            panic!("{what}: does not end");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(child.wait().unwrap().code(), Some(130), "{what}");
}
