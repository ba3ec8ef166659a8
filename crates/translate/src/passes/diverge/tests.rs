//! Which branches lanes part at.
