// Pivot algorithm for a self-avoiding polymer on the cubic lattice; the shape of every
// accepted chain goes into a binary trajectory of descriptors.
//
// usage: pivot length attempts
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <vector>

namespace {

using Site = std::array<int, 3>;

struct Random {
    std::uint64_t s = 0x9E3779B97F4A7C15ULL;
    double next() {
        s ^= s << 13; s ^= s >> 7; s ^= s << 17;
        return (s >> 11) / 9007199254740992.0;
    }
    int below(int n) { return int(next() * n); }
};

struct Descriptor {            // one line of the trajectory
    std::uint32_t attempt;
    std::uint32_t pivot;
    float endToEnd2;
    float gyration2;
    float asphericity;
    float contacts;
};

// open addressing table of occupied sites; a stamp makes clearing free
class Occupancy {
public:
    explicit Occupancy(std::size_t n) {
        std::size_t size = 1;
        while (size < 4 * n) size *= 2;
        keys_.assign(size, 0);
        stamps_.assign(size, 0);
        mask_ = size - 1;
    }
    void clear() { ++stamp_; }
    bool insert(const Site& s) {            // false if already there
        const std::uint64_t key = pack(s);
        std::size_t h = (key * 0x9E3779B97F4A7C15ULL >> 20) & mask_;
        while (stamps_[h] == stamp_) {
            if (keys_[h] == key) return false;
            h = (h + 1) & mask_;
        }
        stamps_[h] = stamp_;
        keys_[h] = key;
        return true;
    }

private:
    static std::uint64_t pack(const Site& s) {
        return (std::uint64_t(s[0] + (1 << 19)) << 42) | (std::uint64_t(s[1] + (1 << 19)) << 21) |
               std::uint64_t(s[2] + (1 << 19));
    }
    std::vector<std::uint64_t> keys_;
    std::vector<std::uint32_t> stamps_;
    std::uint32_t stamp_ = 0;
    std::size_t mask_ = 0;
};

Site rotated(const Site& d, const std::array<int, 3>& perm, const std::array<int, 3>& sign) {
    return {sign[0] * d[perm[0]], sign[1] * d[perm[1]], sign[2] * d[perm[2]]};
}

Descriptor describe(const std::vector<Site>& chain, int attempt, int pivot) {
    const double n = chain.size();
    double c[3] = {0, 0, 0}, q[3] = {0, 0, 0};
    for (const auto& s : chain)
        for (int d = 0; d < 3; ++d) { c[d] += s[d]; q[d] += double(s[d]) * s[d]; }
    double g[3], sum = 0;
    for (int d = 0; d < 3; ++d) { g[d] = q[d] / n - c[d] * c[d] / (n * n); sum += g[d]; }
    int near = 0;
    for (std::size_t i = 3; i < chain.size(); i += 3) {
        int dist = 0;
        for (int d = 0; d < 3; ++d) dist += std::abs(chain[i][d] - chain[i - 3][d]);
        near += dist == 1;
    }
    double e2 = 0;
    for (int d = 0; d < 3; ++d) e2 += std::pow(chain.back()[d] - chain.front()[d], 2);
    const double largest = std::max(g[0], std::max(g[1], g[2]));
    return {std::uint32_t(attempt), std::uint32_t(pivot), float(e2), float(sum),
            float(1.5 * largest / sum - 0.5), float(near)};
}

}  // namespace

int main(int argc, char** argv) {
    const int length = argc > 1 ? std::atoi(argv[1]) : 400;
    const int attempts = argc > 2 ? std::atoi(argv[2]) : 300000;
    static const int perms[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

    std::vector<Site> chain(length), trial(length);
    for (int i = 0; i < length; ++i) chain[i] = {i, 0, 0};
    Occupancy occupied(length);
    Random rng;
    std::ofstream trajectory("chains.dat", std::ios::binary);
    double r2 = 0;
    long accepted = 0;

    for (int a = 0; a < attempts; ++a) {
        const int pivot = 1 + rng.below(length - 2);
        const int* p = perms[rng.below(6)];
        const std::array<int, 3> perm{p[0], p[1], p[2]};
        const std::array<int, 3> sign{rng.below(2) * 2 - 1, rng.below(2) * 2 - 1, rng.below(2) * 2 - 1};
        const Site& o = chain[pivot];
        trial.assign(chain.begin(), chain.begin() + pivot + 1);
        for (int i = pivot + 1; i < length; ++i) {
            const Site d = rotated({chain[i][0] - o[0], chain[i][1] - o[1], chain[i][2] - o[2]}, perm, sign);
            trial.push_back({o[0] + d[0], o[1] + d[1], o[2] + d[2]});
        }
        occupied.clear();
        bool free = true;
        for (int k = 0; free && k < length; ++k) {      // outwards from the pivot
            if (pivot - k >= 0) free = occupied.insert(trial[pivot - k]);
            if (free && k && pivot + k < length) free = occupied.insert(trial[pivot + k]);
        }
        if (!free) continue;
        chain.swap(trial);
        const Descriptor d = describe(chain, a, pivot);
        trajectory.write(reinterpret_cast<const char*>(&d), sizeof d);
        r2 += d.endToEnd2;
        ++accepted;
    }
    std::printf("accepted %ld of %d, mean squared end-to-end distance %.2f\n", accepted, attempts,
                accepted ? r2 / accepted : 0.0);
    return 0;
}
