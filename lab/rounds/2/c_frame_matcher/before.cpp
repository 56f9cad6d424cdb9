// Matches radar echoes with the camera frame closest in time and writes the
// mean distance between the two positions.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace fs = std::filesystem;

struct Position {
    double x = 0, y = 0, z = 0;
};

struct Echo {
    long time;
    Position where;
};

class FrameStore {
    fs::path dir_;

    static long stamp(const std::string &name)
    {
        auto us = name.rfind('_');
        auto dot = name.rfind('.');
        if (us == std::string::npos || dot == std::string::npos || dot < us)
            return -1;
        return std::atol(name.substr(us + 1, dot - us - 1).c_str());
    }

public:
    explicit FrameStore(fs::path dir) : dir_(std::move(dir)) {}

    fs::path closest(long time) const
    {
        fs::path best;
        long gap = -1, found = -1;
        for (const auto &entry : fs::directory_iterator(dir_)) {
            long t = stamp(entry.path().filename().string());
            if (t < 0)
                continue;
            long g = std::labs(t - time);
            if (gap < 0 || g < gap || (g == gap && t < found)) {
                gap = g;
                found = t;
                best = entry.path();
            }
        }
        if (gap < 0)
            throw std::runtime_error("no frames");
        return best;
    }

    Position position(const fs::path &p) const
    {
        Position r;
        std::ifstream in(p, std::ios::binary);
        in.read(reinterpret_cast<char *>(&r), sizeof r);
        return r;
    }
};

static std::vector<Echo> make_echoes(int n)
{
    std::mt19937 gen(42);
    std::vector<Echo> e(n);
    for (auto &x : e) {
        x.time = 1000 + long(gen() % 60000u) + 1;
        x.where.x = (gen() % 1000u) * 1e-3;
        x.where.y = (gen() % 1000u) * 1e-3;
        x.where.z = 50.0 + (gen() % 1000u) * 1e-3;
    }
    return e;
}

static double distance(const Position &a, const Position &b)
{
    return std::sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) +
                     (a.z - b.z) * (a.z - b.z));
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? std::atoi(argv[1]) : 500;
    FrameStore store("frames");
    double sum = 0.0, far = 0.0;
    for (const Echo &e : make_echoes(n)) {
        Position p = store.position(store.closest(e.time));
        double d = distance(p, e.where);
        sum += d;
        if (d > far)
            far = d;
    }
    std::printf("%d echoes: mean distance %.6f, largest %.6f\n", n, sum / n, far);
    return 0;
}
