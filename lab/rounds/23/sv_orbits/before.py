#!/usr/bin/env python3
"""Link asteroid tracklets with an ephemeris service and keep the consistent pairs.

usage: orbits.py tracklets.json linked.json
The service runs as a child process on 127.0.0.1; messages are JSON with a length prefix, a
batch of hypotheses per message on one connection, TCP_NODELAY set.  The service integrates each
hypothesis (leapfrog, Sun and Jupiter) to the epochs asked for.
"""
import json
import math
import multiprocessing as mp
import socket
import struct
import sys

import numpy as np

GM = 2.959122082855911e-4
JUP = 9.5e-4


def send(sock, obj):
    body = json.dumps(obj).encode()
    sock.sendall(struct.pack("!I", len(body)) + body)


def receive(stream):
    head = stream.read(4)
    if len(head) < 4:
        return None
    return json.loads(stream.read(struct.unpack("!I", head)[0]))


def acceleration(pos, t):
    jup = 5.2 * np.array([math.cos(t / 689.0), math.sin(t / 689.0), 0.0])
    d = pos - jup
    r3 = (pos ** 2).sum(axis=1)[:, None] ** 1.5
    return -GM * pos / r3 - GM * JUP * d / ((d ** 2).sum(axis=1)[:, None] ** 1.5 + 1e-9)


def propagate(state, span, dt=0.25):
    pos, vel = state[:, :3].copy(), state[:, 3:].copy()
    acc = acceleration(pos, 0.0)
    for k in range(int(span / dt)):
        vel += 0.5 * dt * acc
        pos += dt * vel
        acc = acceleration(pos, (k + 1) * dt)
        vel += 0.5 * dt * acc
    return pos


def serve(listener):
    sock, _ = listener.accept()
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    stream = sock.makefile("rb")
    while (job := receive(stream)) is not None:
        pos = propagate(np.array(job["states"]), job["span"])
        send(sock, {"id": job["id"], "pos": pos.round(9).tolist()})


def link(result, job):
    seen = np.array(job["observed"])
    miss = np.linalg.norm(np.array(result["pos"]) - seen, axis=1)
    return [[job["id"], k, round(float(m), 6)] for k, m in enumerate(miss) if m < 0.02]


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[1]) as f:
        jobs = json.load(f)
    listener = socket.create_server(("127.0.0.1", 0))
    service = mp.get_context("fork").Process(target=serve, args=(listener,), daemon=True)
    service.start()
    sock = socket.create_connection(listener.getsockname(), timeout=30)
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    stream = sock.makefile("rb")
    linked = []
    for job in jobs:
        send(sock, {k: job[k] for k in ("id", "states", "span")})
        answer = receive(stream)
        if answer is None:
            sys.exit("the service has gone")
        linked += link(answer, job)
    stream.close()
    sock.close()
    service.join(5)
    with open(sys.argv[2], "w") as out:
        json.dump(linked, out)
    print(f"{sum(len(j['states']) for j in jobs)} hypotheses, {len(linked)} linked")


if __name__ == "__main__":
    main()
