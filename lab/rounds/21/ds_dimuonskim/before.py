#!/usr/bin/env python
"""Dimuon analysis in two stages: a skim per run period, then histograms.

Stage one selects opposite-sign pairs with both muons in acceptance and
stores the four variables that the fit needs.  Stage two loads the skims of
all periods and fills the mass spectrum.  The stages can be run separately.
"""
import os
import sys

import numpy as np

PERIODS = 3
MUON_MASS = 0.1056583755
NAMES = ("mass", "pt", "rapidity", "dphi")


def p4(pt, eta, phi):
    px, py, pz = pt * np.cos(phi), pt * np.sin(phi), pt * np.sinh(eta)
    return px, py, pz, np.sqrt(px * px + py * py + pz * pz + MUON_MASS ** 2)


def pairs(ev):
    """Mass, pt, rapidity and opening angle of the muon pairs."""
    a = p4(ev["pt1"], ev["eta1"], ev["phi1"])
    b = p4(ev["pt2"], ev["eta2"], ev["phi2"])
    px, py, pz, e = (u + v for u, v in zip(a, b))
    mass = np.sqrt(np.maximum(e * e - px * px - py * py - pz * pz, 0))
    rap = 0.5 * np.log((e + pz) / (e - pz))
    dphi = np.abs((ev["phi1"] - ev["phi2"] + np.pi) % (2 * np.pi) - np.pi)
    return np.column_stack([mass, np.hypot(px, py), rap, dphi])


def select(ev):
    keep = (ev["q"] == 0)
    for k in "12":
        keep &= (ev["pt" + k] > 4) & (np.abs(ev["eta" + k]) < 2.4)
    return ev[keep]


def skim_name(folder, period):
    return os.path.join(folder, f"skim_{period}.dat")


def write_skims(ntuple, folder):
    events = np.load(ntuple, mmap_mode="r")
    for period in range(PERIODS):
        table = pairs(select(events[events["run"] == period]))
        # full precision, the fit is sensitive to rounding
        np.savetxt(skim_name(folder, period), table,
                   fmt="%.17e", header=" ".join(NAMES))


def read_skims(folder):
    parts = []
    for period in range(PERIODS):
        parts.append(np.loadtxt(skim_name(folder, period)))
    return np.concatenate(parts)


def main(ntuple, folder="skims"):
    os.makedirs(folder, exist_ok=True)
    write_skims(ntuple, folder)
    table = read_skims(folder)
    print("selected pairs", len(table))
    for k, name in enumerate(NAMES):
        print(f"{name:9s} mean {table[:, k].mean():.9f} rms {table[:, k].std():.9f}")
    hist, _ = np.histogram(table[:, 0], bins=[0, 4, 12, 30, 60, 75, 105, 400])
    print("mass spectrum", hist.tolist())


if __name__ == "__main__":
    main(*sys.argv[1:])
