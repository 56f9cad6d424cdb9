// Light caustics on the floor of a swimming pool.
// Sun rays are refracted at a rippled water surface (Snell) and followed to
// the floor; the landing places are kept for the plots of the group, the
// brightness map is accumulated here.
//
//   usage: caustics <rays per side> <frames>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

constexpr double kDepth = 1.8;         // m
constexpr double kSide  = 4.0;         // m, edge of the square pool
constexpr double kIndex = 1.333;
constexpr double kPi    = 3.14159265358979323846;

struct Ripple { double kx, ky, amp, omega, phase; };
struct Landing { double x, y, slope; };

std::vector<Ripple> makeRipples(int n) {
    std::vector<Ripple> r;
    unsigned s = 12345;
    auto rnd = [&s] { s = s * 1664525u + 1013904223u; return (s >> 8) / 16777216.0; };
    for (int i = 0; i < n; ++i) {
        const double lambda = 0.15 + 1.2 * rnd(), dir = 2 * kPi * rnd();
        const double k = 2 * kPi / lambda;
        r.push_back({k * std::cos(dir), k * std::sin(dir),
                     0.004 * lambda, std::sqrt(9.81 * k), 2 * kPi * rnd()});
    }
    return r;
}

Landing trace(const std::vector<Ripple>& ripples, double x, double y, double t) {
    double gx = 0, gy = 0;
    for (const auto& r : ripples) {
        const double c = std::cos(r.kx * x + r.ky * y - r.omega * t + r.phase);
        gx += r.amp * r.kx * c;
        gy += r.amp * r.ky * c;
    }
    const double g = std::sqrt(gx * gx + gy * gy);
    const double incidence = std::atan(g);
    const double refracted = std::asin(std::sin(incidence) / kIndex);
    const double shift = kDepth * std::tan(incidence - refracted);
    if (g < 1e-12) return {x, y, 0.0};
    return {x - shift * gx / g, y - shift * gy / g, g};
}

void saveFrame(const std::string& stem, const std::vector<Landing>& all) {
    std::ofstream out(stem + ".bin", std::ios::binary);
    out.write(reinterpret_cast<const char*>(all.data()),
              static_cast<std::streamsize>(all.size() * sizeof(Landing)));
}

int main(int argc, char** argv) {
    const int side   = argc > 1 ? std::atoi(argv[1]) : 500;
    const int frames = argc > 2 ? std::atoi(argv[2]) : 4;
    const int pixels = 128;

    const auto ripples = makeRipples(6);
    std::vector<double> floorMap(pixels * pixels, 0.0);
    std::vector<Landing> all;
    all.reserve(static_cast<size_t>(side) * side);

    for (int f = 0; f < frames; ++f) {
        const double t = 0.08 * f;
        all.clear();
        for (int j = 0; j < side; ++j)
            for (int i = 0; i < side; ++i)
                all.push_back(trace(ripples, kSide * (i + 0.5) / side,
                                    kSide * (j + 0.5) / side, t));
        for (const auto& l : all) {
            const int px = static_cast<int>(l.x / kSide * pixels);
            const int py = static_cast<int>(l.y / kSide * pixels);
            if (px >= 0 && py >= 0 && px < pixels && py < pixels)
                floorMap[py * pixels + px] += 1.0;
        }
        saveFrame("frame" + std::to_string(f), all);
    }

    double mean = 0, sq = 0;
    for (double v : floorMap) { mean += v; sq += v * v; }
    mean /= floorMap.size();
    sq /= floorMap.size();
    std::cout << "scintillation index " << sq / (mean * mean) - 1.0 << '\n';
    return 0;
}
