"""Predict residual accelerations along satellite passes with a table of gravity terms."""
import sys

import numpy as np

TERMS = "gravity_terms.npy"


def load_terms(path):
    with open(path, "rb") as f:
        return np.load(f)


def pass_track(number, samples):
    t = np.linspace(0.0, 1.0, samples)
    lat = np.degrees(np.arcsin(np.sin(1.7) * np.sin(6.28 * t + 0.1 * number)))
    lon = (360.0 * t * 1.07 + 23.5 * number) % 360.0
    return lat, lon


def residual(terms, lat, lon):
    i = ((lat + 90.0) / 180.0 * (terms.shape[0] - 2)).astype(int)
    j = (lon / 360.0 * (terms.shape[1] - 2)).astype(int)
    near = terms[i, j] + terms[i + 1, j] + terms[i, j + 1] + terms[i + 1, j + 1]
    return 0.25 * near * (1.0 + 0.1 * np.cos(np.radians(lat)))


def predict_pass(terms, number, samples):
    lat, lon = pass_track(number, samples)
    acc = residual(terms, lat, lon)
    return acc.mean(), acc.std(), np.abs(acc).max()


def main():
    passes = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    terms = load_terms(TERMS)
    table = np.zeros((passes, 3))
    for number in range(passes):
        table[number] = predict_pass(terms, number, 2000)
    np.savetxt("residuals.txt", table, fmt="%.8e")
    print("passes %d  mean spread %.8f  peak %.6f" % (passes, table[:, 1].mean(), table[:, 2].max()))


if __name__ == "__main__":
    main()
