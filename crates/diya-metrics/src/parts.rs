//! What computations share, and how a function gets what it needs: by the types of
//! its arguments.
//!
//! The header of a metric names a function, and that is all it takes: `build.rs` calls
//! it with the parts that its signature names and the table that it fills.

use crate::from_calls::{
    Awaited, Calls, Exclusive, Extents, Heat, Latencies, MessageWaits, Phases, ProcessorWork,
    Rounds, Targets, Totals, Training,
};
use crate::installed::Installed;
use crate::model::Model;
use crate::peers::Peers;
use crate::relay::Relays;
use diya_tables::{BatchSource, TableBuilder, TableDef};
use std::cell::OnceCell;
use std::sync::Arc;

/// Fills a table from the parts of the logs that it needs.
pub(crate) type Compute = fn(&Parts, &mut TableBuilder);

/// The functions that headers name.
const COMPUTATIONS: &[(&str, Compute)] = include!(concat!(env!("OUT_DIR"), "/computations.rs"));

/// The function that a file's `computed:` names.
pub(crate) fn named(function: &str) -> Option<Compute> {
    #[cfg(test)]
    if function == "panics" {
        return Some(|_, _| panic!("a damaged number"));
    }
    COMPUTATIONS.iter().find(|(name, _)| *name == function).map(|(_, compute)| *compute)
}

/// What was read and worked out so far; each part is made when it is first needed.
#[derive(Default)]
pub(crate) struct Parts {
    tables: Vec<Arc<dyn BatchSource>>,
    calls: OnceCell<Calls>,
    phases: OnceCell<Phases>,
    totals: OnceCell<Totals>,
    extents: OnceCell<Extents>,
    exclusive: OnceCell<Exclusive>,
    targets: OnceCell<Targets>,
    latencies: OnceCell<Latencies>,
    heat: OnceCell<Heat>,
    rounds: OnceCell<Vec<Rounds>>,
    awaited: OnceCell<Vec<Awaited>>,
    messages: OnceCell<MessageWaits>,
    work: OnceCell<ProcessorWork>,
    peers: OnceCell<Peers>,
    relays: OnceCell<Relays>,
    installed: OnceCell<Installed>,
    training: OnceCell<Training>,
    model: OnceCell<Model>,
}

impl Parts {
    /// The rows of one table, from these and what was computed before.
    pub fn fill(
        &mut self,
        compute: Compute,
        def: &'static TableDef,
        tables: &[Arc<dyn BatchSource>],
    ) -> TableBuilder {
        tables.clone_into(&mut self.tables);
        let mut table = TableBuilder::new(def);
        compute(self, &mut table);
        table
    }

    /// Calls of a test in the place of table `call`, and nothing that is read from others.
    #[cfg(test)]
    pub fn of_calls(calls: Calls) -> Self {
        let (rounds, work) = (OnceCell::from(Vec::new()), OnceCell::from(ProcessorWork::default()));
        let awaited = OnceCell::from(Vec::new());
        Self { calls: OnceCell::from(calls), rounds, awaited, work, ..Self::default() }
    }
}

/// Something that a computation can ask for.
pub(crate) trait Part {
    /// Makes it, unless that was done.
    fn of(parts: &Parts) -> &Self;
}

impl Part for [Arc<dyn BatchSource>] {
    fn of(parts: &Parts) -> &Self {
        &parts.tables
    }
}

impl Part for [Rounds] {
    fn of(parts: &Parts) -> &Self {
        parts.rounds.get_or_init(|| Rounds::of(Part::of(parts), Part::of(parts)))
    }
}

impl Part for [Awaited] {
    fn of(parts: &Parts) -> &Self {
        let of = || Awaited::of(Part::of(parts), Part::of(parts), Part::of(parts));
        parts.awaited.get_or_init(of)
    }
}

impl Part for Model {
    fn of(parts: &Parts) -> &Self {
        let model = || {
            let (calls, phases) = (Part::of(parts), Part::of(parts));
            let waits = (Part::of(parts), Part::of(parts));
            Self::of(Part::of(parts), calls, phases, waits, Part::of(parts))
        };
        parts.model.get_or_init(model)
    }
}

/// `name: Type, from the parts of these types`.
macro_rules! parts {
    ($($field:ident: $part:ty = $make:path [$($need:ty),+];)*) => {
        $(impl Part for $part {
            fn of(parts: &Parts) -> &Self {
                parts.$field.get_or_init(|| $make($(<$need as Part>::of(parts)),+))
            }
        })*
    };
}

type Tables = [Arc<dyn BatchSource>];

parts! {
    calls: Calls = Calls::load [Tables];
    phases: Phases = Phases::of [Calls];
    totals: Totals = Totals::of [Calls];
    extents: Extents = Extents::of [Calls];
    exclusive: Exclusive = Exclusive::of [Calls, Phases];
    targets: Targets = Targets::of [Calls, Phases, Tables];
    latencies: Latencies = Latencies::of [Calls];
    heat: Heat = Heat::of [Tables];
    installed: Installed = Installed::read [Tables];
    work: ProcessorWork = ProcessorWork::of [Tables, Calls, Installed];
    peers: Peers = Peers::read [Tables];
    relays: Relays = Relays::read [Tables];
    training: Training = Training::of [Tables];
    messages: MessageWaits = MessageWaits::of [Tables, Calls];
}

/// A function of parts. `Arguments` distinguishes functions with different arguments.
pub(crate) trait Computation<Arguments> {
    fn run(self, parts: &Parts, table: &mut TableBuilder);
}

macro_rules! computation {
    ($($part:ident)+) => {
        impl<F, $($part: Part + ?Sized),+> Computation<fn($(&$part),+)> for F
        where
            F: Fn($(&$part,)+ &mut TableBuilder),
        {
            fn run(self, parts: &Parts, table: &mut TableBuilder) {
                self($($part::of(parts),)+ table);
            }
        }
    };
}

computation! { A }
computation! { A B }
computation! { A B C }

/// Calls a function with the parts that it asks for.
pub(crate) fn call<Arguments>(
    function: impl Computation<Arguments>,
    parts: &Parts,
    table: &mut TableBuilder,
) {
    function.run(parts, table);
}
