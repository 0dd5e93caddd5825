//! Integration tests of the device protocol and the C header, in one program.

mod header;
mod old_files;
mod protocol;
