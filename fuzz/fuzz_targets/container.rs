//! Any bytes as a file that is compressed as a whole.
#![no_main]

use diya_read::container;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|file: &[u8]| {
    let is_packed = container::is_packed(file);
    assert_eq!(container::unpack(file).is_some(), is_packed);
});
