"""Detect events in a ring of vibration sensors and keep them in a database."""
import os
import sqlite3
import sys

import numpy as np

RATE = 500.0
WINDOW = 4096
SCHEMA = """
CREATE TABLE sensor (id INTEGER PRIMARY KEY, name TEXT, gain REAL);
CREATE TABLE event (sensor INTEGER, start REAL, peak REAL, energy REAL, freq REAL);
CREATE INDEX event_by_sensor ON event (sensor, start);
"""


def open_database(path):
    if os.path.exists(path):
        os.remove(path)
    db = sqlite3.connect(path)
    db.executescript("BEGIN;" + SCHEMA)
    return db


def signal(sensor, window):
    rng = np.random.default_rng(sensor * 1000 + window)
    t = np.arange(WINDOW) / RATE
    data = rng.normal(0, 1.0, WINDOW)
    for burst in range(3):
        centre = rng.uniform(0.5, t[-1] - 0.5)
        data += 6.0 * np.exp(-((t - centre) / 0.08) ** 2) * np.sin(2 * np.pi * (30 + 9 * burst) * t)
    return t, data


def moving_energy(data, width):
    total = np.concatenate([[0.0], np.cumsum(data * data)])
    return (total[width:] - total[:-width]) / width


def find_events(t, data):
    spectrum = np.fft.rfft(data)
    freq = np.fft.rfftfreq(len(data), 1.0 / RATE)
    spectrum[(freq < 10.0) | (freq > 90.0)] = 0.0
    clean = np.fft.irfft(spectrum, len(data))
    short = moving_energy(clean, 32)
    long = moving_energy(clean, 1024)
    ratio = short[-len(long):] / (long + 1e-9)
    above = np.flatnonzero(np.diff((ratio > 3.0).astype(int)) == 1)
    for start in above:
        i = start + len(short) - len(long)
        piece = clean[i:i + 128]
        if len(piece) < 128:
            continue
        power = np.abs(np.fft.rfft(piece * np.hanning(128))) ** 2
        dominant = np.argmax(power) * RATE / 128
        yield float(t[i]), float(np.abs(piece).max()), float((piece ** 2).sum()), float(dominant)


def main():
    n_windows = int(sys.argv[1]) if len(sys.argv) > 1 else 280
    db = open_database("vibration.db")
    n_sensors = 12
    for sensor in range(n_sensors):
        db.execute("INSERT INTO sensor VALUES (?, ?, ?)", (sensor, "S%02d" % sensor, 1.0))
        for window in range(n_windows):
            t, data = signal(sensor, window)
            offset = window * WINDOW / RATE
            for start, peak, energy, freq in find_events(t, data):
                db.execute("INSERT INTO event VALUES (?, ?, ?, ?, ?)",
                           (sensor, offset + start, peak, energy, freq))
    db.commit()
    rows = db.execute("SELECT sensor, COUNT(*), AVG(peak), AVG(freq) FROM event "
                      "GROUP BY sensor ORDER BY sensor").fetchall()
    for sensor, count, peak, freq in rows:
        print("S%02d  events %4d  peak %.4f  freq %.3f" % (sensor, count, peak, freq))
    db.close()


if __name__ == "__main__":
    main()
