//! Tests that cross crates: one module per question.
