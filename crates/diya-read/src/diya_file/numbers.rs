//! Lists of whole numbers, of real numbers, of texts, and who has a value.

use super::cursor::{Cursor, text_of};
use crate::walk::Damage;
use diya_model::unzigzag;

/// Reads `len` numbers.
pub(super) fn numbers(at: &mut Cursor<'_>, len: usize) -> Result<Vec<i64>, Damage> {
    if len == 0 {
        return Ok(Vec::new());
    }
    let order = at.u8()?;
    let center = at.signed()?;
    let width = usize::from(at.u8()?);
    let apart = at.count(len)?;
    if order > 2 || width > 8 {
        return Err(Damage(format!("a list of order {order} and width {width}")));
    }
    let mut steps = vec![0_u64; len];
    for plane in 0..width {
        let is_plain = at.u8()? != 0;
        let bytes = if is_plain { at.take_plain(len)? } else { at.take(len)? };
        for (step, byte) in steps.iter_mut().zip(bytes) {
            *step |= u64::from(*byte) << (8 * plane);
        }
    }
    let mut place = 0;
    for _ in 0..apart {
        place += at.count(len)?;
        let high = at.varint()?;
        let step = steps.get_mut(place).ok_or_else(|| Damage("a place beyond the list".into()))?;
        *step |= high.checked_shl(8 * width as u32).unwrap_or(0);
    }
    let mut values: Vec<i64> =
        steps.into_iter().map(|step| unzigzag(step).wrapping_add(center)).collect();
    for _ in 0..order {
        let mut last = 0_i64;
        for value in &mut values {
            last = last.wrapping_add(*value);
            *value = last;
        }
    }
    Ok(values)
}

/// What real numbers were multiplied with to become whole ones.
#[derive(Debug, Clone, Copy)]
pub(super) enum Scale {
    Bits,
    Nano,
    /// Divisor, a power of two.
    Binary(f64),
}

impl Scale {
    pub fn read(at: &mut Cursor<'_>) -> Result<Self, Damage> {
        match at.u8()? {
            0 => Ok(Self::Bits),
            1 => Ok(Self::Nano),
            2 => Ok(Self::Binary(2_f64.powi(i32::from(at.u8()?)))),
            other => Err(Damage(format!("scale {other} is not known"))),
        }
    }

    #[inline]
    pub fn real(self, whole: i64) -> f64 {
        match self {
            Self::Bits => f64::from_bits(whole.cast_unsigned()),
            Self::Nano => whole as f64 / 1e9,
            Self::Binary(divisor) => whole as f64 / divisor,
        }
    }
}

/// Reads `len` real numbers.
pub(super) fn reals(at: &mut Cursor<'_>, len: usize) -> Result<Vec<f64>, Damage> {
    let scale = Scale::read(at)?;
    Ok(numbers(at, len)?.into_iter().map(|whole| scale.real(whole)).collect())
}

/// Texts: the different ones, and which of them each row has.
#[derive(Debug, Default)]
pub(super) struct Texts<'a> {
    distinct: Vec<&'a str>,
    /// Empty: every row has its own.
    places: Vec<i64>,
}

impl<'a> Texts<'a> {
    /// Reads `len` texts.
    pub fn read(at: &mut Cursor<'a>, len: usize) -> Result<Self, Damage> {
        match at.u8()? {
            0 => Ok(Self { distinct: plain(at, len)?, places: Vec::new() }),
            1 => {
                let count = at.count(len)?;
                let distinct = plain(at, count)?;
                let places = numbers(at, len)?;
                let is_in = |place: &i64| usize::try_from(*place).is_ok_and(|p| p < count);
                if !places.iter().all(is_in) {
                    return Err(Damage("a text beyond the dictionary".into()));
                }
                Ok(Self { distinct, places })
            }
            other => Err(Damage(format!("texts of form {other} are not known"))),
        }
    }

    pub fn get(&self, row: usize) -> &'a str {
        let place = match self.places.get(row) {
            Some(place) => usize::try_from(*place).unwrap_or(usize::MAX),
            None => row,
        };
        self.distinct.get(place).copied().unwrap_or_default()
    }

    /// Bytes of all rows together.
    pub fn total_bytes(&self) -> usize {
        if self.places.is_empty() {
            return self.distinct.iter().map(|text| text.len()).sum();
        }
        (0..self.places.len()).map(|row| self.get(row).len()).sum()
    }
}

fn plain<'a>(at: &mut Cursor<'a>, len: usize) -> Result<Vec<&'a str>, Damage> {
    let lens = numbers(at, len)?;
    let mut texts = Vec::with_capacity(len);
    for bytes in lens {
        let bytes = usize::try_from(bytes).map_err(|_| Damage("a text of no length".into()))?;
        texts.push(text_of(at.take(bytes)?)?);
    }
    Ok(texts)
}

/// Which of `len` rows have a value; `None`: no row.
pub(super) fn known(at: &mut Cursor<'_>, len: usize) -> Result<Option<Known>, Damage> {
    match at.u8()? {
        0 => Ok(None),
        1 => Ok(Some(Known { bits: Vec::new(), count: len })),
        2 => {
            let bits = at.take(len.div_ceil(8))?.to_vec();
            let mut known = Known { bits, count: 0 };
            known.count = (0..len).filter(|place| known.has(*place)).count();
            Ok(Some(known))
        }
        other => Err(Damage(format!("a mark {other} of missing values is not known"))),
    }
}

/// Bitmap: which calls have a value.
#[derive(Debug)]
pub(super) struct Known {
    /// Empty: all.
    bits: Vec<u8>,
    pub count: usize,
}

impl Known {
    pub fn has(&self, place: usize) -> bool {
        self.bits.is_empty()
            || self.bits.get(place / 8).is_some_and(|byte| byte >> (place % 8) & 1 == 1)
    }
}
