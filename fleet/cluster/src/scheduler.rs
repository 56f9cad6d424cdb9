//! The scheduler: divides a statement into stages and gives their tasks to the workers.

use crate::job::{self, SchedulerJob};
use crate::{Failure, guard, session};
use ballista_core::config::TaskSchedulingPolicy;
use ballista_core::serde::protobuf::scheduler_grpc_server::SchedulerGrpcServer;
use ballista_core::utils::{GrpcServerConfig, create_grpc_server};
use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::config::SchedulerConfig;
use ballista_scheduler::scheduler_process::create_scheduler;
use datafusion_proto::protobuf::{LogicalPlanNode, PhysicalPlanNode};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::service::interceptor::InterceptedService;

/// A worker that says nothing for so long is given up, and its tasks go to others. It speaks
/// every 5 s also when all its cores are busy.
const SILENCE_S: u64 = 15;

/// Largest message: plans name all files of a dataset.
const MESSAGE_BYTES: u32 = 256 << 20;

pub async fn run(job: SchedulerJob) -> Result<(), Failure> {
    let listener = TcpListener::bind((job.bind.as_str(), 0)).await?;
    let port = listener.local_addr()?.port();
    let settings = session::config(&job.token);
    let config = SchedulerConfig {
        external_host: job.host.clone(),
        bind_port: port,
        scheduling_policy: TaskSchedulingPolicy::PullStaged,
        executor_timeout_seconds: SILENCE_S,
        expire_dead_executor_interval_seconds: 2,
        no_executors_grace_period_seconds: SILENCE_S,
        grpc_server_max_decoding_message_size: MESSAGE_BYTES,
        grpc_server_max_encoding_message_size: MESSAGE_BYTES,
        finished_job_data_clean_up_interval_seconds: 60,
        override_session_builder: Some(Arc::new(session::state)),
        override_config_producer: Some(Arc::new(move || settings.clone())),
        override_create_grpc_client_endpoint: Some(guard::carrying(&job.token)),
        ..SchedulerConfig::default()
    };
    let cluster = BallistaCluster::new_from_config(&config).await?;
    let workers = cluster.cluster_state();
    let scheduler =
        create_scheduler::<LogicalPlanNode, PhysicalPlanNode>(cluster, Arc::new(config)).await?;
    let service = SchedulerGrpcServer::new(scheduler)
        .max_decoding_message_size(MESSAGE_BYTES as usize)
        .max_encoding_message_size(MESSAGE_BYTES as usize);
    println!("{}:{port}", job.host);
    tokio::spawn(async move {
        let mut said = 0;
        loop {
            let now = workers.executor_heartbeats().len();
            if now != said {
                println!("{now}");
                said = now;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    });
    let served = create_grpc_server(&GrpcServerConfig::default())
        .add_service(InterceptedService::new(service, guard::asking(&job.token)))
        .serve_with_incoming(TcpListenerStream::new(listener));
    tokio::select! {
        ended = served => Ok(ended?),
        () = job::end_of_input() => Ok(()),
    }
}
