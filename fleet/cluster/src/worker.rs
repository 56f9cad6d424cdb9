//! A worker: asks the scheduler for tasks, runs them, and keeps their rows for the next stage.

use crate::job::{self, WorkerJob};
use crate::{Failure, guard, session};
use arrow_flight::flight_service_server::FlightServiceServer;
use ballista_core::config::TaskSchedulingPolicy;
use ballista_core::error::BallistaError;
use ballista_core::registry::BallistaFunctionRegistry;
use ballista_core::utils::create_grpc_server;
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use ballista_executor::flight_service::BallistaFlightService;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::net::TcpListener;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::service::interceptor::InterceptedService;

/// Largest message of rows.
const MESSAGE_BYTES: usize = 64 << 20;

pub async fn run(job: WorkerJob) -> Result<(), Failure> {
    let listener = TcpListener::bind((job.bind.as_str(), 0)).await?;
    let port = listener.local_addr()?.port();
    let (host, scheduler_port) =
        job.scheduler.rsplit_once(':').ok_or("the address of the scheduler has no port")?;
    let settings = session::config(&job.token);
    let functions = BallistaFunctionRegistry::from(&session::state(settings.clone())?);
    // For its owner alone, and gone with the worker.
    let base = job.work.map_or_else(std::env::temp_dir, PathBuf::from);
    let work = tempfile::Builder::new().prefix("diya-cluster-").tempdir_in(base)?;
    // The library asks for a server once.
    let listener = Mutex::new(Some(listener));
    let guard = guard::asking(&job.token);
    let config = ExecutorProcessConfig {
        bind_host: job.bind.clone(),
        external_host: Some(job.host.map_or_else(node_name, Ok)?),
        port,
        scheduler_host: host.to_owned(),
        scheduler_port: scheduler_port.parse()?,
        scheduler_connect_timeout_seconds: 30,
        vcores: job.cores,
        task_scheduling_policy: TaskSchedulingPolicy::PullStaged,
        work_dir: Some(work.path().to_string_lossy().into_owned()),
        memory_pool_size: Some(job.memory_bytes.unwrap_or(diya_query::most_memory_bytes() as u64)),
        grpc_max_decoding_message_size: MESSAGE_BYTES as u32,
        grpc_max_encoding_message_size: MESSAGE_BYTES as u32,
        override_function_registry: Some(Arc::new(functions)),
        override_config_producer: Some(Arc::new(move || settings.clone())),
        override_create_grpc_client_endpoint: Some(guard::carrying(&job.token)),
        override_arrow_flight_service: Some(Arc::new(move |folder, _, mut shutdown, server| {
            let listener = listener.lock().unwrap_or_else(PoisonError::into_inner).take();
            let guard = guard.clone();
            tokio::spawn(async move {
                let listener = listener.ok_or(BallistaError::General("started twice".into()))?;
                let rows = FlightServiceServer::new(BallistaFlightService::new(folder))
                    .max_decoding_message_size(MESSAGE_BYTES)
                    .max_encoding_message_size(MESSAGE_BYTES);
                create_grpc_server(&server)
                    .add_service(InterceptedService::new(rows, guard))
                    .serve_with_incoming_shutdown(TcpListenerStream::new(listener), shutdown.recv())
                    .await
                    .map_err(BallistaError::TonicError)
            })
        })),
        ..ExecutorProcessConfig::default()
    };
    tokio::select! {
        ended = start_executor_process(Arc::new(config)) => Ok(ended?),
        () = job::end_of_input() => Ok(()),
    }
}

/// Name of this node, as the batch system and the others call it.
fn node_name() -> Result<String, Failure> {
    match std::env::var("SLURMD_NODENAME") {
        Ok(name) => Ok(name),
        Err(_) => Ok(std::fs::read_to_string("/proc/sys/kernel/hostname")?.trim().to_owned()),
    }
}
