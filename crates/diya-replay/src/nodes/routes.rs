//! Which node waits for what on another node.

use crate::operation::Operation;
use crate::plan::Plan;
use std::collections::BTreeMap;

/// The same on all nodes, as the plan is.
pub(super) struct Routes {
    /// By lane: after how many requests which other node waits, in this order.
    lanes: Vec<Vec<(u32, u32)>>,
    /// By meeting: how many come on each node.
    meetings: Vec<BTreeMap<u32, u32>>,
}

impl Routes {
    pub fn of(plan: &Plan) -> Self {
        let mut routes = Self {
            lanes: vec![Vec::new(); plan.lanes.len()],
            meetings: vec![BTreeMap::new(); plan.meetings.len()],
        };
        for (requests, node) in plan.lanes.iter().zip(&plan.nodes) {
            for request in requests {
                let (first, last) = request.waits;
                for wait in plan.waits.get(first as usize..last as usize).unwrap_or(&[]) {
                    let lane = wait.lane as usize;
                    if plan.nodes.get(lane) != Some(node)
                        && let Some(lane) = routes.lanes.get_mut(lane)
                    {
                        lane.push((wait.done, *node));
                    }
                }
                if request.operation == Operation::Meet
                    && let Some(meeting) =
                        routes.meetings.get_mut(request.slot.unwrap_or(0) as usize)
                {
                    *meeting.entry(*node).or_default() += 1;
                }
            }
        }
        for lane in &mut routes.lanes {
            lane.sort_unstable();
            lane.dedup();
        }
        routes
    }

    /// The nodes that wait until this lane has done just so many requests.
    pub fn waiting(&self, lane: u32, done: u32) -> &[(u32, u32)] {
        let Some(lane) = self.lanes.get(lane as usize).filter(|lane| !lane.is_empty()) else {
            return &[];
        };
        let first = lane.partition_point(|(at, _)| *at < done);
        let last = lane.partition_point(|(at, _)| *at <= done);
        lane.get(first..last).unwrap_or(&[])
    }

    /// How many come to the meeting on each node; `None`: all on one.
    pub fn meeting(&self, number: u32) -> Option<&BTreeMap<u32, u32>> {
        self.meetings.get(number as usize).filter(|nodes| nodes.len() > 1)
    }
}
