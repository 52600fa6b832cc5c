//! Values of receivers. Those of a long chain of calls are evaluated once: each continues from the one before.

use syntax::facts::{Chain, ChainId, Head, Reference, Step};

use crate::program::{FileId, NodeId};
use crate::resolver::Resolver;
use crate::resolver::evaluate::unknown;
use crate::types::{Ty, Value};

/// Chains of fewer steps are evaluated from their head each time.
const LONG: usize = 16;

impl Resolver<'_, '_> {
    /// The value of the expression before a name.
    pub(crate) fn value_of_receiver(
        &mut self,
        file: FileId,
        scope: NodeId,
        at: u32,
        reference: &Reference,
    ) -> Value {
        let Some(receiver) = reference.receiver else {
            return unknown();
        };
        // All receivers of a chain of calls begin at one place: each continues from the value of the one before.
        let key = (file, receiver.start, scope);
        if let Some((known, value)) = self.long_chains.get(&key).cloned()
            && let Some(steps) = self.program.steps_behind(file, known, receiver.chain)
        {
            return self.go_on(key, value, &steps);
        }
        let chain = self.program.chain(file, receiver.chain);
        if chain.steps.len() < LONG {
            return self.evaluate_chain(scope, at, &chain);
        }
        if let Ok(value) = self.rules(scope).chain(self, scope, at, &chain) {
            return value;
        }
        let calls = chain.steps.iter().rposition(|step| *step == Step::Call);
        let (calls, rest) = chain.steps.split_at(calls.map_or(0, |last| last + 1));
        let start = Chain {
            head: chain.head.clone(),
            steps: calls.to_vec(),
        };
        let value = self.evaluate_chain(scope, at, &start);
        let mut known = receiver.chain;
        for _ in rest {
            let step = self.program.facts(file).expressions.last_step(known);
            known = step.map_or(known, |(before, _)| before);
        }
        self.long_chains.insert(key, (known, value.clone()));
        self.followed(value, rest.to_vec())
    }

    /// The value of steps behind a known value; that of the last call is kept.
    fn go_on(
        &mut self,
        key: (FileId, u32, NodeId),
        mut value: Value,
        steps: &[(ChainId, Step<'_>)],
    ) -> Value {
        let calls = steps.iter().rposition(|(_, step)| *step == Step::Call);
        let (calls, rest) = steps.split_at(calls.map_or(0, |last| last + 1));
        if let Some((known, _)) = calls.last() {
            value = self.followed(value, plain(calls));
            self.long_chains.insert(key, (*known, value.clone()));
        }
        self.followed(value, plain(rest))
    }

    fn followed(&mut self, mut value: Value, steps: Vec<Step<'_>>) -> Value {
        let head = Head::Unknown;
        if value.ty != Ty::Unknown {
            self.follow_steps(&mut value, &Chain { head, steps });
        }
        value
    }
}

fn plain<'t>(steps: &[(ChainId, Step<'t>)]) -> Vec<Step<'t>> {
    steps.iter().map(|(_, step)| *step).collect()
}
