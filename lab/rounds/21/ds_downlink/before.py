#!/usr/bin/env python
"""Receive telemetry frames from the ground station and archive them.

The station sends frames while the satellite passes, over a TCP stream.  Here
a stand-in for the station runs in a child process and keeps its frame rate.
The receiver checks each frame, stores it and keeps housekeeping statistics.
"""
import asyncio
import multiprocessing as mp
import socket
import struct
import time
import zlib

import numpy as np

FRAMES = 150
RATE = 60.0          # frames per second of the downlink
HEAD = struct.Struct(">4sIII")
PAYLOAD = 4096


def station(sock):
    """Stand-in of the ground station: one frame every 1/RATE seconds."""
    conn, _ = sock.accept()
    rng = np.random.default_rng(100)
    start = time.monotonic()
    with conn:
        for n in range(FRAMES):
            wait = start + n / RATE - time.monotonic()
            if wait > 0:
                time.sleep(wait)
            volts = rng.normal(28.0 + 0.01 * n, 0.2, PAYLOAD // 4).astype(">f4")
            body = volts.tobytes()
            conn.sendall(HEAD.pack(b"TLM1", n, len(body), zlib.crc32(body)) + body)
        conn.sendall(HEAD.pack(b"END.", FRAMES, 0, 0))


async def read_frame(reader):
    head = await reader.readexactly(HEAD.size)
    magic, n, size, crc = HEAD.unpack(head)
    if magic == b"END.":
        return None
    body = await reader.readexactly(size)
    if magic != b"TLM1" or zlib.crc32(body) != crc:
        raise ValueError(f"frame {n} is damaged")
    return n, body


async def receive(port, path):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    means = []
    with open(path, "wb") as archive:
        while True:
            frame = await read_frame(reader)
            if frame is None:
                break
            n, body = frame
            archive.write(struct.pack(">II", n, len(body)))
            archive.write(body)
            means.append(float(np.frombuffer(body, ">f4").astype("f8").mean()))
    writer.close()
    await writer.wait_closed()
    return np.array(means)


def main():
    sock = socket.create_server(("127.0.0.1", 0))
    port = sock.getsockname()[1]
    child = mp.Process(target=station, args=(sock,))
    child.start()
    means = asyncio.run(receive(port, "pass.tlm"))
    child.join()
    slope, level = np.polyfit(np.arange(len(means)), means, 1)
    print("frames", len(means))
    print(f"bus voltage {level:.4f} V, drift {slope * 1000:.4f} mV per frame")


if __name__ == "__main__":
    main()
