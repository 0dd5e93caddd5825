use std::panic::{AssertUnwindSafe, catch_unwind};

use super::*;

/// Runs a function in an environment on its own thread, so that no other test sees the environment.
fn in_environment<T: Send>(environment: Environment, run: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = scope.spawn(|| {
            // SAFETY: `run` sets the default environment before it computes with floats, or uses no
            // floats.
            unsafe { environment.set() };
            run()
        });
        thread.join().expect("it does not panic")
    })
}

#[test]
fn a_test_begins_in_the_default_environment() {
    assert_eq!(Environment::current(), Environment::DEFAULT);
    assert_eq!(check(), Ok(()));
}

#[test]
fn each_wrong_environment_is_found_named_and_undone() {
    let mut texts = std::collections::BTreeSet::new();
    for (name, environment) in Environment::others() {
        let (seen, error, after) = in_environment(environment, || {
            let seen = Environment::current();
            (seen, check(), Environment::current())
        });
        assert_eq!(seen, environment, "{name}");
        assert_eq!(error.as_ref().map_err(|error| error.found), Err(environment), "{name}");
        assert!(after.is_default(), "{name}");
        let text = environment.to_string();
        assert!(!text.contains("no known difference"), "{name}: {text}");
        assert!(texts.insert(text.clone()), "two environments are both told as: {text}");
        assert!(error.unwrap_err().to_string().contains(&text), "{name}");
    }
}

#[test]
fn a_change_while_something_runs_is_found_at_its_end() {
    for (name, environment) in Environment::others() {
        let outcome = in_environment(Environment::DEFAULT, || {
            // SAFETY: nothing computes with floats before the check sets the default.
            checked(|| unsafe { environment.set() })
        });
        assert_eq!(outcome.map_err(|error| error.found), Err(environment), "{name}");
    }
}

#[test]
fn what_runs_between_checks_does_not_run_in_a_wrong_environment() {
    for (name, environment) in Environment::others() {
        let mut ran = false;
        assert!(in_environment(environment, || checked(|| ran = true)).is_err(), "{name}");
        assert!(!ran, "{name}");
    }
}

#[test]
fn a_host_gets_its_own_environment_back() {
    for (name, environment) in Environment::others() {
        let (inside, after) = in_environment(environment, || {
            let inside = {
                let _default = DefaultEnvironment::enter();
                Environment::current()
            };
            (inside, Environment::current())
        });
        assert!(inside.is_default(), "{name}");
        assert_eq!(after, environment, "{name}");
    }
}

#[test]
fn a_host_gets_it_back_after_a_panic_too() {
    let (_, environment) = Environment::others()[0];
    let after = in_environment(environment, || {
        let ended = catch_unwind(|| {
            let _default = DefaultEnvironment::enter();
            std::panic::resume_unwind(Box::new(()));
        });
        assert!(ended.is_err());
        Environment::current()
    });
    assert_eq!(after, environment);
}

#[test]
fn what_a_library_leaves_is_recorded_and_undone() {
    let library = Foreign::library("lib:leaves");
    for (name, environment) in Environment::others() {
        let before = library.changes().len();
        let after = in_environment(Environment::DEFAULT, || {
            for _ in 0..3 {
                // SAFETY: the call restores the environment before anything is computed.
                library.call("execute", || name.to_owned(), || unsafe { environment.set() });
            }
            Environment::current()
        });
        assert!(after.is_default(), "{name}");
        let changes = library.changes();
        assert_eq!(changes.len(), before + 1, "{name}");
        let expected = Change { call: "execute", detail: name.to_owned(), left: environment };
        assert_eq!(changes.last(), Some(&expected));
        assert_eq!(expected.to_string(), format!("`execute` of `{name}` left {environment}"));
    }
}

