#!/usr/bin/env python3
"""Fetches the WMTS tiles of an area with a thread pool and builds a mosaic.

Structure after the ThreadPoolExecutor example of Python's concurrent.futures
documentation (load_url, as_completed). The tile service runs on this machine:
it renders a tile in a fixed time, as many at once as are asked for.
"""
import argparse
import concurrent.futures
import http.client
import http.server
import multiprocessing as mp
import sys
import threading
import time
import zlib

import numpy as np

SIZE = 128


class TileService(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = 65536
    render_seconds = 0.02

    def do_GET(self):
        z, y, x = (int(v) for v in self.path.strip("/").split("/")[-3:])
        time.sleep(self.render_seconds)
        r, c = np.mgrid[0:SIZE, 0:SIZE]
        body = zlib.compress(((r * (y + 1) + c * (x + 3) + z) % 251).astype(np.uint8).tobytes(), 1)
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


def serve(port_box):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), TileService)
    port_box.send(server.server_address[1])
    server.serve_forever()


class WmtsClient:
    """Keeps a connection to the service for each thread; safe to use from several threads."""

    def __init__(self, host, port):
        self.host, self.port = host, port
        self.local = threading.local()

    def connection(self):
        if not hasattr(self.local, "conn"):
            self.local.conn = http.client.HTTPConnection(self.host, self.port, timeout=30)
        return self.local.conn

    def tile(self, z, y, x):
        conn = self.connection()
        conn.request("GET", f"/wmts/s2cloudless/{z}/{y}/{x}")
        resp = conn.getresponse()
        body = resp.read()
        if resp.status != 200:
            raise OSError(f"tile {z}/{y}/{x}: HTTP {resp.status}")
        return np.frombuffer(zlib.decompress(body), np.uint8).reshape(SIZE, SIZE)


def mosaic(client, z, rows, cols, threads):
    out = np.zeros((rows * SIZE, cols * SIZE), np.uint8)
    with concurrent.futures.ThreadPoolExecutor(max_workers=threads) as executor:
        future_to_tile = {executor.submit(client.tile, z, y, x): (y, x) for y in range(rows) for x in range(cols)}
        for future in concurrent.futures.as_completed(future_to_tile):
            y, x = future_to_tile[future]
            try:
                out[y * SIZE:(y + 1) * SIZE, x * SIZE:(x + 1) * SIZE] = future.result()
            except OSError as e:
                print(f"tile {y}/{x} left empty: {e}", file=sys.stderr)
    return out


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--zoom", type=int, default=11)
    ap.add_argument("--rows", type=int, default=8)
    ap.add_argument("--cols", type=int, default=10)
    ap.add_argument("--threads", type=int, default=8)
    ap.add_argument("--out", default="mosaic.pgm")
    a = ap.parse_args()
    here, there = mp.Pipe()
    service = mp.Process(target=serve, args=(there,), daemon=True)
    service.start()
    try:
        m = mosaic(WmtsClient("127.0.0.1", here.recv()), a.zoom, a.rows, a.cols, a.threads)
    finally:
        service.terminate()
    with open(a.out, "wb") as f:
        f.write(b"P5\n%d %d\n255\n" % (m.shape[1], m.shape[0]) + m.tobytes())
    print(f"mosaic {m.shape}, mean {m.mean():.4f}, crc {zlib.crc32(m.tobytes()):08x}")


if __name__ == "__main__":
    main()
