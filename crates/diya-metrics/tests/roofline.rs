//! Phases under the bandwidths of `diya calibrate`.

use crate::support::{JOB, rows};
use diya_tables::TableId;

/// Two ranks write small requests, later one of them reads.
const CALLS: (TableId, &str) = (
    TableId::Call,
    "log layer op    file_id rank start_s end_s busy_s size_bytes calls
     0   posix write 1       0    0       1     1      1000       1
     0   posix write 1       1    0       1     1      3000       1
     0   posix read  1       0    50      52    2      200000     1",
);

/// What was moved, on which file system.
const POSIX: (TableId, &str) = (
    TableId::Posix,
    "log file_id rank opens reads writes bytes_read bytes_written
     0   1       0    1     1     1      200000     1000
     0   1       1    1     0     1      0          3000",
);
const FILE: (TableId, &str) = (
    TableId::File,
    "log file_id path       mount    fs_type
     0   1       /scratch/a /scratch lustre",
);

const CEILINGS: (TableId, &str) = (
    TableId::MachineCeiling,
    "log mount    op    pattern workers request_bytes bandwidth_bytes_per_s
     -   /scratch write own     1       4096          500
     -   /scratch write own     4       4096          8000
     -   /scratch write rows    4       4096          6000
     -   /scratch write own     4       1048576       90000
     -   /scratch read  own     1       65536         200000
     -   /home    write own     4       4096          999999",
);

const COLUMNS: &str =
    "phase op ranks request_bytes bandwidth_bytes_per_s roof_bytes_per_s roof_ratio";

#[test]
fn a_phase_is_below_the_roof_of_its_size_and_file_system() {
    assert_eq!(
        rows("roofline", COLUMNS, &[JOB, CALLS, POSIX, FILE, CEILINGS]),
        [
            "0 write 2 2000.0 4000.0 8000.0 0.5",
            // Beyond the largest size that was measured, that one counts.
            "1 read 1 200000.0 100000.0 200000.0 0.5",
        ]
    );
}

#[test]
fn without_a_profile_of_the_file_system_there_is_no_roof() {
    let elsewhere = (
        TableId::MachineCeiling,
        "log mount op    pattern workers request_bytes bandwidth_bytes_per_s
         -   /home write own     4       4096          999999",
    );
    let found = rows("roofline", "phase roof_bytes_per_s", &[JOB, CALLS, POSIX, FILE, elsewhere]);
    assert_eq!(found, ["0 -", "1 -"]);
}
