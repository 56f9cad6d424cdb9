//! What filters of HDF5 make of the bytes that a process writes.

use crate::support::{JOB, rows};
use diya_tables::TableId;

#[test]
fn what_filters_save_is_the_difference_between_datasets_and_files() {
    // Dataset 1 has a filter, dataset 2 none; file 9 holds both, file 8 is no file of HDF5.
    let counts = "log file_id rank layer        op     calls bytes
                  0   1       0    hdf5_dataset write  1     1000
                  0   2       0    hdf5_dataset write  1     500
                  0   9       0    hdf5_file    create 1     -
                  0   9       0    posix        write  1     700
                  0   8       0    posix        write  1     9000";
    let filters = "log file_id rank layer        name    value
                   0   1       0    hdf5_dataset filters deflate
                   0   2       0    hdf5_dataset filters -";
    let tables = [JOB, (TableId::OpCount, counts), (TableId::Attribute, filters)];
    assert_eq!(
        rows("filter_effect", "rank packed_bytes saved_bytes stored_ratio", &tables),
        ["0 1000 800 0.2"]
    );
    // Without a filter there is no effect.
    assert!(rows("filter_effect", "rank", &[JOB, (TableId::OpCount, counts)]).is_empty());
}
