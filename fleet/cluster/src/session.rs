//! What the engine knows in all three processes: its own functions and those of diya.

use crate::guard;
use ballista_core::extension::SessionConfigExt as _;
use ballista_core::utils::default_session_builder;
use datafusion::error::Result;
use datafusion::execution::session_state::SessionState;
use datafusion::prelude::SessionConfig;

/// Settings whose connections carry the token.
pub fn config(token: &str) -> SessionConfig {
    SessionConfig::new_with_ballista()
        // Plans that change while they run keep the scheduler busy without an end (question `noise`).
        .with_ballista_adaptive_query_planner(false)
        .with_ballista_override_create_grpc_client_endpoint(guard::carrying(token))
}

/// A session with the functions of diya.
pub fn state(config: SessionConfig) -> Result<SessionState> {
    let mut state = default_session_builder(config)?;
    diya_query::register_functions(&mut state)?;
    Ok(state)
}
