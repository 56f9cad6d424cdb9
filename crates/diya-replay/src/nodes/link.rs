//! What a node tells the others, and hears from them, while the requests run.

use super::message::{Message, outcomes_as_bytes, receive_outcomes};
use super::routes::Routes;
use super::{Nodes, Peer};
use crate::error::ReplayError;
use crate::outcome::Outcome;
use crate::plan::Plan;
use crate::point::Point;
use std::io;
use std::sync::atomic::{AtomicU32, Ordering};

/// The ends of the connections, with how far all threads and meetings are.
pub(crate) struct Link<'r> {
    plan: &'r Plan,
    nodes: Option<&'r Nodes>,
    routes: Option<Routes>,
    lanes: Vec<Point>,
    meetings: Vec<Point>,
    /// How many have come to each meeting on this node.
    come: Vec<AtomicU32>,
}

/// The outcomes of a lane, with its number.
pub(crate) type LaneOutcomes = Vec<(usize, Vec<Outcome>)>;

impl<'r> Link<'r> {
    pub fn new(plan: &'r Plan, nodes: Option<&'r Nodes>) -> Self {
        Self {
            plan,
            nodes,
            routes: nodes.map(|_| Routes::of(plan)),
            lanes: plan.lanes.iter().map(|_| Point::default()).collect(),
            meetings: plan.meetings.iter().map(|_| Point::default()).collect(),
            come: plan.meetings.iter().map(|_| AtomicU32::new(0)).collect(),
        }
    }

    /// Number of this node.
    pub fn node(&self) -> u32 {
        self.nodes.map_or(0, Nodes::node)
    }

    /// How far a lane is.
    pub fn lane(&self, lane: u32) -> Option<&Point> {
        self.lanes.get(lane as usize)
    }

    /// A lane of this node has done one more request.
    pub fn advance(&self, lane: u32) {
        let Some(point) = self.lane(lane) else { return };
        let done = point.add(1);
        if self.routes.as_ref().is_some_and(|routes| !routes.waiting(lane, done).is_empty()) {
            self.tell_lane(lane, done, self.node());
        }
    }

    /// Tells those that wait, except the one it comes from; other nodes than node 0 tell node 0.
    fn tell_lane(&self, lane: u32, done: u32, from: u32) {
        let Some((nodes, routes)) = self.nodes.zip(self.routes.as_ref()) else { return };
        let waiting = routes.waiting(lane, done);
        for peer in &nodes.peers {
            let waits = nodes.node != 0 || waiting.iter().any(|(_, node)| *node == peer.node);
            if waits && peer.node != from {
                peer.send(&Message::Lane(lane, done).bytes());
            }
        }
    }

    /// Waits until all have come to a meeting.
    pub fn meet(&self, number: u32, is_over: impl Fn() -> bool) {
        let members = self.plan.meetings.get(number as usize).copied().unwrap_or(0);
        let Some(point) = self.meetings.get(number as usize) else { return };
        let of_nodes = self.routes.as_ref().and_then(|routes| routes.meeting(number));
        match of_nodes {
            Some(of_nodes) if self.node() != 0 => {
                let own = of_nodes.get(&self.node()).copied().unwrap_or(0);
                let come = self.come.get(number as usize);
                let come = come.map_or(0, |come| come.fetch_add(1, Ordering::SeqCst) + 1);
                if let Some(nodes) = self.nodes.filter(|_| come == own) {
                    let message = Message::Meeting(number, own).bytes();
                    nodes.peers.iter().for_each(|peer| peer.send(&message));
                }
            }
            _ => self.come(number, 1),
        }
        point.wait(members, is_over);
    }

    /// Node 0, or a meeting on one node: so many more have come.
    fn come(&self, number: u32, count: u32) {
        let members = self.plan.meetings.get(number as usize).copied().unwrap_or(0);
        let Some(point) = self.meetings.get(number as usize) else { return };
        if point.add(count) != members {
            return;
        }
        let of_nodes = self.routes.as_ref().and_then(|routes| routes.meeting(number));
        let Some((of_nodes, nodes)) = of_nodes.zip(self.nodes) else { return };
        for peer in nodes.peers.iter().filter(|peer| of_nodes.contains_key(&peer.node)) {
            peer.send(&Message::Meeting(number, members).bytes());
        }
    }

    /// How many to listen to.
    pub fn peers(&self) -> usize {
        self.nodes.map_or(0, |nodes| nodes.peers.len())
    }

    /// Listens to another node until it has said all. Node 0 gets its outcomes.
    pub fn listen(
        &self,
        peer: usize,
        is_over: &dyn Fn() -> bool,
    ) -> Result<LaneOutcomes, ReplayError> {
        let Some(peer) = self.nodes.and_then(|nodes| nodes.peers.get(peer)) else {
            return Ok(Vec::new());
        };
        self.listen_to(peer, is_over).map_err(|error| peer.gone(&error))
    }

    fn listen_to(&self, peer: &Peer, is_over: &dyn Fn() -> bool) -> io::Result<LaneOutcomes> {
        loop {
            match Message::receive(&peer.stream, is_over)? {
                Message::Ready => {}
                Message::End => return Ok(Vec::new()),
                Message::Lane(lane, done) => {
                    if let Some(point) = self.lane(lane) {
                        point.reach(done);
                    }
                    if self.node() == 0 {
                        self.tell_lane(lane, done, peer.node);
                    }
                }
                Message::Meeting(number, come) if self.node() == 0 => self.come(number, come),
                Message::Meeting(number, come) => {
                    if let Some(point) = self.meetings.get(number as usize) {
                        point.reach(come);
                    }
                }
                Message::Outcomes => {
                    let mut outcomes = Vec::new();
                    for lane in self.plan.lanes_of(peer.node) {
                        let requests = self.plan.lanes.get(lane).map_or(0, Vec::len);
                        outcomes.push((lane, receive_outcomes(&peer.stream, requests, is_over)?));
                    }
                    return Ok(outcomes);
                }
            }
        }
    }

    /// The lanes of this node are at their end: node 0 gets their outcomes.
    pub fn finish(&self, outcomes: &[Vec<Outcome>]) {
        let Some(nodes) = self.nodes.filter(|nodes| nodes.node != 0) else { return };
        for peer in &nodes.peers {
            peer.send(&Message::Outcomes.bytes());
            for outcomes in self.plan.lanes_of(nodes.node).filter_map(|lane| outcomes.get(lane)) {
                peer.send(&outcomes_as_bytes(outcomes));
            }
        }
    }

    /// Node 0 has all outcomes.
    pub fn end(&self) {
        if let Some(nodes) = self.nodes.filter(|nodes| nodes.node == 0) {
            nodes.peers.iter().for_each(|peer| peer.send(&Message::End.bytes()));
        }
    }
}
