//! Requests of GekkoFS by small texts.

use super::*;

fn rows_of(text: &str, name: &str) -> io::Result<String> {
    let mut rows = Rows::new();
    gekkofs::add_text(text.as_bytes(), name, 3, &mut rows)?;
    rows.finish().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

const CLIENT: &str = r#"{"avg_thruput_mib": [1.0, 2.0], "end_t_micro": [12, 30], "hostname": "n1",
    "pid": 77, "req_size": [33, 4096], "start_t_micro": [10, 20], "total_bytes": 4129}"#;

#[test]
fn a_client_of_gekkofs_is_a_rank_and_its_requests_are_calls() -> io::Result<()> {
    let text = rows_of(CLIENT, "write_2024.json")?;
    let lines: Vec<&str> = text.lines().skip(1).collect();
    assert_eq!(lines, ["10000,12000,write,,3,77,n1,33", "20000,30000,write,,3,77,n1,4096"]);
    assert!(rows_of(CLIENT, "read_2024.json")?.contains(",read,"));
    Ok(())
}

#[test]
fn lists_of_unequal_length_leave_cells_empty() -> io::Result<()> {
    let text = rows_of(r#"{"io_type": "read", "start_t_micro": [1, 2], "end_t_micro": [3]}"#, "")?;
    assert!(text.ends_with("\n1000,3000,read,,3,0,,\n2000,,read,,3,0,,\n"), "{text}");
    Ok(())
}

#[test]
fn requests_whose_direction_is_not_known_are_refused_with_the_way_out() {
    let error = rows_of(CLIENT, "x.json").map_err(|e| e.to_string());
    assert!(error.is_err_and(|e| e.contains("begin the name of the file with read_ or write_")));
}

#[test]
fn requests_before_a_cut_are_kept() -> io::Result<()> {
    let sorted = r#"{"end_t_micro": [12, 30, 40], "io_type": "write", "req_size": [33, 4096, 5],
        "start_t_micro": [10, 20, 3"#;
    let mut rows = Rows::new();
    gekkofs::add_text(sorted.as_bytes(), "", 0, &mut rows)?;
    assert!(rows.is_cut);
    let text = rows.finish().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())?;
    assert!(
        text.ends_with("\n10000,12000,write,,0,0,,33\n20000,30000,write,,0,0,,4096\n"),
        "{text}"
    );
    Ok(())
}

#[test]
fn a_damaged_client_says_where() {
    let error = rows_of(&CLIENT[..60], "write_1.json").map_err(|e| e.to_string());
    assert!(error.is_err_and(|e| e.contains("line 1, column")));
}
