//! The facade: the public API, re-exported.
