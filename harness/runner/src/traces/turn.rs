//! Workers that take numbered pieces in any order and pass one gate in the order of the numbers.
//!
//! The hash of a trace is over its rows in order, while its row groups are decoded and judged on all threads. So each
//! worker decodes a group, waits for its turn to add it to the hash, and judges it. A group that cannot be decoded
//! closes the gate: those before it have passed and are judged, those behind it are not, on any number of threads.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A gate to something that is used in order.
pub struct Turn<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
    pieces: usize,
}

struct State<T> {
    shared: T,
    /// The number that is taken next.
    next: usize,
    /// The number whose turn it is.
    turn: usize,
    /// From which number on nobody passes any more.
    end: usize,
}

impl<T> Turn<T> {
    /// A gate for so many pieces.
    pub fn new(shared: T, pieces: usize) -> Turn<T> {
        let state = State { shared, next: 0, turn: 0, end: pieces };
        Turn { state: Mutex::new(state), changed: Condvar::new(), pieces }
    }

    fn state(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the next piece, if there is one and the gate is open.
    pub fn take(&self) -> Option<Ticket<'_, T>> {
        let mut state = self.state();
        let piece = state.next;
        let is_open = piece < state.end;
        is_open.then(|| {
            state.next += 1;
            Ticket { gate: self, piece }
        })
    }

    /// Lets nobody take or pass any more.
    pub fn stop(&self) {
        self.close(0);
    }

    /// Lets nobody pass from a piece on. Those before it still do, in their turn.
    fn close(&self, piece: usize) {
        let mut state = self.state();
        state.end = state.end.min(piece);
        self.changed.notify_all();
    }

    /// What is shared, and whether every piece has passed.
    pub fn finish(self) -> (T, bool) {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        (state.shared, state.turn == self.pieces)
    }
}

/// A piece that has yet to pass. Dropped before, it closes the gate, for nobody behind it can pass then.
pub struct Ticket<'a, T> {
    gate: &'a Turn<T>,
    /// The number of the piece.
    pub piece: usize,
}

impl<T> Ticket<'_, T> {
    /// Waits for its turn, and passes. Answers whether the gate was open.
    pub fn pass(self, act: impl FnOnce(&mut T)) -> bool {
        let state = self.gate.state();
        let waits = |state: &mut State<T>| self.piece < state.end && state.turn < self.piece;
        let waited = self.gate.changed.wait_while(state, waits);
        let mut state = waited.unwrap_or_else(PoisonError::into_inner);
        let is_open = self.piece < state.end && state.turn == self.piece;
        if is_open {
            act(&mut state.shared);
            state.turn += 1;
        }
        is_open
    }
}

impl<T> Drop for Ticket<'_, T> {
    fn drop(&mut self) {
        let has_passed = self.gate.state().turn > self.piece;
        if !has_passed {
            self.gate.close(self.piece);
        }
        self.gate.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_pass_in_order_until_one_is_dropped() {
        for broken in [usize::MAX, 0, 37] {
            let gate = Turn::new(Vec::new(), 100);
            std::thread::scope(|scope| {
                for _ in 0..4 {
                    scope.spawn(|| {
                        while let Some(ticket) = gate.take() {
                            let piece = ticket.piece;
                            // Those before the broken one are late: it must wait for none of them, nor they for it.
                            if broken != usize::MAX && piece < broken {
                                std::thread::sleep(std::time::Duration::from_millis(1));
                            }
                            if piece == broken || !ticket.pass(|list: &mut Vec<usize>| list.push(piece)) {
                                break;
                            }
                        }
                    });
                }
            });
            let (list, whole) = gate.finish();
            assert_eq!((list, whole), ((0..broken.min(100)).collect(), broken > 100));
        }
    }
}
