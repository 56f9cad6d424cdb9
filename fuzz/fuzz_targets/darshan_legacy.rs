//! Any bytes as the image inside a log of Darshan 1.x or 2.x.
#![no_main]

use diya_read::{Selection, darshan_legacy};
use diya_tables::Tables;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|image: &[u8]| {
    let _ = darshan_legacy::is_legacy(image);
    let selection = Selection::all();
    let _ = darshan_legacy::read(image, 0, "fuzz", "gzip", &selection, &mut Tables::new());
});
