//! SQL functions that the engine lacks: `ratio`, `percentile` and friends.

use crate::utc::UtcTrunc;
use arrow::array::{Array, ArrayRef, AsArray, Float64Array, Int64Array, StringArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Float64Type};
use datafusion::error::Result;
use datafusion::execution::FunctionRegistry;
use datafusion::functions_aggregate::percentile_cont::percentile_cont_udaf;
use datafusion::logical_expr::{
    ColumnarValue, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};
use std::sync::Arc;

/// Makes the functions known, also to an engine that runs elsewhere (fleet/cluster).
pub fn register(known: &mut dyn FunctionRegistry) -> Result<()> {
    for function in FUNCTIONS {
        known.register_udf(Arc::new(ScalarUDF::from(*function)))?;
    }
    known.register_udf(Arc::new(ScalarUDF::from(UtcTrunc::new())))?;
    let percentile = percentile_cont_udaf().as_ref().clone().with_aliases([PERCENTILE]);
    known.register_udaf(Arc::new(percentile))?;
    Ok(())
}

/// Name of the engine's `percentile_cont` here.
const PERCENTILE: &str = "percentile";

/// Names of the functions that are not the engine's own.
pub fn names() -> impl Iterator<Item = &'static str> {
    FUNCTIONS.iter().map(|function| function.name).chain([PERCENTILE])
}

const FUNCTIONS: &[Function] = &[
    Function {
        name: "ratio",
        arity: 2,
        returns: Returns::Number,
        computation: Computation::Numbers(diya_model::ratio),
    },
    Function {
        name: "bytes_text",
        arity: 1,
        returns: Returns::Text,
        computation: Computation::Shown(bytes_text),
    },
    Function {
        name: "seconds_text",
        arity: 1,
        returns: Returns::Text,
        computation: Computation::Shown(diya_model::seconds_text),
    },
    Function {
        name: "base_name",
        arity: 1,
        returns: Returns::Text,
        computation: Computation::Texts(base_name),
    },
    Function {
        name: "recorded_time",
        arity: 1,
        returns: Returns::Number,
        computation: Computation::Number(diya_model::recorded_time),
    },
    Function {
        name: "rank_time",
        arity: 4,
        returns: Returns::Number,
        computation: Computation::FourNumbers(diya_model::rank_time),
    },
    Function {
        name: "layer_depth",
        arity: 1,
        returns: Returns::Index,
        computation: Computation::Index(layer_depth),
    },
    Function {
        name: "call_class",
        arity: 1,
        returns: Returns::Text,
        computation: Computation::Words(call_class),
    },
    Function {
        name: "dir_name",
        arity: 1,
        returns: Returns::Text,
        computation: Computation::Texts(dir_name),
    },
];

/// A function of one, two or four columns.
#[derive(Debug, Clone, Copy)]
struct Function {
    name: &'static str,
    arity: usize,
    returns: Returns,
    computation: Computation,
}

#[derive(Debug, Clone, Copy)]
enum Returns {
    Number,
    Index,
    Text,
}

#[derive(Debug, Clone, Copy)]
enum Computation {
    /// Two numbers to one.
    Numbers(fn(Option<f64>, Option<f64>) -> Option<f64>),
    /// Four numbers to one.
    FourNumbers(fn([Option<f64>; 4]) -> Option<f64>),
    /// A number to another, or to null.
    Number(fn(f64) -> Option<f64>),
    /// A number to text.
    Shown(fn(f64) -> String),
    /// Text to a part of it.
    Texts(fn(&str) -> &str),
    /// Text to one of a few words, or null.
    Words(fn(&str) -> Option<&'static str>),
    /// Text to a whole number, or null.
    Index(fn(&str) -> Option<i64>),
}

fn bytes_text(bytes: f64) -> String {
    // Negative sizes do not exist; an `as` from a float saturates.
    diya_model::bytes_text(bytes.max(0.0) as u64)
}

/// How deep a layer is; null for a name that is no layer.
fn layer_depth(layer: &str) -> Option<i64> {
    diya_model::Layer::from_name(layer).map(|layer| i64::from(layer.depth()))
}

/// The class of an operation; null for a name that is no operation.
fn call_class(op: &str) -> Option<&'static str> {
    diya_model::Op::from_name(op).map(|op| diya_model::Class::of(op).name())
}

/// What stands behind the last slash.
fn base_name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// What stands before the last slash.
fn dir_name(path: &str) -> &str {
    match path.rsplit_once('/') {
        Some(("", _)) => "/",
        Some((dir, _)) => dir,
        None => "",
    }
}

/// Functions are equal if their names are; what they do follows from the name.
impl PartialEq for Function {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Function {}

impl std::hash::Hash for Function {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl ScalarUDFImpl for Function {
    fn name(&self) -> &str {
        self.name
    }

