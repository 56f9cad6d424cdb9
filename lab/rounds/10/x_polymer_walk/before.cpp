// Pivot algorithm for self avoiding walks on the cubic lattice. Every accepted
// move is logged as a small binary record for the autocorrelation analysis.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <random>
#include <unordered_set>
#include <vector>

struct Site {
    int x, y, z;
};

struct Move {
    uint32_t trial;
    uint16_t pivot;
    uint16_t symmetry;
    float radius;
    float end2;
};

class Walk {
public:
    explicit Walk(int n) : sites_(n), trial_(n) {
        for (int i = 0; i < n; i++) sites_[i] = {i, 0, 0};
        seen_.reserve(4 * n);
    }

    bool pivot(int at, int symmetry) {
        const Site c = sites_[at];
        for (size_t i = 0; i < sites_.size(); i++)
            trial_[i] = static_cast<int>(i) <= at ? sites_[i] : rotate(sites_[i], c, symmetry);
        seen_.clear();
        // collisions are most likely near the pivot, so look there first
        int n = static_cast<int>(sites_.size());
        for (int d = 0; d < n; d++) {
            if (at + d < n && !seen_.insert(key(trial_[at + d])).second) return false;
            if (d > 0 && at - d >= 0 && !seen_.insert(key(trial_[at - d])).second) return false;
        }
        sites_.swap(trial_);
        return true;
    }

    double endToEnd2() const {
        const Site &a = sites_.front(), &b = sites_.back();
        double dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
        return dx * dx + dy * dy + dz * dz;
    }

    double gyration() const {
        double s[3] = {0, 0, 0}, q = 0;
        for (const Site &p : sites_) {
            s[0] += p.x;
            s[1] += p.y;
            s[2] += p.z;
            q += double(p.x) * p.x + double(p.y) * p.y + double(p.z) * p.z;
        }
        double n = sites_.size();
        return std::sqrt(q / n - (s[0] * s[0] + s[1] * s[1] + s[2] * s[2]) / (n * n));
    }

private:
    static uint64_t key(const Site &p) {
        return (uint64_t(p.x + 65536) << 40) ^ (uint64_t(p.y + 65536) << 20) ^ uint64_t(p.z + 65536);
    }
    static Site rotate(const Site &p, const Site &c, int k) {
        int x = p.x - c.x, y = p.y - c.y, z = p.z - c.z;
        switch (k) {
        case 0: return {c.x - y, c.y + x, c.z + z};
        case 1: return {c.x + y, c.y - x, c.z + z};
        case 2: return {c.x + x, c.y - z, c.z + y};
        case 3: return {c.x + x, c.y + z, c.z - y};
        case 4: return {c.x + z, c.y + y, c.z - x};
        default: return {c.x - x, c.y - y, c.z + z};
        }
    }

    std::vector<Site> sites_, trial_;
    std::unordered_set<uint64_t> seen_;
};

int main(int argc, char **argv) {
    int length = argc > 1 ? std::atoi(argv[1]) : 120;
    int trials = argc > 2 ? std::atoi(argv[2]) : 300000;
    std::mt19937 rng(2024);
    Walk walk(length);
    std::ofstream log("moves.bin", std::ios::binary);
    double sumR = 0, sumE = 0;
    long accepted = 0;
    for (int t = 0; t < trials; t++) {
        int at = 1 + rng() % (length - 2), symmetry = rng() % 6;
        if (walk.pivot(at, symmetry)) {
            Move m = {uint32_t(t), uint16_t(at), uint16_t(symmetry), float(walk.gyration()), float(walk.endToEnd2())};
            log.write(reinterpret_cast<const char *>(&m), sizeof m);
            sumR += m.radius;
            sumE += m.end2;
            accepted++;
        }
    }
    log.close();
    std::cout << "accepted " << accepted << " of " << trials << ", mean radius " << sumR / accepted
              << ", mean squared end distance " << sumE / accepted << "\n";
    return log ? 0 : 1;
}
