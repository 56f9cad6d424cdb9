//! diya-testkit
