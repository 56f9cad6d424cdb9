// Density pictures of iterated function systems, one tile file after the other.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

namespace fs = std::filesystem;

struct Map {
    double a, b, c, d, e, f, weight;
};

class Fern {
public:
    explicit Fern(double bend)
        : maps_{{{0.0, 0.0, 0.0, 0.16, 0.0, 0.0, 0.01},
                 {0.85, bend, -bend, 0.85, 0.0, 1.6, 0.85},
                 {0.2, -0.26, 0.23, 0.22, 0.0, 1.6, 0.07},
                 {-0.15, 0.28, 0.26, 0.24, 0.0, 0.44, 0.07}}}
    {
    }

    void step(double &x, double &y, double u) const
    {
        size_t k = 0;
        while (k < 3 && u > maps_[k].weight)
            u -= maps_[k++].weight;
        const Map &m = maps_[k];
        double nx = m.a * x + m.b * y + m.e;
        y = m.c * x + m.d * y + m.f;
        x = nx;
    }

private:
    std::array<Map, 4> maps_;
};

class Tile {
public:
    explicit Tile(int side) : side_(side), hits_(static_cast<size_t>(side) * side, 0) {}

    void expose(const Fern &fern, uint64_t seed, int points)
    {
        double x = 0.0, y = 0.0;
        for (int k = 0; k < points; k++) {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            fern.step(x, y, (seed >> 11) * (1.0 / 9007199254740992.0));
            int i = static_cast<int>((x + 3.0) / 6.0 * side_);
            int j = static_cast<int>(y / 10.5 * side_);
            if (i >= 0 && i < side_ && j >= 0 && j < side_)
                hits_[static_cast<size_t>(j) * side_ + i]++;
        }
    }

    void save(const fs::path &name) const
    {
        uint32_t top = *std::max_element(hits_.begin(), hits_.end());
        std::vector<unsigned char> grey(hits_.size());
        for (size_t k = 0; k < grey.size(); k++)
            grey[k] = static_cast<unsigned char>(255.0 * std::log1p(hits_[k]) / std::log1p(top));
        std::ofstream out(name, std::ios::binary);
        out << "P5\n" << side_ << ' ' << side_ << "\n255\n";
        out.write(reinterpret_cast<const char *>(grey.data()), grey.size());
    }

private:
    int side_;
    std::vector<uint32_t> hits_;
};

int main(int argc, char **argv)
{
    const int tiles = argc > 1 ? std::atoi(argv[1]) : 80;
    fs::create_directories("tiles");
    std::ofstream index("tiles/index.txt");
    for (int t = 0; t < tiles; t++) {
        char name[32];
        std::snprintf(name, sizeof name, "fern_%04d.pgm", t);
        if (fs::exists(fs::path("tiles") / name))
            continue;
        Tile tile(96);
        tile.expose(Fern(0.02 + 0.001 * t), 77 + t, 3000000);
        tile.save(fs::path("tiles") / name);
        index << name << ' ' << 0.02 + 0.001 * t << std::endl;
    }
    std::cout << tiles << " tiles\n";
    return 0;
}
