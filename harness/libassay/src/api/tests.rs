//! Tests the interface with right and wrong calls.

use super::*;

/// Returns a session under `intended` with a selected instruction.
fn about(instruction: &str) -> *mut Handle {
    let (mut handle, mut word) = (ptr::null_mut(), [0; 2]);
    let instruction = c_text(instruction);
    // SAFETY: the texts end with a zero, and there is room for the results.
    unsafe {
        assert_eq!(assay_open(1, c"intended".as_ptr(), c"".as_ptr(), &raw mut handle), ASSAY_OK);
        assert_eq!(assay_assemble(handle, instruction.as_ptr(), word.as_mut_ptr()), ASSAY_OK);
        assert_eq!(assay_select(handle, word.as_ptr()), ASSAY_OK);
    }
    handle
}

fn error(handle: *const Handle) -> String {
    // SAFETY: the handle comes from assay_open, and the text ends with a zero.
    unsafe { CStr::from_ptr(assay_error(handle)) }.to_str().unwrap().to_owned()
}

fn close(handle: *mut Handle) {
    // SAFETY: the handle comes from assay_open, and is not used again.
    unsafe { assay_close(handle) }
}

#[test]
fn a_panic_breaks_its_session_and_nothing_else() {
    let (broken, sound) = (about("NOP"), about("NOP"));
    // SAFETY: the handles come from assay_open.
    unsafe {
        assert_eq!(guarded(broken, |_| panic!("lane {}", 7)), ASSAY_BROKEN);
        assert!(error(broken).contains("lane 7"));
        assert_eq!(assay_select(broken, [0; 2].as_ptr()), ASSAY_BROKEN);
        assert_eq!(guarded(sound, |_| Ok(ASSAY_OK)), ASSAY_OK);
    }
    close(broken);
    close(sound);
}

#[test]
fn what_is_wrong_with_a_call_is_said() {
    let mut handle = ptr::null_mut();
    // SAFETY: the texts end with a zero. There is room for the results, or the pointer is NULL,
    // which is refused.
    unsafe {
        assert_eq!(assay_open(2, c"intended".as_ptr(), c"".as_ptr(), &raw mut handle), ASSAY_REFUSED);
        assert!(handle.is_null());
        for (profile, readings, why) in [
            (c"nosuch".as_ptr(), c"".as_ptr(), "nosuch"),
            (c"intended".as_ptr(), c"E173=9".as_ptr(), "settings 1 to 2"),
            (ptr::null(), c"".as_ptr(), "NULL"),
            (c"\xff".as_ptr(), c"".as_ptr(), "UTF-8"),
        ] {
            assert_eq!(assay_open(1, profile, readings, &raw mut handle), ASSAY_REFUSED);
            assert!(error(handle).contains(why), "{}", error(handle));
            assert_eq!(assay_select(handle, [0; 2].as_ptr()), ASSAY_BROKEN);
            close(handle);
        }
        assert_eq!(assay_open(1, c"intended".as_ptr(), c"".as_ptr(), &raw mut handle), ASSAY_OK);
        let mut word = [0; 2];
        assert!(assay_input_name(handle, 0).is_null() && error(handle).contains("assay_select"));
        assert_eq!(assay_assemble(handle, c"FROB R0".as_ptr(), word.as_mut_ptr()), ASSAY_REFUSED);
        assert!(error(handle).contains("FROB"), "{}", error(handle));
        assert_eq!(assay_assemble(handle, c"NOP".as_ptr(), ptr::null_mut()), ASSAY_REFUSED);
        assert_eq!(assay_select(handle, [0xff, 0].as_ptr()), ASSAY_REFUSED);
        assert_eq!(assay_select(ptr::null_mut(), word.as_ptr()), ASSAY_REFUSED);
        assert!(assay_disassemble(handle, [0xff, 0].as_ptr()).is_null());
        close(handle);
        let handle = about("FSEL R0, R1, R2, P0");
        let (mut out, mut written) = ([0; 1], [0; 1]);
        let execute = |inputs: *const u32, out: *mut u32, written: *mut u8, lanes: u32| {
            assay_execute(handle, lanes, inputs, out, written)
        };
        assert_eq!(execute([1, 2, 2].as_ptr(), out.as_mut_ptr(), written.as_mut_ptr(), 1), ASSAY_REFUSED);
        assert!(error(handle).contains("holds 0 or 1"), "{}", error(handle));
        assert_eq!(execute(ptr::null(), out.as_mut_ptr(), written.as_mut_ptr(), 1), ASSAY_REFUSED);
        assert_eq!(execute(ptr::null(), ptr::null_mut(), ptr::null_mut(), 0), ASSAY_OK);
        assert!(assay_verdict(handle, 0).is_null() && error(handle).contains("lane"));
        assert_eq!(assay_add_input(handle, c"R7".as_ptr()), ASSAY_REFUSED);
        close(handle);
        assay_close(ptr::null_mut());
    }
}

