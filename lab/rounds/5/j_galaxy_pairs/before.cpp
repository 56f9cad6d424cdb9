// Pair counts of a mock galaxy catalogue for jackknife regions.
// Each region's histogram is written as soon as it is complete.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <random>
#include <string>
#include <vector>

struct Galaxy {
    float x, y, z;
    int region;
};

constexpr int kBins = 24;
constexpr float kBox = 500.0f;
constexpr float kRmax = 40.0f;

static std::vector<Galaxy> mock_catalogue(std::size_t n, int nregion)
{
    std::mt19937 rng(20240);
    std::uniform_real_distribution<float> box(0.0f, kBox);
    std::normal_distribution<float> halo(0.0f, 4.0f);
    std::vector<Galaxy> g;
    g.reserve(n);
    while (g.size() < n) {
        float cx = box(rng), cy = box(rng), cz = box(rng);
        int members = 1 + static_cast<int>(rng() % 8u);
        for (int m = 0; m < members && g.size() < n; ++m) {
            float x = cx + halo(rng), y = cy + halo(rng), z = cz + halo(rng);
            int region = static_cast<int>(cx / kBox * static_cast<float>(nregion));
            g.push_back({x, y, z, region < nregion ? region : nregion - 1});
        }
    }
    return g;
}

static std::vector<std::int64_t> count_pairs(const std::vector<Galaxy> &g, int region)
{
    std::vector<std::int64_t> dd(kBins, 0);
    for (std::size_t i = 0; i < g.size(); ++i) {
        if (g[i].region != region)
            continue;
        for (std::size_t j = 0; j < g.size(); ++j) {
            float dx = g[i].x - g[j].x, dy = g[i].y - g[j].y, dz = g[i].z - g[j].z;
            float r2 = dx * dx + dy * dy + dz * dz;
            if (r2 < kRmax * kRmax && i != j)
                dd[static_cast<std::size_t>(std::sqrt(r2) / kRmax * kBins)]++;
        }
    }
    return dd;
}

static void save_region(int region, const std::vector<std::int64_t> &dd)
{
    std::string name = "dd_region_" + std::to_string(region) + ".txt";
    std::ofstream out(name + ".part");
    out << "# r_lo r_hi pairs" << std::endl;
    for (int b = 0; b < kBins; ++b)
        out << std::fixed << std::setprecision(4) << kRmax * b / kBins << ' '
            << kRmax * (b + 1) / kBins << ' ' << dd[static_cast<std::size_t>(b)] << std::endl;
    out.close();
    std::rename((name + ".part").c_str(), name.c_str());
}

int main(int argc, char **argv)
{
    std::size_t n = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 40000;
    const int nregion = 10;
    std::vector<Galaxy> galaxies = mock_catalogue(n, nregion);
    std::vector<std::int64_t> total(kBins, 0);
    std::ofstream progress("progress.log");

    for (int region = 0; region < nregion; ++region) {
        std::vector<std::int64_t> dd = count_pairs(galaxies, region);
        save_region(region, dd);
        for (int b = 0; b < kBins; ++b)
            total[static_cast<std::size_t>(b)] += dd[static_cast<std::size_t>(b)];
        progress << "region " << region << " done" << std::endl;
    }
    for (int b = 0; b < kBins; ++b)
        std::cout << b << ' ' << total[static_cast<std::size_t>(b)] << '\n';
    return 0;
}
