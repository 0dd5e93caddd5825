//! Tests launches, branches, memory and traps.

use assay_ptx::{Launch, Module, Parameter, Trap};

use crate::support::{Words, word};

/// A kernel that stores its number in each word of a grid, up to a count.
const NUMBER: &str = "
.version 8.2
.target sm_90
.address_size 64
.visible .entry number(.param .u64 to, .param .u32 count)
{
    .reg .b32 %block, %threads, %lane, %thread, %count;
    .reg .b64 %to, %place;
    .reg .pred %beyond;
    ld.param.u64 %to, [to];
    ld.param.u32 %count, [count];
    mov.u32 %block, %ctaid.x;
    mov.u32 %threads, %ntid.x;
    mov.u32 %lane, %tid.x;
    mad.lo.u32 %thread, %block, %threads, %lane;
    setp.ge.u32 %beyond, %thread, %count;
    @%beyond bra DONE;
    cvta.to.global.u64 %to, %to;
    mul.wide.u32 %place, %thread, 4;
    add.u64 %to, %to, %place;
    st.volatile.global.b32 [%to], %thread;
DONE:
    ret;
}
";

fn launch(blocks: u32, threads: u32) -> Launch {
    Launch { blocks, threads }
}

#[test]
fn every_thread_of_the_grid_runs_until_it_branches() {
    let module = Module::parse(NUMBER).unwrap();
    let kernel = module.kernel("number").unwrap();
    assert_eq!((module.target(), module.kernels().count()), ("sm_90", 1));
    assert_eq!(kernel.name(), "number");
    assert_eq!(kernel.parameters(), [Parameter::U64, Parameter::U32]);
    assert!(module.kernel("other").is_none());
    for (blocks, threads) in [(0, 5), (5, 0), (1, 1), (3, 100), (2, 256), (2, 700), (1, 1024)] {
        for count in [0, 1, blocks * threads / 2, blocks * threads] {
            let mut words = Words(vec![u32::MAX; 2048]);
            kernel.run(&launch(blocks, threads), &[0, count.into()], &mut words).unwrap();
            let expected =
                (0..2048).map(|index| if index < count.min(blocks * threads) { index } else { u32::MAX });
            assert!(words.0.into_iter().eq(expected), "{blocks} blocks of {threads}, {count}");
        }
    }
}

#[test]
fn a_trap_names_what_was_not_there() {
    let module = Module::parse(NUMBER).unwrap();
    let kernel = module.kernel("number").unwrap();
    let run = |arguments: &[u64]| kernel.run(&launch(1, 8), arguments, &mut Words(vec![0; 4]));
    assert_eq!(run(&[0, 8]), Err(Trap::Store { address: 16, line: 21, block: 0, thread: 4 }));
    assert_eq!(run(&[2, 8]), Err(Trap::Store { address: 2, line: 21, block: 0, thread: 0 }));
    for arguments in [vec![], vec![0], vec![0, 1, 2], vec![0, 1 << 32]] {
        assert!(matches!(run(&arguments), Err(Trap::Arguments { .. })), "{arguments:?}");
    }
    let text = NUMBER.replace("st.volatile.global.b32 [%to], %thread", "ld.global.b32 %lane, [%to]");
    let module = Module::parse(&text).unwrap();
    let found = module.kernel("number").unwrap().run(&launch(1, 8), &[8, 8], &mut Words(vec![0; 4]));
    assert_eq!(found, Err(Trap::Load { address: 16, line: 21, block: 0, thread: 2 }));
}

#[test]
fn branches_skip_what_is_between() {
    let body = "setp.eq.u32 %p0, %i0, 1; setp.eq.u32 %p1, %i0, 2; mov.u32 %o0, 10;
        @%p0 bra ONE; @%p1 bra TWO; bra END;
        ONE: add.u32 %o0, %o0, 1; @!%p1 bra END;
        TWO: add.u32 %o0, %o0, 2;
        END: add.u32 %o0, %o0, 100;";
    assert_eq!([0, 1, 2].map(|input| word(body, &[input])), [110, 111, 112]);
}

#[test]
fn only_some_threads_execute_what_is_guarded() {
    let body = "setp.eq.u32 %p0, %i0, 1; setp.eq.u32 %p1, %i0, 2; mov.u32 %o0, 10;
        @%p0 add.u32 %o0, %o0, 1; @!%p1 add.u32 %o0, %o0, 2; @!%p1 selp.u32 %o0, 5, %o0, !%p1;";
    assert_eq!([0, 1, 2].map(|input| word(body, &[input])), [5, 5, 10]);
    let body = "setp.eq.u32 %p0, %i0, 1; mov.u32 %o0, 10; @%p0 add.u32 %o0, %o0, 1;";
    assert_eq!([0, 1].map(|input| word(body, &[input])), [10, 11]);
}
