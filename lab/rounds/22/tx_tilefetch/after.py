#!/usr/bin/env python3
"""Fetch map tiles and paste them to one picture.

Tile numbering as in the OpenStreetMap wiki page "Slippy map tilenames"; a local
server stands in for the tile host and takes its usual answer time.
"""
import argparse
import concurrent.futures
import http.server
import io
import sys
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

import numpy as np
from PIL import Image

SIZE = 64
ANSWER_TIME = 0.02


def render(z, x, y):
    v, u = np.mgrid[0:SIZE, 0:SIZE]
    img = np.empty((SIZE, SIZE, 3), dtype=np.uint8)
    img[..., 0] = (u + x * 20) % 256
    img[..., 1] = (v + y * 30) % 256
    img[..., 2] = z * 20 % 256
    buf = io.BytesIO()
    Image.fromarray(img).save(buf, "PNG", compress_level=1)
    return buf.getvalue()


class TileHandler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        try:
            z, x, y = (int(p) for p in self.path.strip("/").removesuffix(".png").split("/"))
        except ValueError:
            self.send_error(404)
            return
        time.sleep(ANSWER_TIME)
        body = render(z, x, y)
        self.send_response(200)
        self.send_header("Content-Type", "image/png")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


class TileServer(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64


def fetch(base, cache, tile):
    z, x, y = tile
    path = cache / f"{z}_{x}_{y}.png"
    try:
        with urllib.request.urlopen(f"{base}/{z}/{x}/{y}.png", timeout=10) as r:
            data = r.read()
    except urllib.error.URLError as exc:
        raise SystemExit(f"tile {tile}: {exc}")
    path.write_bytes(data)
    return tile, data


def fetch_all(base, cache, tiles):
    with concurrent.futures.ThreadPoolExecutor(12) as pool:
        yield from pool.map(lambda t: fetch(base, cache, t), tiles)


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--zoom", type=int, default=7)
    ap.add_argument("--cols", type=int, default=8)
    ap.add_argument("--rows", type=int, default=8)
    ap.add_argument("--out", default="mosaic.png")
    ap.add_argument("--cache", type=Path, default=Path("cache"))
    args = ap.parse_args()
    args.cache.mkdir(exist_ok=True)
    server = TileServer(("127.0.0.1", 0), TileHandler)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    base = "http://127.0.0.1:%d" % server.server_address[1]
    tiles = [(args.zoom, x, y) for y in range(args.rows) for x in range(args.cols)]
    mosaic = Image.new("RGB", (args.cols * SIZE, args.rows * SIZE))
    try:
        for (z, x, y), data in fetch_all(base, args.cache, tiles):
            mosaic.paste(Image.open(io.BytesIO(data)), (x * SIZE, y * SIZE))
    finally:
        server.shutdown()
        server.server_close()
    mosaic.save(args.out)
    print(f"{len(tiles)} tiles, mean colour {np.asarray(mosaic).mean((0, 1)).round(3).tolist()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
