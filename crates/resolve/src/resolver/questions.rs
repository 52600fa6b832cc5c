//! The questions whose answers are cached (`circles.rs`), with the type of each answer and how long it is kept.

use syntax::facts::TypeId;

use super::circles::{CircleId, Circles, Level, Memo};
use super::{Found, Resolver, Space};
use crate::program::{BindingId, Def, Family, FileId, ImportId, Name, NodeId};
use crate::types::Ty;

/// A question whose answer is kept.
pub(crate) trait Question: Clone + Eq + std::hash::Hash {
    /// The type of its answer.
    type Answer: Clone;
    /// Whether its answer is kept when the question is closed. Others only take part in circles.
    const IS_KEPT: bool = true;
    /// Whether it is kept beyond the outermost question.
    const LASTS: bool = true;

    fn memo<'r>(r: &'r mut Resolver<'_, '_>) -> &'r mut Memo<Self, Self::Answer>;

    fn asked(self) -> Asked;
}

/// The target of an import of a file.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct ImportOf(pub FileId, pub ImportId, pub Space);

/// The module that a star of a file imports from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct StarOf(pub FileId, pub ImportId);

/// The member of a module, package or type under a name.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct MemberOf(pub Def, pub Name, pub Space);

/// The same for a name that nothing in the repository declares.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct UnknownOf(pub Def, pub String, pub Space);

/// The type that an alias leads to.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct AliasOf(pub NodeId);

/// The type that is written in a scope.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct TypeIn(pub NodeId, pub TypeId);

/// The type that parameters of a name usually have.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct UsualOf(pub Family, pub Name);

/// The type that a call gives to the parameter of a closure passed to it: file and binding.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct GivenTo(pub FileId, pub BindingId);

/// The type of a binding: file and number.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct ValueOf(pub FileId, pub BindingId);

/// Declares which answers belong to which questions.
macro_rules! questions {
    ($($name:ident: $question:ty => $answer:ty, $table:ident, kept $is_kept:literal, lasts $lasts:literal;)+) => {
        $(
            impl Question for $question {
                type Answer = $answer;
                const IS_KEPT: bool = $is_kept;
                const LASTS: bool = $lasts;

                fn memo<'r>(r: &'r mut Resolver<'_, '_>) -> &'r mut Memo<Self, Self::Answer> {
                    &mut r.answers.$table
                }

                fn asked(self) -> Asked {
                    Asked::$name(self)
                }
            }
        )+

        /// Any question.
        pub(crate) enum Asked {
            $($name($question),)+
        }

        /// The answers to all questions.
        #[derive(Default)]
        pub(crate) struct Answers {
            pub(super) circles: Circles,
            pub(super) provisional: Vec<Asked>,
            $(pub(super) $table: Memo<$question, $answer>,)+
        }

        impl Answers {
            pub(super) fn lower(&mut self, asked: &Asked, level: Level) {
                match asked {
                    $(Asked::$name(question) => self.$table.lower(question, level),)+
                }
            }

            pub(super) fn forget(&mut self, asked: &Asked) -> Option<CircleId> {
                match asked {
                    $(Asked::$name(question) => self.$table.forget(question),)+
                }
            }
        }
    };
}

questions! {
    Import: ImportOf => Option<Found>, imports, kept true, lasts true;
    Star: StarOf => Option<Def>, stars, kept true, lasts true;
    Member: MemberOf => Option<Found>, members, kept true, lasts true;
    Unknown: UnknownOf => Option<Found>, unknown_members, kept true, lasts false;
    Alias: AliasOf => NodeId, aliases, kept true, lasts true;
    Type: TypeIn => Ty, types, kept true, lasts true;
    Usual: UsualOf => Ty, usual, kept true, lasts true;
    Given: GivenTo => Ty, given, kept true, lasts true;
    Value: ValueOf => Ty, values, kept false, lasts true;
}
