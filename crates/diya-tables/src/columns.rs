//! Columns of a table by their names, with their types: [`columns!`].

use crate::def::{Kind, TableDef};
use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Float64Type, Int32Type, Int64Type, TimestampNanosecondType, UInt64Type,
};
use arrow_array::{Array, ArrayRef, BooleanArray, PrimitiveArray, StringViewArray};
use std::ops::Deref;

/// The type of a column, by the type of its values: `i32`, `i64`, `u64`, `f64`, `bool`,
/// `str`, [`TimestampNs`].
pub trait CellType {
    /// The same in the definition of a table.
    const KIND: Kind;
    /// Its array in Arrow.
    type Array: Array + Clone + 'static;
    /// One of its values.
    type Value<'a>;

    /// The value of a row.
    fn value(array: &Self::Array, row: usize) -> Self::Value<'_>;

    /// The array as what it is; `None`: it has another type.
    fn downcast(array: &ArrayRef) -> Option<&Self::Array>;
}

/// A column of times since 1970, in nanoseconds.
#[derive(Debug)]
pub struct TimestampNs;

macro_rules! primitive {
    ($($cell:ty = $kind:ident $arrow:ty;)*) => {
        $(impl CellType for $cell {
            const KIND: Kind = Kind::$kind;
            type Array = PrimitiveArray<$arrow>;
            type Value<'a> = <$arrow as ArrowPrimitiveType>::Native;

            #[inline(always)]
            fn value(array: &Self::Array, row: usize) -> Self::Value<'_> {
                array.value(row)
            }

            fn downcast(array: &ArrayRef) -> Option<&Self::Array> {
                array.as_primitive_opt()
            }
        })*
    };
}

primitive! {
    i32 = I32 Int32Type;
    i64 = I64 Int64Type;
    u64 = U64 UInt64Type;
    f64 = F64 Float64Type;
    TimestampNs = TimestampNs TimestampNanosecondType;
}

impl CellType for bool {
    const KIND: Kind = Kind::Bool;
    type Array = BooleanArray;
    type Value<'a> = Self;

    fn value(array: &BooleanArray, row: usize) -> Self {
        array.value(row)
    }

    fn downcast(array: &ArrayRef) -> Option<&BooleanArray> {
        array.as_boolean_opt()
    }
}

impl CellType for str {
    const KIND: Kind = Kind::Str;
    type Array = StringViewArray;
    type Value<'a> = &'a Self;

    fn value(array: &StringViewArray, row: usize) -> &Self {
        array.value(row)
    }

    fn downcast(array: &ArrayRef) -> Option<&StringViewArray> {
        array.as_string_view_opt()
    }
}

/// A column whose type is known: an array of Arrow, with [`Column::get`] for null.
#[derive(Debug)]
pub struct Column<T: CellType + ?Sized>(T::Array);

impl<T: CellType + ?Sized> Clone for Column<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T: CellType + ?Sized> Column<T> {
    /// The value of a row; `None`: null.
    #[inline(always)]
    pub fn get(&self, row: usize) -> Option<T::Value<'_>> {
        self.0.is_valid(row).then(|| T::value(&self.0, row))
    }

    /// The next of some arrays.
    ///
    /// # Panics
    ///
    /// When there is none, or of another type: the batch is of another table.
    pub fn next<'a>(arrays: &mut impl Iterator<Item = &'a ArrayRef>) -> Self {
        let array = arrays.next().and_then(T::downcast);
        Self(array.expect("the columns that were asked for").clone())
    }

    /// An array; `None`: it has another type.
    pub fn of(array: &ArrayRef) -> Option<Self> {
        T::downcast(array).cloned().map(Self)
    }
}

impl<T: CellType + ?Sized> Deref for Column<T> {
    type Target = T::Array;

    #[inline(always)]
    fn deref(&self) -> &T::Array {
        &self.0
    }
}

