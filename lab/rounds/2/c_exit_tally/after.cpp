// Neutron leakage from a slab: histories that leave the slab are put down
// in the list of the detector they hit.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

struct Hit {
    float energy;
    float angle;
    float time;
    std::int32_t history;
};

class Random {
    std::uint64_t s = 0x9E3779B97F4A7C15ull;
public:
    double operator()() {
        s ^= s >> 12;
        s ^= s << 25;
        s ^= s >> 27;
        return double((s * 2685821657736338717ull) >> 11) / 9007199254740992.0;
    }
};

class DetectorBank {
    std::vector<std::ofstream> list_;
    std::vector<long> count_;
public:
    explicit DetectorBank(int n) : count_(n, 0) {
        for (int i = 0; i < n; ++i) {
            list_.emplace_back("detector_" + std::to_string(i) + ".lst",
                               std::ios::binary | std::ios::trunc);
        }
    }
    void score(int det, const Hit &h) {
        list_[det].write(reinterpret_cast<const char *>(&h), sizeof h);
        ++count_[det];
    }
    long count(int det) const { return count_[det]; }
    int size() const { return int(list_.size()); }
};

static bool transport(Random &rnd, double thick, Hit &hit, double &where)
{
    double x = 0.0, mu = std::sqrt(rnd()), e = 2.0e6, t = 0.0;
    for (int c = 0; c < 200; ++c) {
        double d = -std::log(1.0 - rnd()) * 1.4;
        x += d * mu;
        t += d / std::sqrt(e);
        if (x < 0.0)
            return false;
        if (x > thick) {
            hit.energy = float(e);
            hit.angle = float(std::acos(mu));
            hit.time = float(t);
            where = rnd();
            return true;
        }
        if (rnd() < 0.08)
            return false;
        e *= 0.4 + 0.6 * rnd();
        if (e < 0.025)
            e = 0.025;
        mu = 2.0 * rnd() - 1.0;
    }
    return false;
}

int main(int argc, char **argv)
{
    int histories = argc > 1 ? std::atoi(argv[1]) : 100000;
    Random rnd;
    DetectorBank bank(12);
    double sum = 0.0;
    for (int h = 0; h < histories; ++h) {
        Hit hit;
        double where = 0.0;
        if (!transport(rnd, 5.0, hit, where))
            continue;
        hit.history = h;
        bank.score(int(where * bank.size()), hit);
        sum += hit.energy;
    }
    long total = 0;
    for (int i = 0; i < bank.size(); ++i)
        total += bank.count(i);
    std::printf("%ld of %d histories leaked, mean energy %.4e eV\n", total, histories,
                total ? sum / double(total) : 0.0);
    return 0;
}
