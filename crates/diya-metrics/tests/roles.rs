//! `schema/tables` says what a counter means; the tables that layers share agree
//! about every layer.

use crate::support::{JOB, rows};
use diya_model::{Layer, Role};
use diya_tables::{TableDef, TableId};

/// Tables of layers with counters of calls.
fn layers() -> Vec<TableId> {
    let is_layer = |def: &TableDef| Layer::from_name(def.name).is_some();
    let all = TableId::ALL.into_iter().filter(|id| is_layer(id.def()));
    all.filter(|id| id.def().calls().next().is_some()).collect()
}

/// One record, each column with a value of its own: 1, 2, 4, ...
fn record(names: &[&str]) -> String {
    let values: Vec<String> = (0..names.len()).map(|bit| (1_u64 << bit).to_string()).collect();
    format!("log file_id rank {}\n0 1 0 {}", names.join(" "), values.join(" "))
}

#[test]
fn every_layer_counts_opens_and_most_count_reads() {
    let names: Vec<&str> = layers().iter().map(|id| id.def().name).collect();
    let of = |role| {
        let tables = layers().into_iter().filter(|id| id.def().with_role(role).next().is_some());
        tables.map(|id| id.def().name).collect::<Vec<_>>()
    };
    assert_eq!(of(Role::Open), names);
    assert_eq!(
        of(Role::Read),
        ["daos", "dfs", "hdf5_dataset", "mpiio", "pnetcdf_var", "posix", "stdio"]
    );
    assert_eq!((of(Role::BytesRead), of(Role::WriteTime)), (of(Role::Read), of(Role::Read)));
}

#[test]
fn counts_of_files_and_of_kinds_of_calls_agree() {
    for id in layers() {
        let def = id.def();
        let counters: Vec<(usize, &str)> = def.calls().collect();
        let names: Vec<&str> = counters.iter().map(|(at, _)| def.columns[*at].name).collect();
        let record = record(&names);
        let tables = [JOB, (id, record.as_str())];
        let sum = |roles: &[Role]| {
            let of_roles = counters
                .iter()
                .zip(0..)
                .filter(|((at, _), _)| def.columns[*at].role.is_some_and(|r| roles.contains(&r)));
            let sum = of_roles.map(|(_, bit)| 1_u64 << bit).reduce(|a, b| a + b);
            sum.map_or("-".to_owned(), |sum| sum.to_string())
        };
        let expected: Vec<String> = [
            &[Role::Open][..],
            &[Role::Read],
            &[Role::Write],
            &[Role::Seek],
            &[Role::Stat],
            &[Role::Sync, Role::Flush],
        ]
        .into_iter()
        .map(sum)
        .collect();
        let columns = "opens reads writes seeks stats syncs";
        assert_eq!(rows("file_use", columns, &tables), [expected.join(" ")], "{}", def.name);

        let mut kinds: Vec<String> = counters
            .iter()
            .zip(0..)
            .map(|((_, kind), bit)| format!("{} {kind} {}", def.name, 1_u64 << bit))
            .collect();
        kinds.sort();
        assert_eq!(rows("call_count", "layer kind calls", &tables), kinds);
    }
}

#[test]
fn a_counter_that_was_not_recorded_leaves_the_others_of_its_role() {
    let mpiio = "log file_id rank indep_reads coll_reads split_reads nb_reads indep_writes coll_writes split_writes \
                 nb_writes
                 0   1       0    2           -          -           -        -            -           -            -";
    let tables = [JOB, (TableId::Mpiio, mpiio)];
    assert_eq!(rows("file_use", "reads writes", &tables), ["2 -"]);
}

#[test]
fn every_layer_has_the_same_rule_for_times_below_zero() {
    for id in layers().into_iter().filter(|id| id.def().with_role(Role::ReadTime).next().is_some())
    {
        let record = "log file_id rank f_read_time f_write_time f_meta_time
                      0   1       0    -0.001      -2662        1.5";
        let tables = [JOB, (id, record)];
        assert_eq!(rows("file_use", "read_s write_s metadata_s", &tables), ["0.0 - 1.5"]);
    }
}
