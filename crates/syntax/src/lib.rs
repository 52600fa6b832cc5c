//! One text in, what it says out.