#[test]
fn a_library_begins_in_the_default_environment_and_may_panic() {
    let library = Foreign::library("lib:panics");
    let (_, environment) = Environment::others()[0];
    let (inside, after) = in_environment(environment, || {
        let inside = library.call("open", String::new, Environment::current);
        let ended = catch_unwind(AssertUnwindSafe(|| {
            library.call("open", String::new, || {
                // SAFETY: the call restores the environment before anything is computed.
                unsafe { environment.set() };
                std::panic::resume_unwind(Box::new(()));
            })
        }));
        assert!(ended.is_err());
        (inside, Environment::current())
    });
    assert!(inside.is_default() && after.is_default());
    assert_eq!(library.changes().len(), 1);
}

#[test]
fn changes_of_a_library_are_bounded() {
    let library = Foreign::library("lib:endless");
    let names = ["a", "b", "c"];
    for call in names {
        for (_, environment) in Environment::others() {
            library.record(call, environment, String::new);
        }
    }
    assert_eq!(library.changes().len(), (names.len() * Environment::others().len()).min(16));
}

#[test]
fn the_library_that_was_called_last_is_named() {
    // Other tests call libraries at the same time, so this test tries again.
    let named = |_| {
        Foreign::library("lib:./su\u{1b}spect.so").call("execute", String::new, || ());
        foreign::suspect().starts_with("`lib:./su\\u{1b}spect.so`, the library that was called last")
    };
    assert!((0..1000).any(named));
}

#[test]
fn a_thread_inherits_the_environment() {
    let (_, environment) = Environment::others()[0];
    let inherited = in_environment(environment, || {
        let current = || Environment::current();
        std::thread::scope(|scope| scope.spawn(current).join().expect("it does not panic"))
    });
    assert_eq!(inherited, environment);
}

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use std::arch::asm;

    use super::*;

    /// Returns the environment in which all exceptions of the x87 unit are unmasked.
    fn all_traps() -> Environment {
        let find = |wanted: &str| {
            Environment::others().into_iter().find(|(name, _)| *name == wanted).expect("there is one").1
        };
        find("all x87 traps")
    }

    #[test]
    fn a_pending_exception_of_the_x87_unit_kills_nobody() {
        let library = Foreign::library("lib:pending");
        let after = in_environment(Environment::DEFAULT, || {
            library.call("execute", String::new, || {
                // SAFETY: the call restores the environment before anything is computed.
                unsafe { all_traps().set() };
                // SAFETY: 1 / 0 leaves a pending exception and an x87 register in use. The call
                // undoes both.
                unsafe { asm!("fld1", "fldz", "fdivp", options(nostack)) };
            });
            // A pending exception would trap here.
            // SAFETY: `fwait` waits for exceptions and does nothing else.
            unsafe { asm!("fwait", options(nostack)) };
            State::left()
        });
        assert!(after.is_default(), "{after}");
        assert_eq!(library.changes().len(), 1);
    }

    #[test]
    fn registers_left_in_use_are_emptied() {
        let library = Foreign::library("lib:mmx");
        let after = in_environment(Environment::DEFAULT, || {
            // SAFETY: the call empties the registers before anything is computed.
            library.call("execute", String::new, || unsafe { asm!("pxor mm0, mm0", options(nostack)) });
            State::left()
        });
        assert!(after.is_default(), "{after}");
        let told = library.changes()[0].to_string();
        assert!(told.contains("x87 registers left in use"), "{told}");
    }

    #[test]
    fn status_flags_are_no_change_and_a_host_keeps_its_own() {
        let library = Foreign::library("lib:flags");
        let flags = in_environment(Environment::DEFAULT, || {
            // SAFETY: 1 / 0 with exceptions masked only raises a flag.
            let divide = || unsafe {
                asm!("divss {0}, {1}", inout(xmm_reg) 1.0_f32 => _, in(xmm_reg) 0.0_f32, options(nostack))
            };
            library.call("execute", String::new, divide);
            let host = {
                set_default();
                let _default = DefaultEnvironment::enter();
                divide();
                State::save().flags()
            };
            (host, State::save().flags())
        });
        assert!(library.changes().is_empty());
        assert_eq!(flags, (0b100, 0));
    }
}
