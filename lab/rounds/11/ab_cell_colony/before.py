"""Growth of a bacterial colony, cell by cell.

Cells elongate with noisy rates and divide by the adder rule (a fixed length is
added between birth and division). The lineage of each cell - birth, division,
lengths, daughters - is kept for the single-cell analysis.
"""
import json
import heapq
import math
import os
import random
import sys

N_CELLS = int(sys.argv[1]) if len(sys.argv) > 1 else 12000
SEED = 29

RATE = math.log(2) / 25.0           # 1/min, mean elongation rate
RATE_CV = 0.12
ADDED = 2.2                         # micrometre added per cycle
ADDED_CV = 0.18
SPLIT_SD = 0.03                     # asymmetry of division
SAMPLING = 5.0                      # min between two frames

FOLDER = "lineages"


class Store:
    def __init__(self, folder):
        self.folder = folder
        os.makedirs(folder, exist_ok=True)

    def put(self, cell):
        with open(os.path.join(self.folder, f"cell_{cell['id']:06d}.json"), "w") as f:
            f.write(json.dumps(cell) + "\n")

    def close(self):
        pass


def life(rng, number, mother, birth, length):
    """one cell cycle: from birth to division"""
    rate = max(0.3 * RATE, rng.gauss(RATE, RATE_CV * RATE))
    added = max(0.4, rng.gauss(ADDED, ADDED_CV * ADDED))
    cycle = math.log((length + added) / length) / rate
    frames = []
    t = SAMPLING * math.ceil(birth / SAMPLING)
    while t < birth + cycle:
        frames.append(round(length * math.exp(rate * (t - birth)), 3))
        t += SAMPLING
    return {"id": number, "mother": mother, "birth": round(birth, 3),
            "division": round(birth + cycle, 3), "length": round(length, 4),
            "rate": round(rate, 6), "added": round(added, 4), "frames": frames}


def mother_daughter(pairs):
    """correlation of the birth lengths of mother and daughter"""
    n = len(pairs)
    mx = sum(p[0] for p in pairs) / n
    my = sum(p[1] for p in pairs) / n
    cov = sum((p[0] - mx) * (p[1] - my) for p in pairs)
    vx = sum((p[0] - mx) ** 2 for p in pairs)
    vy = sum((p[1] - my) ** 2 for p in pairs)
    return cov / math.sqrt(vx * vy)


def main():
    rng = random.Random(SEED)
    store = Store(FOLDER)
    queue = [(0.0, 0, -1, 2.0)]     # birth time, id, mother, length
    born = 1
    done = 0
    pairs = []
    while queue and done < N_CELLS:
        birth, number, mother, length = heapq.heappop(queue)
        cell = life(rng, number, mother, birth, length)
        store.put(cell)
        done += 1
        final = cell["length"] + cell["added"]
        cut = min(0.7, max(0.3, rng.gauss(0.5, SPLIT_SD)))
        for part in (cut, 1.0 - cut):
            heapq.heappush(queue, (cell["division"], born, number, final * part))
            pairs.append((cell["length"], final * part))
            born += 1
    store.close()
    print(f"{done} cells, {born} born, mother-daughter correlation {mother_daughter(pairs):.3f}")


main()
