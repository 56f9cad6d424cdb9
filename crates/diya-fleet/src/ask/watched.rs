//! Which rows of an answer are the same problem from one day to the next.
//!
//! ```text
//! -- watch: key=system,ost_id value=speed_ratio down ran=system day=day
//! ```

/// How `diya fleet watch` follows the rows of a question.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Watched {
    /// Columns that say which problem a row is.
    pub key: Vec<String>,
    /// Column that says how large it is, and whether more of it is worse.
    pub value: Option<(String, bool)>,
    /// Columns of the key that a job has, too: without a new job with the same values, it is
    /// unknown whether a problem is gone.
    pub ran: Vec<String>,
    /// Column with the day of a row, where an answer has a row for each day.
    pub day: Option<String>,
}

/// Columns of `ran` as SQL over `job`.
const OF_JOB: [(&str, &str); 4] = [
    ("system", "system"),
    ("user_name", "coalesce(user_name, cast(uid as varchar), 'not recorded')"),
    ("program", "coalesce(program, 'not recorded')"),
    ("nprocs", "nprocs"),
];

impl Watched {
    /// Takes the header line apart.
    pub fn parse(text: &str) -> Result<Self, String> {
        let wrong = "`watch:` takes key=COLUMN,... value=COLUMN up|down ran=COLUMN,... day=COLUMN";
        let list = |text: &str| text.split(',').map(str::to_owned).collect::<Vec<_>>();
        let mut watched = Self::default();
        let mut words = text.split_whitespace();
        while let Some(word) = words.next() {
            match word.split_once('=') {
                Some(("key", names)) => watched.key = list(names),
                Some(("ran", names)) => watched.ran = list(names),
                Some(("day", name)) => watched.day = Some(name.to_owned()),
                Some(("value", name)) => {
                    let is_up = match words.next() {
                        Some("up") => true,
                        Some("down") => false,
                        _ => return Err(wrong.to_owned()),
                    };
                    watched.value = Some((name.to_owned(), is_up));
                }
                _ => return Err(wrong.to_owned()),
            }
        }
        if watched.key.is_empty() || watched.ran.is_empty() {
            return Err(wrong.to_owned());
        }
        let is_strange = |name: &&String| {
            !watched.key.contains(name) || OF_JOB.iter().all(|(known, _)| known != name)
        };
        match watched.ran.iter().find(is_strange) {
            Some(name) => {
                Err(format!("`ran=` names {name}, which is not in the key or no column of a job"))
            }
            None => Ok(watched),
        }
    }

    /// All columns that it names.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        let value = self.value.as_ref().map(|(name, _)| name);
        self.key.iter().chain(value).chain(&self.day).map(String::as_str)
    }

    /// The columns of `ran` in `job`.
    pub fn ran_sql(&self) -> Vec<&'static str> {
        let sql =
            |name: &String| OF_JOB.iter().find(|(known, _)| known == name).map(|(_, sql)| *sql);
        self.ran.iter().filter_map(sql).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_names_columns_and_a_direction() {
        let of = Watched::parse("key=system,ost_id value=ratio down ran=system day=day");
        let of = of.expect("it is complete");
        assert_eq!(of.value, Some(("ratio".to_owned(), false)));
        assert_eq!(of.columns().collect::<Vec<_>>(), ["system", "ost_id", "ratio", "day"]);
    }

    #[test]
    fn a_line_without_key_direction_or_jobs_is_a_fault() {
        for wrong in ["", "key=a", "key=system ran=system value=x", "key=ost_id ran=ost_id", "a"] {
            assert!(Watched::parse(wrong).is_err(), "{wrong}");
        }
    }
}
