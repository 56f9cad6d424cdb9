//! `date_trunc` of times in UTC.
//!
//! All times of diya are in UTC, where hours and days are equally long. The engine asks its
//! time zone data about each single time that has a zone, even if it is UTC: four times
//! slower than the division that it does for times without a zone.

use arrow::array::AsArray;
use arrow::datatypes::{DataType, FieldRef, TimeUnit, TimestampNanosecondType};
use datafusion::error::Result;
use datafusion::functions::datetime::date_trunc;
use datafusion::logical_expr::{
    ColumnarValue, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature,
};
use std::sync::Arc;

const ZONE: &str = "UTC";

/// The engine's function for times in UTC.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct UtcTrunc(Arc<ScalarUDF>);

impl UtcTrunc {
    pub fn new() -> Self {
        Self(date_trunc())
    }
}

impl ScalarUDFImpl for UtcTrunc {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn aliases(&self) -> &[String] {
        self.0.aliases()
    }

    fn signature(&self) -> &Signature {
        self.0.signature()
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        self.0.return_type(types)
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs<'_>) -> Result<FieldRef> {
        self.0.return_field_from_args(args)
    }

    fn invoke_with_args(&self, mut args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let is_utc = |kind: &DataType| match kind {
            DataType::Timestamp(TimeUnit::Nanosecond, Some(zone)) => &**zone == ZONE,
            _ => false,
        };
        let times = match args.args.get_mut(1) {
            Some(ColumnarValue::Array(times)) if is_utc(times.data_type()) => times,
            _ => return self.0.invoke_with_args(args),
        };
        let of = times.as_primitive::<TimestampNanosecondType>().clone();
        *times = Arc::new(of.with_timezone_opt(None::<Arc<str>>));
        // Field and type of the arguments and the result only matter to plans.
        let truncated = self.0.inner().invoke_with_args(args)?;
        Ok(match truncated {
            ColumnarValue::Array(times) => {
                let times = times.as_primitive::<TimestampNanosecondType>().clone();
                ColumnarValue::Array(Arc::new(times.with_timezone(ZONE)))
            }
            scalar => scalar,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::{Array, TimestampNanosecondArray};
    use arrow::datatypes::Field;
    use datafusion::common::ScalarValue;
    use datafusion::common::config::ConfigOptions;

    fn truncated(to: &str, times: TimestampNanosecondArray) -> Arc<dyn Array> {
        let kind = times.data_type().clone();
        let field = |name: &str, kind: &DataType| Arc::new(Field::new(name, kind.clone(), true));
        let args = ScalarFunctionArgs {
            number_rows: times.len(),
            arg_fields: vec![field("to", &DataType::Utf8), field("time", &kind)],
            return_field: field("trunc", &kind),
            config_options: Arc::new(ConfigOptions::new()),
            args: vec![
                ColumnarValue::Scalar(ScalarValue::from(to)),
                ColumnarValue::Array(Arc::new(times)),
            ],
        };
        let result = UtcTrunc::new().invoke_with_args(args).expect("times");
        result.into_array(1).expect("an array")
    }

    #[test]
    fn times_keep_their_zone_and_null_stays_null() {
        // 2026-03-01 01:02:03 UTC, and a moment before 1970.
        let times = vec![Some(1_772_326_923_000_000_000), None, Some(-1)];
        let hours = [Some(1_772_326_800_000_000_000), None, Some(-3_600_000_000_000)];
        let months = [Some(1_772_323_200_000_000_000), None, Some(-2_678_400_000_000_000)];
        for (to, expected) in [("hour", hours), ("month", months)] {
            let times = TimestampNanosecondArray::from(times.clone()).with_timezone(ZONE);
            let of = truncated(to, times);
            assert_eq!(
                of.data_type(),
                &DataType::Timestamp(TimeUnit::Nanosecond, Some(ZONE.into()))
            );
            let of: Vec<_> = of.as_primitive::<TimestampNanosecondType>().iter().collect();
            assert_eq!(of, expected, "{to}");
        }
    }

    #[test]
    fn other_zones_are_left_to_the_engine() {
        // 01:02:03 UTC is 06:47:03 in Kathmandu, whose full hours are 15 minutes beside.
        let times = TimestampNanosecondArray::from(vec![1_772_326_923_000_000_000]);
        let of = truncated("hour", times.with_timezone("Asia/Kathmandu"));
        let of = of.as_primitive::<TimestampNanosecondType>().value(0);
        assert_eq!(of, 1_772_324_100_000_000_000);
    }
}
