//! First messages of devices of each protocol version. `docs/compatibility.md` promises that they
//! can be read.

use std::path::Path;

use assay_device::{Declaration, HelloReply};

#[test]
fn the_welcome_of_each_version() {
    for (name, protocol, is_binding) in [("protocol-1.json", 1, false), ("protocol-2.json", 2, true)] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../lab/testing/data/old/device").join(name);
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let reply: HelloReply = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(reply.protocol, protocol);
        let declaration = Declaration::new(&reply).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!((declaration.is_binding(), declaration.optypes()), (is_binding, vec!["POPC", "FADD"]));
    }
}