/// For one legal mode of every form without indexed access, the judge accepts the model's result,
/// and the truth allows it.
#[test]
fn the_model_holds_on_every_form() {
    let (mut forms, mut events) = (0, 0);
    for form in &assay_isa::catalog().forms {
        let mode = assay_isa::lint::combinations(form).find(|i| assay_isa::legality::check(i).is_ok());
        let mode = mode.expect("every form has a legal mode");
        if mode.access().is_some() {
            continue;
        }
        let handle = about(&assay_isa::asm::print(&mode));
        let predicate = |location: &Location| location.is_predicate();
        let reads = mode.reads();
        let inputs: Vec<u32> = reads.iter().map(|l| if predicate(l) { 1 } else { 0x3f80_0001 }).collect();
        let places = mode.writes().len();
        let (mut out, mut written) = (vec![9; places], vec![9; places]);
        let (mut low, mut high, mut states) = (vec![9; places], vec![9; places], vec![9; places]);
        let (mut verdict, mut ulp) = ([9], [9]);
        // SAFETY: the arrays have an element for each input and output of one lane.
        unsafe {
            let (i, o, w) = (inputs.as_ptr(), out.as_mut_ptr(), written.as_mut_ptr());
            assert_eq!(assay_execute(handle, 1, i, o, w), ASSAY_OK, "{}: {}", form.name, error(handle));
            let (l, h, s) = (low.as_mut_ptr(), high.as_mut_ptr(), states.as_mut_ptr());
            assert_eq!(assay_truth(handle, 1, i, l, h, s), ASSAY_OK, "{}: {}", form.name, error(handle));
            let event = CStr::from_ptr(assay_truth_event(handle, 0)).to_owned();
            events += usize::from(!event.is_empty());
            let list = [if event.is_empty() { ptr::null() } else { event.as_ptr() }];
            let (v, u) = (verdict.as_mut_ptr(), ulp.as_mut_ptr());
            assert_eq!(assay_judge(handle, 1, i, o, w, list.as_ptr(), v, u), ASSAY_OK, "{}", form.name);
        }
        assert_ne!(verdict[0], ASSAY_DIVERGED, "{}", form.name);
        for place in 0..places {
            let (value, span) = (out[place], low[place]..=high[place]);
            match states[place] {
                ASSAY_TRUTH_NOT_WRITTEN => assert_eq!(written[place], 0, "{}", form.name),
                ASSAY_TRUTH_SPAN => {
                    assert!(written[place] == 1 && span.contains(&value), "{}", form.name)
                }
                state => {
                    assert!(state <= ASSAY_TRUTH_UNLISTED && verdict[0] != ASSAY_EXACT, "{}", form.name)
                }
            }
            // If the truth is a span, a result with one flipped bit diverges.
            if states[place] == ASSAY_TRUTH_SPAN {
                let mut other = out.clone();
                other[place] ^= if low[place] > 1 || reads.is_empty() { 0x4000_0000 } else { 1 };
                // SAFETY: as above.
                let status = unsafe {
                    let (i, o, w) = (inputs.as_ptr(), other.as_ptr(), written.as_ptr());
                    assay_judge(handle, 1, i, o, w, ptr::null(), verdict.as_mut_ptr(), ulp.as_mut_ptr())
                };
                assert_eq!((status, verdict[0]), (ASSAY_OK, ASSAY_DIVERGED), "{}", form.name);
            }
        }
        forms += 1;
        close(handle);
    }
    assert!(forms > 100 && events >= 5, "{forms} forms, {events} with an event");
}

#[test]
fn a_place_that_a_value_leads_to_is_added() {
    let handle = about("GETUGPR UR0, UR[UR1+0x1]");
    // SAFETY: the texts end with a zero, and the arrays have an element for each input and output.
    unsafe {
        assert_eq!(assay_add_input(handle, c"UR6".as_ptr()), ASSAY_OK, "{}", error(handle));
        let names = [0, 1, 2].map(|n| assay_input_name(handle, n));
        let [first, second, none] = names;
        assert_eq!((CStr::from_ptr(first), CStr::from_ptr(second)), (c"UR1", c"UR6"));
        assert!(none.is_null());
        let (mut out, mut written) = ([0], [0]);
        let status = assay_execute(handle, 1, [5, 42].as_ptr(), out.as_mut_ptr(), written.as_mut_ptr());
        assert_eq!((status, out, written), (ASSAY_OK, [42], [1]), "{}", error(handle));
    }
    close(handle);
}

#[test]
fn sessions_work_on_threads_of_their_own() {
    let work = |thread: u32| {
        let handle = about("UIADD UR0, UR1, UR2");
        let (mut out, mut written) = ([0; 1], [0; 1]);
        for n in 0..1000 {
            // SAFETY: the arrays have an element for each input and output.
            unsafe { assay_execute(handle, 1, [n, thread].as_ptr(), out.as_mut_ptr(), written.as_mut_ptr()) };
            assert_eq!(out[0], n + thread);
        }
        close(handle);
    };
    std::thread::scope(|scope| (0..4).for_each(|thread| drop(scope.spawn(move || work(thread)))));
}
