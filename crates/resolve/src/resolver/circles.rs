//! Caches answers so that they do not depend on which question was asked first.
//!
//! Questions about names lead to other questions, and some lead back to themselves: modules that re-export all names of
//! one another, types that are named by each other's members. A question that reaches itself gets no answer there, so
//! every answer on the path of such a circle depends on the question that began it. It must not be kept longer than
//! that question is open, since the next question may begin elsewhere. Three kinds of answers are therefore kept apart
//! (as in Tarjan's search for components, by levels):
//!
//! - it reached no open question and used no answer of a circle: kept for ever;
//! - it reached an open question below its own: kept while that one is open, then dropped;
//! - it reached itself only, so the circle begins and ends with it: kept, and used whenever no question of the same
//!   circle is open.
//!
//! An answer that used a kept one of a circle belongs to that circle, too: while a question of the circle is open, it
//! would have met that question instead.
//!
//! An answer cut short by the limit of depth or of steps counts as one that reached the outermost question.

use rustc_hash::FxHashMap;

use super::Resolver;
use super::questions::{Answers, Question};

/// The level of a question: how many were open when it was asked.
pub(super) type Level = u32;

/// A circle of questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CircleId(usize);

/// The state of a question.
enum Entry<V> {
    /// Its answer depends on no open question.
    Settled(V),
    /// It is being answered, for the first time.
    Open(Level),
    /// It leads back to itself.
    Circular(Box<Circular<V>>),
}

/// A question that leads back to itself.
struct Circular<V> {
    circle: CircleId,
    /// The level at which it is being answered again.
    open: Option<Level>,
    /// The answer that holds while the question of this level is open.
    within: Option<(V, Level)>,
    /// The answer that holds while no question of the circle is open.
    answer: Option<V>,
}

/// Answers by question.
pub(crate) struct Memo<K, V> {
    entries: FxHashMap<K, Entry<V>>,
}

impl<K, V> Default for Memo<K, V> {
    fn default() -> Self {
        Memo {
            entries: FxHashMap::default(),
        }
    }
}

impl<K: std::hash::Hash + Eq, V> Memo<K, V> {
    fn circular(&mut self, key: &K) -> Option<&mut Circular<V>> {
        match self.entries.get_mut(key) {
            Some(Entry::Circular(known)) => Some(known),
            _ => None,
        }
    }

    /// Notes that an answer depends on a lower level, too.
    pub(super) fn lower(&mut self, key: &K, level: Level) {
        if let Some((_, low)) = self.circular(key).and_then(|known| known.within.as_mut()) {
            *low = level.min(*low);
        }
    }

    /// Drops an answer whose question is closed; returns its circle.
    pub(super) fn forget(&mut self, key: &K) -> Option<CircleId> {
        let known = self.circular(key)?;
        known.within = None;
        Some(known.circle)
    }
}

/// Circles of questions: sets that grow together, with the number of their open questions.
#[derive(Default)]
pub(crate) struct Circles {
    n_open: u32,
    /// The lowest level that the current question reached.
    met: Option<Level>,
    /// The circle whose kept answers the current question used.
    used: Option<CircleId>,
    parents: Vec<CircleId>,
    n_open_of: Vec<u32>,
    /// Whether a circle was found that is kept beyond the outermost question.
    is_lasting: bool,
    /// Number of circles that are kept beyond the outermost question.
    n_lasting: usize,
}

impl Circles {
    pub(super) fn meet(&mut self, level: Level) {
        self.met = Some(self.met.map_or(level, |met| met.min(level)));
    }

    /// Notes that the current question used an answer of a circle.
    fn meet_circle(&mut self, circle: CircleId) {
        match self.used {
            Some(used) => self.join(used, circle),
            None => self.used = Some(circle),
        }
    }

    fn add(&mut self) -> CircleId {
        let circle = CircleId(self.parents.len());
        self.parents.push(circle);
        self.n_open_of.push(0);
        circle
    }

    fn root(&self, mut circle: CircleId) -> CircleId {
        while let Some(&parent) = self.parents.get(circle.0) {
            if parent == circle {
                break;
            }
            circle = parent;
        }
        circle
    }

    fn join(&mut self, a: CircleId, b: CircleId) {
        let (a, b) = (self.root(a), self.root(b));
        let (first, second) = (a.min(b), a.max(b));
        if first != second {
            self.parents[second.0] = first;
            self.n_open_of[first.0] += self.n_open_of[second.0];
        }
    }

    /// Number of open questions of a circle.
    fn open_of(&mut self, circle: CircleId) -> &mut u32 {
        let root = self.root(circle);
        &mut self.n_open_of[root.0]
    }

    fn is_closed(&self, circle: CircleId) -> bool {
        self.n_open_of[self.root(circle).0] == 0
    }

    /// Drops the circles that only dropped questions belong to.
    fn end(&mut self) {
        if self.is_lasting {
            self.n_lasting = self.parents.len();
            self.is_lasting = false;
        } else {
            self.parents.truncate(self.n_lasting);
            self.n_open_of.truncate(self.n_lasting);
        }
        self.met = None;
        self.used = None;
    }
}

/// The state of a question at the moment when it is asked.
enum Known<V> {
    Answer(V),
    /// The answer that holds while the question of this level is open.
    Within(V, Level),
    /// The answer of a circle none of whose questions is open.
    OfCircle(V, CircleId),
    /// The question of this level is open: it leads back to itself.
    Reentered(Level),
    /// No answer is known; with its circle, if it is known to be in one.
    Not(Option<CircleId>),
}

