// Photometric zero points of a sky survey; exposures may have a flat field correction of their own.
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <unordered_map>
#include <vector>

constexpr int amplifiers = 16;
using Flat = std::array<double, amplifiers>;

class Calibration {
public:
    Calibration(const std::string &root, int epochs)
    {
        for (int e = epochs - 1; e >= 0; e--) {
            char name[32];
            std::snprintf(name, sizeof name, "/epoch%02d/", e);
            for (const auto &entry : std::filesystem::directory_iterator(root + name))
                present_.emplace(entry.path().filename().string(), entry.path().string());
        }
        standard_.fill(1.0);
    }

    Flat flat_for(int exposure)
    {
        char name[32];
        std::snprintf(name, sizeof name, "flat_%06d.dat", exposure);
        auto found = present_.find(name);
        if (found == present_.end())
            return standard_;
        std::ifstream in(found->second);
        return parse(in);
    }

    int corrected() const { return corrected_; }

private:
    Flat parse(std::istream &in)
    {
        Flat flat;
        for (auto &value : flat)
            in >> value;
        corrected_++;
        return flat;
    }

    std::unordered_map<std::string, std::string> present_;
    Flat standard_;
    int corrected_ = 0;
};

struct Star {
    double flux;
    double colour;
    int amplifier;
};

static std::vector<Star> observe(int exposure, int count)
{
    std::vector<Star> stars(count);
    unsigned seed = 2654435761u * (exposure + 1);
    for (auto &star : stars) {
        seed = seed * 1664525u + 1013904223u;
        star.flux = 500.0 + (seed >> 12) * 0.01;
        star.colour = ((seed >> 8) & 255) / 128.0 - 1.0;
        star.amplifier = (seed >> 24) % amplifiers;
    }
    return stars;
}

static double zero_point(const std::vector<Star> &stars, const Flat &flat)
{
    double sum = 0.0;
    for (const auto &star : stars) {
        double flux = star.flux / flat[star.amplifier];
        sum += 25.0 - 2.5 * std::log10(flux) + 0.031 * star.colour;
    }
    return sum / stars.size();
}

int main(int argc, char **argv)
{
    const int exposures = argc > 1 ? std::atoi(argv[1]) : 24000;
    Calibration calibration("calib", 14);
    std::vector<double> points;
    for (int exposure = 0; exposure < exposures; exposure++) {
        Flat flat = calibration.flat_for(exposure);
        points.push_back(zero_point(observe(exposure, 200), flat));
    }
    std::ofstream out("zeropoints.bin", std::ios::binary);
    out.write(reinterpret_cast<const char *>(points.data()), points.size() * sizeof(double));
    std::cout << points.size() << " exposures, " << calibration.corrected() << " with their own flat\n";
    return 0;
}
