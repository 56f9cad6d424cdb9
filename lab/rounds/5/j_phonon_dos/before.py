"""Phonon density of states from finite-displacement force files."""
import glob
import os
import sys
import tempfile

import numpy as np

ATOMS = 108
NBIN = 200


def read_masses(path):
    masses = []
    with open(path) as table:
        for line in table:
            species, mass = line.split()
            masses.append(float(mass))
    return np.repeat(np.array(masses), 3)


def read_force_constants(folder):
    phi = np.zeros((3 * ATOMS, 3 * ATOMS))
    for path in sorted(glob.glob(os.path.join(folder, "disp_*.bin"))):
        atom = int(os.path.basename(path)[5:8])
        if os.path.getsize(path) != 8 * 9 * ATOMS:
            raise ValueError(path)
        with open(path, "rb") as src:
            rows = np.frombuffer(src.read(), dtype=np.float64)
        phi[3 * atom:3 * atom + 3] = rows.reshape(3, 3 * ATOMS)
    return 0.5 * (phi + phi.T)


def dynamical_matrix(phi, masses, q):
    phase = np.exp(1j * q * np.arange(masses.size))
    d = phi / np.sqrt(np.outer(masses, masses))
    return d * np.outer(phase, phase.conj()) + np.eye(masses.size) * (1.0 + np.cos(q))


def density(frequencies, edges, width=0.03):
    centres = 0.5 * (edges[1:] + edges[:-1])
    x = (centres[:, None] - frequencies[None, :]) / width
    return np.exp(-0.5 * x * x).sum(axis=1)


def save_partial(folder, iq, dos):
    handle, name = tempfile.mkstemp(dir=folder, suffix=".tmp")
    with os.fdopen(handle, "wb") as out:
        np.save(out, dos)
    os.replace(name, os.path.join(folder, "dos_%03d.npy" % iq))


def main():
    nq = int(sys.argv[1]) if len(sys.argv) > 1 else 16
    os.makedirs("partial", exist_ok=True)
    edges = np.linspace(-3.0, 5.0, NBIN + 1)
    masses = read_masses("masses.txt")
    phi = read_force_constants("forces")
    total = np.zeros(NBIN)

    with open("phonon.log", "w", buffering=1) as log:
        for iq in range(nq):
            q = np.pi * iq / nq
            values = np.linalg.eigvalsh(dynamical_matrix(phi, masses, q))
            frequencies = np.sign(values) * np.sqrt(np.abs(values))
            dos = density(frequencies, edges)
            total += dos
            if iq % 8 == 7:
                save_partial("partial", iq, total)
            log.write("q %.5f  lowest %.5f  highest %.5f\n" % (q, frequencies[0], frequencies[-1]))

    np.savetxt("dos.txt", np.column_stack([edges[:-1], total / nq]))
    print("q points %d  states %.4f" % (nq, total.sum() / nq * (edges[1] - edges[0])))


if __name__ == "__main__":
    main()