impl<'a> Resolver<'_, 'a> {
    /// Answers a question from the cache or by `find`. Where the question leads back to itself the answer is `cut`.
    pub(crate) fn answer<Q: Question>(
        &mut self,
        question: Q,
        cut: Q::Answer,
        find: impl FnOnce(&mut Self) -> Q::Answer,
    ) -> Q::Answer {
        let level = self.answers.circles.n_open;
        let has_steps = self.steps.take(level == 0);
        let circle = match self.known(&question, level) {
            Known::Answer(answer) => return answer,
            Known::Within(answer, level) => {
                self.answers.circles.meet(level);
                return answer;
            }
            Known::OfCircle(answer, circle) => {
                self.answers.circles.meet_circle(circle);
                return answer;
            }
            Known::Reentered(level) => {
                self.answers.circles.meet(level);
                return cut;
            }
            Known::Not(circle) => circle,
        };
        let outer = self.answers.circles.met.take();
        let outer_used = self.answers.circles.used.take();
        let mark = self.answers.provisional.len();
        self.answers.circles.n_open += 1;
        let answer = if has_steps {
            find(self)
        } else {
            self.cut_short();
            cut
        };
        self.answers.circles.n_open -= 1;
        let met = std::mem::replace(&mut self.answers.circles.met, outer);
        self.keep(question, answer.clone(), (level, met), circle, mark);
        if let Some(outer_used) = outer_used {
            self.answers.circles.meet_circle(outer_used);
        }
        if level == 0 {
            self.answers.end();
        }
        answer
    }

    fn known<Q: Question>(&mut self, question: &Q, level: Level) -> Known<Q::Answer> {
        let (circle, answer) = match Q::memo(self).entries.get(question) {
            None => {
                let entries = &mut Q::memo(self).entries;
                entries.insert(question.clone(), Entry::Open(level));
                return Known::Not(None);
            }
            Some(Entry::Settled(answer)) => return Known::Answer(answer.clone()),
            Some(Entry::Open(level)) => return Known::Reentered(*level),
            Some(Entry::Circular(known)) => match (known.open, &known.within) {
                (Some(level), _) => return Known::Reentered(level),
                (None, Some((answer, low))) => return Known::Within(answer.clone(), *low),
                (None, None) => (known.circle, known.answer.clone()),
            },
        };
        match answer {
            Some(answer) if self.answers.circles.is_closed(circle) => {
                Known::OfCircle(answer, circle)
            }
            _ => {
                *self.answers.circles.open_of(circle) += 1;
                if let Some(known) = Q::memo(self).circular(question) {
                    known.open = Some(level);
                }
                Known::Not(Some(circle))
            }
        }
    }

    /// Keeps an answer for as long as it holds.
    fn keep<Q: Question>(
        &mut self,
        question: Q,
        answer: Q::Answer,
        (level, met): (Level, Option<Level>),
        circle: Option<CircleId>,
        mark: usize,
    ) {
        let circles = &mut self.answers.circles;
        if let Some(circle) = circle {
            *circles.open_of(circle) -= 1;
            circles.meet_circle(circle);
        } else if circles.used.is_none() && met.is_some() {
            circles.used = Some(circles.add());
        }
        let is_new = circle.is_none() && met.is_none();
        let circle = match circles.used {
            Some(circle) if Q::IS_KEPT || !is_new => circle,
            _ if Q::IS_KEPT => {
                Q::memo(self)
                    .entries
                    .insert(question, Entry::Settled(answer));
                return;
            }
            _ => {
                Q::memo(self).entries.remove(&question);
                return;
            }
        };
        circles.is_lasting |= Q::LASTS;
        let within = met.filter(|met| *met < level);
        if let Some(met) = within {
            self.answers.lower_since(mark, met);
            self.answers.circles.meet(met);
            self.answers.provisional.push(question.clone().asked());
        } else if met.is_some() {
            self.answers.join_since(mark, circle);
        }
        let kept = (Q::IS_KEPT && within.is_none()).then(|| answer.clone());
        let entries = &mut Q::memo(self).entries;
        let old = match entries.get_mut(&question) {
            Some(Entry::Circular(old)) => old.answer.take(),
            _ => None,
        };
        let known = Circular {
            circle,
            open: None,
            within: within.map(|met| (answer, met)),
            answer: kept.or(old),
        };
        entries.insert(question, Entry::Circular(Box::new(known)));
    }
}

impl Answers {
    /// Notes that answers since `mark` depend on a level that a question around them reached.
    fn lower_since(&mut self, mark: usize, level: Level) {
        let provisional = std::mem::take(&mut self.provisional);
        for asked in provisional.iter().skip(mark) {
            self.lower(asked, level);
        }
        self.provisional = provisional;
    }

    /// Drops answers since `mark`, which depend on a question that is closed now, and joins their circles with
    /// `circle`.
    fn join_since(&mut self, mark: usize, circle: CircleId) {
        for asked in self.provisional.split_off(mark) {
            if let Some(other) = self.forget(&asked) {
                self.circles.join(circle, other);
            }
        }
    }

    /// Drops answers that hold only within an outermost question.
    fn end(&mut self) {
        debug_assert!(self.provisional.is_empty(), "no question is open");
        self.unknown_members = Memo::default();
        self.circles.end();
    }
}