    fn signature(&self) -> &Signature {
        // Any type is taken and cast: integer division must not depend on it.
        static OF_ARITY: std::sync::LazyLock<[Signature; 5]> = std::sync::LazyLock::new(|| {
            std::array::from_fn(|arity| Signature::any(arity, Volatility::Immutable))
        });
        &OF_ARITY[self.arity]
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(match self.returns {
            Returns::Number => DataType::Float64,
            Returns::Index => DataType::Int64,
            Returns::Text => DataType::Utf8,
        })
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let is_scalar = args.args.iter().all(|a| matches!(a, ColumnarValue::Scalar(_)));
        let columns = ColumnarValue::values_to_arrays(&args.args)?;
        let column =
            |index: usize, to: &DataType| -> Result<ArrayRef> { Ok(cast(&columns[index], to)?) };
        let result: ArrayRef = match self.computation {
            Computation::Numbers(f) => {
                let (a, b) = (column(0, &DataType::Float64)?, column(1, &DataType::Float64)?);
                let (a, b) = (a.as_primitive::<Float64Type>(), b.as_primitive::<Float64Type>());
                Arc::new(a.iter().zip(b).map(|(a, b)| f(a, b)).collect::<Float64Array>())
            }
            Computation::FourNumbers(f) => {
                let columns: Vec<ArrayRef> =
                    (0..4).map(|index| column(index, &DataType::Float64)).collect::<Result<_>>()?;
                let numbers = |index: usize| columns[index].as_primitive::<Float64Type>().iter();
                let rows = numbers(0).zip(numbers(1)).zip(numbers(2)).zip(numbers(3));
                Arc::new(rows.map(|(((a, b), c), d)| f([a, b, c, d])).collect::<Float64Array>())
            }
            Computation::Number(f) => {
                let a = column(0, &DataType::Float64)?;
                let a = a.as_primitive::<Float64Type>();
                Arc::new(a.iter().map(|a| a.and_then(f)).collect::<Float64Array>())
            }
            Computation::Shown(f) => {
                let a = column(0, &DataType::Float64)?;
                let a = a.as_primitive::<Float64Type>();
                Arc::new(a.iter().map(|a| a.map(f)).collect::<StringArray>())
            }
            Computation::Texts(f) => {
                let a = column(0, &DataType::Utf8)?;
                Arc::new(a.as_string::<i32>().iter().map(|a| a.map(f)).collect::<StringArray>())
            }
            Computation::Words(f) => {
                let a = column(0, &DataType::Utf8)?;
                let words = a.as_string::<i32>().iter().map(|a| a.and_then(f));
                Arc::new(words.collect::<StringArray>())
            }
            Computation::Index(f) => {
                let a = column(0, &DataType::Utf8)?;
                Arc::new(a.as_string::<i32>().iter().map(|a| a.and_then(f)).collect::<Int64Array>())
            }
        };
        if is_scalar && result.len() == 1 {
            let value = datafusion::common::ScalarValue::try_from_array(&result, 0)?;
            return Ok(ColumnarValue::Scalar(value));
        }
        Ok(ColumnarValue::Array(result))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `scripts/engines.sh` runs the same statements there.
    #[test]
    fn the_second_engine_has_every_function() {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/diagnosis/engines_equal.py");
        let script = std::fs::read_to_string(script).expect("is there");
        let of_people = |f: &&Function| matches!(f.computation, Computation::Shown(_));
        let own = FUNCTIONS.iter().filter(|f| !of_people(f)).map(|f| f.name);
        for name in own.chain([PERCENTILE]) {
            assert!(
                script.contains(&format!("create macro {name}(")),
                "{name} is no function of engines_equal.py"
            );
        }
    }

    #[test]
    fn calls_of_a_layer_run_inside_calls_of_smaller_depths() {
        let depths = ["netcdf", "hdf5_dataset", "mpiio", "posix", "lustre"].map(layer_depth);
        assert_eq!(depths, [Some(0), Some(1), Some(2), Some(3), None]);
    }

    #[test]
    fn the_second_engine_has_the_same_classes_of_calls() {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/diagnosis/engines_equal.py");
        let script = std::fs::read_to_string(script).expect("is there");
        for op in diya_model::Op::ALL {
            let class = call_class(op.name()).expect("every operation has a class");
            let line = script.lines().find(|line| {
                line.contains("when op in (") && line.contains(&format!("'{}'", op.name()))
            });
            let there = line.and_then(|line| line.split(" then ").nth(1));
            assert_eq!(
                there.map(|t| t.trim_end_matches(" end;")),
                Some(&*format!("'{class}'")),
                "{op:?}"
            );
        }
        assert_eq!(call_class("fflush"), None);
    }

    #[test]
    fn paths_are_cut_at_the_last_slash() {
        assert_eq!((dir_name("/a/b/c.h5"), base_name("/a/b/c.h5")), ("/a/b", "c.h5"));
        assert_eq!((dir_name("/c"), base_name("/c")), ("/", "c"));
        assert_eq!((dir_name("c"), base_name("c")), ("", "c"));
    }
}
