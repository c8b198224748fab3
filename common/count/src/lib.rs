//! Exact counts of hopless strips without enumeration.
