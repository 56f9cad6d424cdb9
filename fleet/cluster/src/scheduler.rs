//! The scheduler: divides a statement into stages and gives their tasks to the workers.

use crate::job::{self, SchedulerJob};
use crate::{Failure, guard, session};
use ballista_core::config::TaskSchedulingPolicy;
use ballista_core::serde::protobuf::scheduler_grpc_server::SchedulerGrpcServer;
use ballista_core::utils::{GrpcServerConfig, create_grpc_server};
use ballista_scheduler::cluster::{BallistaCluster, ClusterState};
use ballista_scheduler::config::SchedulerConfig;
use ballista_scheduler::scheduler_process::create_scheduler;
use ballista_scheduler::scheduler_server::SchedulerServer;
use datafusion_proto::protobuf::{LogicalPlanNode, PhysicalPlanNode};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::net::TcpListener;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::service::interceptor::InterceptedService;

/// A worker that says nothing for so long is given up. It speaks every 5 s also when all its
/// cores are busy.
const SILENCE_S: u64 = 12;

/// Largest message: plans name all files of a dataset.
const MESSAGE_BYTES: u32 = 256 << 20;

type Scheduler = SchedulerServer<LogicalPlanNode, PhysicalPlanNode>;

/// Prints the number of workers when it changes, and ends all statements when one is lost.
///
/// The library would run the tasks of a lost worker again and keep the rest. Rows of both
/// attempts are then in the answer if the first one can still be read: seen as two rows where
/// there is one. So what runs at that moment ends with an error, and its client begins again.
async fn watch(workers: Arc<dyn ClusterState>, scheduler: Scheduler) {
    let mut said = 0;
    loop {
        let all = workers.executor_heartbeats();
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let is_lost = |last_s: u64| last_s + SILENCE_S < now;
        let lost = all.iter().filter(|(_, heard)| is_lost(heard.timestamp));
        let mut left = all.len();
        for (worker, _) in lost {
            left -= 1;
            let _ = workers.remove_executor(worker).await;
            for job in scheduler.state.task_manager.get_running_job_cache().keys() {
                let _ = scheduler.cancel_job(job.clone()).await;
            }
        }
        if left != said {
            println!("{left}");
            said = left;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

pub async fn run(job: SchedulerJob) -> Result<(), Failure> {
    let listener = TcpListener::bind((job.bind.as_str(), 0)).await?;
    let port = listener.local_addr()?.port();
    let settings = session::config(&job.token);
    let config = SchedulerConfig {
        external_host: job.host.clone(),
        bind_port: port,
        scheduling_policy: TaskSchedulingPolicy::PullStaged,
        // Statements are never repaired, but run again: `watch` says why.
        task_max_failures: 1,
        stage_max_failures: 1,
        executor_timeout_seconds: 4 * SILENCE_S,
        no_executors_grace_period_seconds: 4 * SILENCE_S,
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
    let service = SchedulerGrpcServer::new(scheduler.clone())
        .max_decoding_message_size(MESSAGE_BYTES as usize)
        .max_encoding_message_size(MESSAGE_BYTES as usize);
    println!("{}:{port}", job.host);
    tokio::spawn(watch(workers, scheduler));
    let served = create_grpc_server(&GrpcServerConfig::default())
        .add_service(InterceptedService::new(service, guard::asking(&job.token)))
        .serve_with_incoming(TcpListenerStream::new(listener));
    tokio::select! {
        ended = served => Ok(ended?),
        () = job::end_of_input() => Ok(()),
    }
}