/// Number of the column with this name and type, when the program is compiled.
#[doc(hidden)]
pub const fn column_number(def: &TableDef, name: &str, kind: Kind) -> usize {
    let mut number = 0;
    while number < def.columns.len() {
        let column = &def.columns[number];
        if is_same(column.name, name) {
            assert!(column.kind as u8 == kind as u8, "the column has another type");
            return number;
        }
        number += 1;
    }
    panic!("the table has no such column")
}

/// The same in a list of names and types.
#[doc(hidden)]
pub const fn listed_column(columns: &[(&str, Kind)], name: &str, kind: Kind) -> usize {
    let mut number = 0;
    while number < columns.len() {
        if is_same(columns[number].0, name) {
            assert!(columns[number].1 as u8 == kind as u8, "the column has another type");
            return number;
        }
        number += 1;
    }
    panic!("the table has no such column")
}

const fn is_same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}

/// Declares the columns that a function reads, by name and type, as a struct with one
/// [`Column`] each. No column is read by its number.
///
/// - `struct Jobs of job { .. }`: columns of a table of the contract. A name or type that
///   the table does not have does not compile.
/// - `struct Phases of metric phase { .. }`: the same of a metric, inside `diya-metrics`.
/// - `struct Rows by name { .. }`: columns of any batch, such as the result of a query,
///   looked up when it is read.
///
/// ```
/// use diya_tables::{BatchSource, job};
/// use std::sync::Arc;
///
/// diya_tables::columns! {
///     struct Jobs of job { log: i32, nprocs: i64 }
/// }
///
/// let tables: Vec<Arc<dyn BatchSource>> = Vec::new();
/// assert_eq!(Jobs::all(&tables).map(|jobs| jobs.rows()).sum::<usize>(), 0);
/// ```
#[macro_export]
#[allow(clippy::crate_in_macro_def)] // the names of metrics are in the crate that has them
macro_rules! columns {
    ($(#[$about:meta])* $vis:vis struct $name:ident of metric $table:ident {
        $($column:ident: $kind:ty),+ $(,)?
    }) => {
        $crate::columns!(@fields $(#[$about])* $vis $name { $($column: $kind),+ });
        $crate::columns!(@read $vis $name stringify!($table); [$($crate::listed_column(
            crate::headers::$table,
            stringify!($column),
            <$kind as $crate::CellType>::KIND,
        )),+]);
    };
    ($(#[$about:meta])* $vis:vis struct $name:ident of $table:ident {
        $($column:ident: $kind:ty),+ $(,)?
    }) => {
        $crate::columns!(@fields $(#[$about])* $vis $name { $($column: $kind),+ });
        $crate::columns!(@read $vis $name $table::DEF.name; [$($crate::column_number(
            &$table::DEF,
            stringify!($column),
            <$kind as $crate::CellType>::KIND,
        )),+]);
    };
    ($(#[$about:meta])* $vis:vis struct $name:ident by name {
        $($column:ident: $kind:ty),+ $(,)?
    }) => {
        $crate::columns!(@fields $(#[$about])* $vis $name { $($column: $kind),+ });

        #[allow(dead_code)] // not every reader needs every function
        impl $name {
            /// Numbers of the columns in a table; `None`: it does not have all of them.
            $vis fn numbers(def: &$crate::TableDef) -> Option<Vec<usize>> {
                [$(stringify!($column)),+].into_iter().map(|name| def.column(name)).collect()
            }

            /// Columns of a table, batch by batch; nothing where one is missing.
            $vis fn batches(table: &dyn $crate::BatchSource) -> impl Iterator<Item = Self> {
                let numbers = Self::numbers(table.def()).unwrap_or_default();
                let batches = if numbers.is_empty() { 0 } else { table.batches() };
                (0..batches).map(move |number| Self::of(&table.batch(number, &numbers)))
            }

            /// Columns of a batch, wherever they are; `None`: one is missing, or of
            /// another type.
            $vis fn named(batch: &$crate::RecordBatch) -> Option<Self> {
                Some(Self {
                    $($column: $crate::Column::of(
                        batch.column_by_name(stringify!($column))?,
                    )?),+
                })
            }
        }
    };
    (@read $vis:vis $name:ident $table:expr; [$($number:expr),+]) => {
        #[allow(dead_code)] // not every reader needs every function
        impl $name {
            /// Numbers of the columns in the table.
            $vis const COLUMNS: &'static [usize] = &[$($number),+];

            /// Columns of a batch of the table.
            $vis fn read(table: &dyn $crate::BatchSource, number: usize) -> Self {
                Self::of(&table.batch(number, Self::COLUMNS))
            }

            /// Columns of this table, batch by batch.
            $vis fn batches(table: &dyn $crate::BatchSource) -> impl Iterator<Item = Self> {
                (0..table.batches()).map(move |number| Self::read(table, number))
            }

            /// Columns of all batches of the table; none where it is not among these.
            $vis fn all(
                tables: &[std::sync::Arc<dyn $crate::BatchSource>],
            ) -> impl Iterator<Item = Self> {
                let table = tables.iter().find(|table| table.def().name == $table);
                table.into_iter().flat_map(|table| {
                    (0..table.batches()).map(|number| Self::read(table.as_ref(), number))
                })
            }
        }
    };
    (@fields $(#[$about:meta])* $vis:vis $name:ident {
        $first:ident: $first_kind:ty $(, $column:ident: $kind:ty)*
    }) => {
        $(#[$about])*
        #[derive(Debug, Clone)]
        $vis struct $name {
            $vis $first: $crate::Column<$first_kind>,
            $($vis $column: $crate::Column<$kind>,)*
        }

        #[allow(dead_code)] // not every reader needs every function
        impl $name {
            /// Columns of a batch that has these and no others, in this order.
            $vis fn of(batch: &$crate::RecordBatch) -> Self {
                let mut arrays = batch.columns().iter();
                Self {
                    $first: $crate::Column::next(&mut arrays),
                    $($column: $crate::Column::next(&mut arrays),)*
                }
            }

            /// Number of rows.
            $vis fn rows(&self) -> usize {
                $crate::Array::len(&*self.$first)
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use crate::{BatchSource, Batches, TableId, region, region::RegionRow};
    use std::sync::Arc;

    columns! {
        struct Regions of region { end_s: f64, number: i64, name: str }
    }

    columns! {
        struct Categories by name { number: i64, category: str }
    }

    fn table() -> Arc<dyn BatchSource> {
        let mut tables = crate::Tables::new();
        for number in [None, Some(7)] {
            tables.push_region(RegionRow {
                log: 0,
                name: "solve",
                category: None,
                process: 0,
                rank: 0,
                thread: None,
                start_s: 1.0,
                end_s: 2.0,
                number,
            });
        }
        let rows = tables.take(TableId::Region).expect("has rows").into_batch();
        Arc::new(Batches::new(TableId::Region.def(), vec![rows]))
    }

    #[test]
    fn columns_are_found_by_name_in_any_order() {
        let regions: Vec<Regions> = Regions::all(&[table()]).collect();
        let rows = |of: &Regions| (0..of.rows()).map(|row| of.number.get(row)).collect::<Vec<_>>();
        assert_eq!(regions.iter().flat_map(rows).collect::<Vec<_>>(), [None, Some(7)]);
        assert_eq!(regions[0].end_s.values(), &[2.0, 2.0]);
        assert_eq!(regions[0].name.value(1), "solve");
    }

    #[test]
    fn a_table_that_is_not_there_has_no_rows() {
        assert_eq!(Regions::all(&[]).count(), 0);
    }

    #[test]
    fn a_batch_without_a_column_is_none() {
        let table = table();
        let all: Vec<usize> = (0..region::DEF.columns.len()).collect();
        let batch = table.batch(0, &all);
        let named = Categories::named(&batch).expect("has both");
        assert_eq!((named.number.get(1), named.category.get(1)), (Some(7), None));
        assert!(Categories::named(&batch.project(&[0, 1]).expect("has two")).is_none());
        let job: Arc<dyn BatchSource> = Arc::new(Batches::new(TableId::Job.def(), Vec::new()));
        assert_eq!(Categories::batches(job.as_ref()).count(), 0);
    }
}
