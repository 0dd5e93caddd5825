//! Device memory: every allocation is separate, and starts filled with garbage.

/// The allocations, sorted by address.
#[derive(Default)]
pub struct Memory {
    allocations: Vec<Allocation>,
    /// Bytes of address space that were allocated so far, gaps included. No address is used twice.
    used: u64,
}

struct Allocation {
    address: u64,
    words: Vec<u32>,
}

/// Address of the first allocation. This address is not valid on the host.
const FIRST: u64 = 0x7f00_0000_0000_0000;
/// Size of the device memory in bytes.
const ALL: usize = 1 << 30;
/// Minimum gap between allocations in bytes, so that an access beyond the end of one allocation
/// hits no other. Also the alignment of allocations.
const GAP: u64 = 1 << 20;
/// The content of memory before it is written.
const RUBBISH: u32 = 0xa5a5_a5a5;

const WORD: usize = size_of::<u32>();

impl Memory {
    /// Allocates `bytes` bytes, rounded up to whole words. Returns the address. `None` if the
    /// device has too little free memory.
    pub fn allocate(&mut self, bytes: usize) -> Option<u64> {
        let given: usize = self.allocations.iter().map(|allocation| WORD * allocation.words.len()).sum();
        if bytes > ALL - given {
            return None;
        }
        let address = FIRST + self.used;
        self.used += (bytes as u64).next_multiple_of(GAP) + GAP;
        self.allocations.push(Allocation { address, words: vec![RUBBISH; bytes.div_ceil(WORD)] });
        Some(address)
    }

    /// Frees the allocation that begins at an address. Returns whether there was one.
    pub fn free(&mut self, address: u64) -> bool {
        let place = self.allocations.iter().position(|allocation| allocation.address == address);
        place.map(|place| self.allocations.remove(place)).is_some()
    }

    /// Returns the words from an address on. `None` unless all of them are in one allocation.
    pub fn words(&mut self, address: u64, bytes: usize) -> Option<&mut [u32]> {
        let (allocation, first) = self.place(address)?;
        if !bytes.is_multiple_of(WORD) {
            return None;
        }
        self.allocations[allocation].words.get_mut(first..)?.get_mut(..bytes / WORD)
    }

    /// Returns the last allocation at or before an address, and the index of the addressed word in
    /// it.
    fn place(&self, address: u64) -> Option<(usize, usize)> {
        let before = self.allocations.partition_point(|allocation| allocation.address <= address);
        let allocation = before.checked_sub(1)?;
        let offset = usize::try_from(address - self.allocations[allocation].address).ok()?;
        offset.is_multiple_of(WORD).then_some((allocation, offset / WORD))
    }
}

impl assay_ptx::Memory for Memory {
    fn load(&self, address: u64) -> Option<u32> {
        let (allocation, word) = self.place(address)?;
        self.allocations[allocation].words.get(word).copied()
    }

    fn store(&mut self, address: u64, word: u32) -> Option<()> {
        let (allocation, place) = self.place(address)?;
        *self.allocations[allocation].words.get_mut(place)? = word;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use assay_ptx::Memory as _;

    use super::*;

    #[test]
    fn words_are_those_of_one_allocation() {
        let mut memory = Memory::default();
        let (first, second) = (memory.allocate(8).unwrap(), memory.allocate(4).unwrap());
        assert_eq!(memory.words(first, 8), Some(&mut [RUBBISH; 2][..]));
        assert_eq!(memory.store(first + 4, 7), Some(()));
        assert_eq!((memory.load(first), memory.load(first + 4)), (Some(RUBBISH), Some(7)));
        for (address, bytes) in [(first, 12), (first + 4, 8), (first + 8, 4), (first + 2, 4), (first, 6)] {
            assert_eq!(memory.words(address, bytes), None, "{bytes} from {:#x}", address - first);
        }
        assert_eq!(
            (memory.load(first - 4), memory.load(first + 8), memory.load(second + 4)),
            (None, None, None)
        );
    }

    #[test]
    fn the_device_has_an_end() {
        let mut memory = Memory::default();
        let whole = memory.allocate(ALL).unwrap();
        assert_eq!((memory.allocate(1), memory.allocate(1 << 62)), (None, None));
        assert!(memory.free(whole) && memory.allocate(1).is_some());
    }

    #[test]
    fn what_was_freed_is_gone() {
        let mut memory = Memory::default();
        let (first, second) = (memory.allocate(4).unwrap(), memory.allocate(4).unwrap());
        assert!(!memory.free(first + 4), "it begins elsewhere");
        assert!(memory.free(first) && !memory.free(first));
        assert_eq!((memory.load(first), memory.store(first, 0)), (None, None));
        assert_eq!(memory.load(second), Some(RUBBISH));
        assert_ne!(memory.allocate(4), Some(first));
    }
}
