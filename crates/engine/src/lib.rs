//! The index: change it with Engine, ask it with Reader.
