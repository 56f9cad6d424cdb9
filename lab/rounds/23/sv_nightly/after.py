#!/usr/bin/env python3
"""Train a real/bogus classifier on shards of stamps streamed from the archive's HTTP service.

The structure (shard list -> tar reader -> decode -> batches -> model) is that of WebDataset
pipelines; own code.  With --serve the archive is played by a local service that answers from
shards/ like the real one, tape-library latency included.

usage: train.py shards/ model.npy [--epochs N]
"""
import argparse
import http.client
import http.server
import io
import multiprocessing as mp
import os
import tarfile
import time
from collections import deque
from concurrent.futures import ThreadPoolExecutor

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")     # the node is shared

import numpy as np

LATENCY = 0.055
SIDE = 21


class Archive(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        time.sleep(LATENCY)              # staging, as measured on the real archive
        try:
            with open(os.path.join(self.server.root, os.path.basename(self.path)), "rb") as f:
                body = f.read()
        except OSError:
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


def serve(root, pipe):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Archive)
    server.root = root
    pipe.send(server.server_address[1])
    server.serve_forever()


def fetch(port, name):
    """One shard: (stamps, labels) decoded from the tar."""
    con = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    con.request("GET", "/" + name)
    answer = con.getresponse()
    if answer.status != 200:
        raise OSError(f"{name}: status {answer.status}")
    stamps, labels = [], []
    with tarfile.open(fileobj=io.BytesIO(answer.read())) as tar:
        for member in tar:
            data = tar.extractfile(member).read()
            stamps.append(np.frombuffer(data, "<u2", SIDE * SIDE))
            labels.append(data[-1])
    con.close()
    return np.asarray(stamps, "f4") / 1024 - 0.5, np.asarray(labels, "f4")


def shards(port, names):
    """The shards in order, up to four of them being fetched ahead of the model."""
    with ThreadPoolExecutor(4) as pool:
        ahead = deque()
        for name in names:
            ahead.append(pool.submit(fetch, port, name))
            if len(ahead) > 4:
                yield ahead.popleft().result()
        while ahead:
            yield ahead.popleft().result()


def step(model, x, y, rate=0.05, rounds=6):
    """Some rounds of gradient descent on one shard; returns the last loss."""
    w1, w2 = model
    for _ in range(rounds):
        h = np.tanh(x @ w1)
        p = 1 / (1 + np.exp(-(h @ w2)))
        g = (p - y) / len(y)
        w1 -= rate * x.T @ (np.outer(g, w2) * (1 - h * h))
        w2 -= rate * h.T @ g
    return float(-np.mean(y * np.log(p + 1e-7) + (1 - y) * np.log(1 - p + 1e-7)))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("root")
    ap.add_argument("model")
    ap.add_argument("--epochs", type=int, default=2)
    args = ap.parse_args()
    names = sorted(os.listdir(args.root))
    here, there = mp.Pipe()
    archive = mp.Process(target=serve, args=(args.root, there), daemon=True)
    archive.start()
    port = here.recv()
    rng = np.random.default_rng(5)
    model = [rng.normal(0, .05, (SIDE * SIDE, 96)).astype("f4"), rng.normal(0, .1, 96).astype("f4")]
    for epoch in range(args.epochs):
        losses = [step(model, x, y) for x, y in shards(port, names)]
        print(f"epoch {epoch}: {len(losses)} shards, loss {np.mean(losses):.4f}")
    np.save(args.model, np.concatenate([m.ravel() for m in model]))
    archive.terminate()
    archive.join()


if __name__ == "__main__":
    main()
