//! Typed numbers of the resolver's entities, so that one kind cannot be confused with another.
//!
//! Files and nodes are numbered by the graph ([`FileId`], [`NodeId`]); the node of a file has the file's number.

pub(crate) use graph::{FileId, NodeId};

/// Declares numbers of entries in lists.
macro_rules! ids {
    ($($(#[$meta:meta])* $name:ident;)+) => {
        $(
            $(#[$meta])*
            #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
            pub(crate) struct $name(pub u32);

            impl $name {
                /// The number as an index.
                pub fn index(self) -> usize {
                    self.0 as usize
                }

                /// Pairs the entries of a list with their numbers.
                pub fn numbered<T>(entries: impl IntoIterator<Item = T>) -> impl Iterator<Item = ($name, T)> {
                    (0..).map($name).zip(entries)
                }
            }
        )+
    };
}

ids! {
    /// An import of a file, by its position in the facts.
    ImportId;
    /// A binding of a variable or field of a file, by its position in the facts.
    BindingId;
    /// A parameter or type parameter, by its position in the list of its symbol.
    ParameterId;
}

/// A package or namespace that files declare by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PackageId(pub u32);

impl PackageId {
    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A package outside the repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ExternalId(pub u32);

/// The folder at the root of the repository, which has no node.
pub(crate) const ROOT_FOLDER: NodeId = NodeId(graph::frozen::NONE);
