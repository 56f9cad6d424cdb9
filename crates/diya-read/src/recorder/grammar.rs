//! Grammars (`.cfg`): the order of calls as rules, each a list of calls and of other rules.

use super::bytes::Rest;
use diya_tables::FastHashMap;

/// The rule that stands for all calls.
const START: i32 = -1;

/// A call (0 and above) or a rule (below 0), and how often it comes.
type Symbol = (i32, i32);

/// Rules by their numbers.
#[derive(Debug, Default)]
pub(super) struct Grammar {
    rules: FastHashMap<i32, Vec<Symbol>>,
    /// Calls that each rule makes, up to the largest number; rules that end nowhere are not here.
    calls: FastHashMap<i32, u64>,
    /// All rules could be read, and all that they name are there.
    pub is_whole: bool,
}

impl Grammar {
    /// Reads the rules.
    pub fn of(bytes: &[u8]) -> Self {
        let mut rest = Rest(bytes);
        let announced = rest.count().unwrap_or(0);
        let mut grammar = Self { is_whole: !bytes.is_empty(), ..Self::default() };
        for _ in 0..announced {
            let Some((id, symbols)) = rule(&mut rest) else {
                grammar.is_whole = false;
                break;
            };
            grammar.is_whole &= symbols.iter().all(|(_, times)| *times > 0);
            grammar.is_whole &= grammar.rules.insert(id, symbols).is_none();
        }
        let names = |symbol: &Symbol| symbol.0 >= 0 || grammar.rules.contains_key(&symbol.0);
        grammar.is_whole &= grammar.rules.values().flatten().all(names);
        grammar.count();
        grammar.is_whole &= grammar.calls.len() == grammar.rules.len();
        grammar
    }

    /// Number of calls; one that does not fit is the largest number.
    pub fn calls(&self) -> u64 {
        self.calls.get(&START).copied().unwrap_or(0)
    }

    /// The calls in their order, as numbers of signatures.
    pub fn walk(&self) -> Walk<'_> {
        let mut walk = Walk { grammar: self, open: Vec::new() };
        walk.enter(START);
        walk
    }

    /// Counts the calls of every rule that ends. A rule that holds itself, by damage, has no
    /// number: to walk it would never end.
    fn count(&mut self) {
        enum Step {
            Enter(i32),
            Leave(i32),
        }
        let mut entered: FastHashMap<i32, ()> = FastHashMap::default();
        let mut steps: Vec<Step> = self.rules.keys().map(|id| Step::Enter(*id)).collect();
        while let Some(step) = steps.pop() {
            match step {
                Step::Enter(id) => {
                    if entered.insert(id, ()).is_some() {
                        continue;
                    }
                    steps.push(Step::Leave(id));
                    let symbols = self.rules.get(&id).map(Vec::as_slice).unwrap_or_default();
                    steps.extend(symbols.iter().filter(|s| s.0 < 0).map(|s| Step::Enter(s.0)));
                }
                Step::Leave(id) => {
                    let symbols = self.rules.get(&id).map(Vec::as_slice).unwrap_or_default();
                    let of = |symbol: &Symbol| match symbol.0 {
                        call if call >= 0 => Some(1),
                        rule => self.calls.get(&rule).copied(),
                    };
                    let sum = symbols.iter().try_fold(0u64, |sum, symbol| {
                        let times = u64::try_from(symbol.1).unwrap_or(0);
                        Some(sum.saturating_add(of(symbol)?.saturating_mul(times)))
                    });
                    if let (Some(sum), true) = (sum, self.rules.contains_key(&id)) {
                        self.calls.insert(id, sum);
                    }
                }
            }
        }
    }
}

fn rule(rest: &mut Rest<'_>) -> Option<(i32, Vec<Symbol>)> {
    let id = rest.i32()?;
    let count = rest.count()?;
    let body = rest.take(count.checked_mul(8)?)?;
    let mut body = Rest(body);
    let symbols = std::iter::from_fn(|| body.i32().zip(body.i32()));
    Some((id, symbols.collect()))
}

/// The calls of a grammar, one after the other.
#[derive(Debug)]
pub(super) struct Walk<'g> {
    grammar: &'g Grammar,
    open: Vec<Position<'g>>,
}

/// Where the walk is inside of a rule.
#[derive(Debug)]
struct Position<'g> {
    symbols: &'g [Symbol],
    /// How often the first of them has come.
    done: i32,
}

impl Walk<'_> {
    /// Goes into a rule that makes calls.
    fn enter(&mut self, rule: i32) {
        if self.grammar.calls.get(&rule).is_some_and(|calls| *calls > 0)
            && let Some(symbols) = self.grammar.rules.get(&rule)
        {
            self.open.push(Position { symbols, done: 0 });
        }
    }
}

impl Iterator for Walk<'_> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        loop {
            let place = self.open.last_mut()?;
            let Some((&(symbol, times), after)) = place.symbols.split_first() else {
                self.open.pop();
                continue;
            };
            let makes_none = symbol < 0 && self.grammar.calls.get(&symbol).is_none_or(|n| *n == 0);
            if place.done >= times || makes_none {
                *place = Position { symbols: after, done: 0 };
                continue;
            }
            place.done += 1;
            match usize::try_from(symbol) {
                Ok(call) => return Some(call),
                Err(_) => self.enter(symbol),
            }
        }
    }
}
