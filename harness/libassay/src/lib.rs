//! Model, truth and judge behind a C interface, for simulators and scripts that call `assay`.
//!
//! [`api`] has the exported functions, from which `include/assay.h` is generated. Only that module
//! has unsafe code. A handle refers to a session of the crate `assay-session`.
//!
//! ```
//! use assay::api::{ASSAY_API_VERSION, ASSAY_OK, assay_assemble, assay_close, assay_open};
//!
//! let (mut session, mut word) = (std::ptr::null_mut(), [0; 2]);
//! // SAFETY: the texts end with a zero, `word` has two places, and the session is closed once.
//! unsafe {
//!     assert_eq!(assay_open(ASSAY_API_VERSION, c"intended".as_ptr(), c"".as_ptr(), &mut session), ASSAY_OK);
//!     assert_eq!(assay_assemble(session, c"FADD R0, R1, R2".as_ptr(), word.as_mut_ptr()), ASSAY_OK);
//!     assay_close(session);
//! }
//! assert_ne!(word, [0; 2]);
//! ```

pub mod api;
