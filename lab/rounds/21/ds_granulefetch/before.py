#!/usr/bin/env python
"""Collect brightness statistics of granules from the archive's HTTP service.

For tests a small archive is started on this machine: it answers
/granule/<n> with a binary header and 64x64 int16 counts, at the pace of the
real service, which looks each granule up in its catalogue.
"""
import http.server
import multiprocessing as mp
import struct
import time
import urllib.request

import numpy as np

GRANULES = 130
LOOKUP = 0.014     # catalogue look-up of the service, seconds


class Archive(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        n = int(self.path.rsplit("/", 1)[1])
        time.sleep(LOOKUP)
        rng = np.random.default_rng(n)
        counts = rng.normal(900 + n, 60, (64, 64)).astype("<i2")
        body = struct.pack("<4sII", b"GRAN", n, counts.size) + counts.tobytes()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 64


def serve(pipe):
    srv = Server(("127.0.0.1", 0), Archive)
    pipe.send(srv.server_address[1])
    srv.serve_forever()


def load_granule(url):
    """Download and unpack one granule."""
    with urllib.request.urlopen(url, timeout=20) as conn:
        body = conn.read()
    magic, n, size = struct.unpack_from("<4sII", body)
    if magic != b"GRAN":
        raise ValueError(f"{url}: not a granule")
    counts = np.frombuffer(body, "<i2", size, offset=12)
    return n, float(counts.mean()), float(counts.std())


def fetch_all(urls):
    return [load_granule(u) for u in urls]


def main():
    here, there = mp.Pipe()
    server = mp.Process(target=serve, args=(there,), daemon=True)
    server.start()
    port = here.recv()

    urls = [f"http://127.0.0.1:{port}/granule/{n}" for n in range(GRANULES)]
    rows = sorted(fetch_all(urls))
    server.terminate()
    server.join()

    mean = np.array([r[1] for r in rows])
    dev = np.array([r[2] for r in rows])
    slope = np.polyfit(np.arange(len(mean)), mean, 1)[0]
    print("granules", len(rows))
    print(f"drift {slope:.5f} counts per granule")
    print(f"noise {np.median(dev):.4f}")


if __name__ == "__main__":
    main()
