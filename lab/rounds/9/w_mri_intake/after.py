"""Intake of scanner sessions: quality figures from the reconstructed volume,
while the slices wait in quarantine, then the move into the study archive."""
import json
import os
import sys

import numpy as np

INCOMING = "incoming"
HOLD = "quarantine"
STUDY = "study"


def quality(volume):
    """Signal to noise, ghosting and a crude sharpness of one volume."""
    centre = volume[32:64, 32:64, 8:16]
    corner = volume[:12, :12, :]
    snr = float(centre.mean() / corner.std())
    ghost = float(abs(volume[:, :8].mean() - volume[:8, :].mean()) / centre.mean())
    spec = np.abs(np.fft.fftn(volume))
    sharp = float(spec[24:72, 24:72].sum() / spec.sum())
    return {"snr": round(snr, 4), "ghost": round(ghost, 6), "sharpness": round(sharp, 5)}


def move_slices(source, folder):
    os.makedirs(os.path.dirname(folder), exist_ok=True)
    count = sum(name.endswith(".img") for name in os.listdir(source))
    os.rename(source, folder)
    return count


def main():
    first = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    sessions = sorted(n for n in os.listdir(INCOMING) if n.endswith(".vol"))
    report = {}
    os.makedirs(HOLD)
    for k, vol in enumerate(sessions):
        data = np.fromfile(os.path.join(INCOMING, vol), dtype=np.float32).reshape(96, 96, 24)
        session = vol[:-4]
        move_slices(os.path.join(INCOMING, session), os.path.join(HOLD, session))
        figures = quality(data)
        folder = "rejected" if figures["snr"] < 5 else f"sub-{first + k:03d}"
        figures["slices"] = move_slices(os.path.join(HOLD, session),
                                        os.path.join(STUDY, folder, session))
        report[session] = figures
    os.rmdir(HOLD)
    with open("report.json", "w") as f:
        json.dump(report, f, indent=1, sort_keys=True)
    print("sessions", len(report), "slices", sum(r["slices"] for r in report.values()))


if __name__ == "__main__":
    main()
