// Direct N-body simulation of a star cluster (Plummer sphere, Henon units),
// leap-frog with softening. The log can be followed while the run goes on,
// and snapshots are kept for the movie.
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <random>
#include <string>
#include <vector>

struct Star {
    double m, x[3], v[3], a[3];
};

static const double soft2 = 0.02 * 0.02;

static std::vector<Star> plummer(int n, unsigned seed)
{
    std::mt19937_64 gen(seed);
    std::uniform_real_distribution<double> uni(0.0, 1.0);
    auto direction = [&](double r, double *out) {
        double z = 2 * uni(gen) - 1, phi = 2 * M_PI * uni(gen), s = std::sqrt(1 - z * z);
        out[0] = r * s * std::cos(phi);
        out[1] = r * s * std::sin(phi);
        out[2] = r * z;
    };
    std::vector<Star> stars(n);
    for (Star &s : stars) {
        s.m = 1.0 / n;
        double r;
        do
            r = 1 / std::sqrt(std::pow(uni(gen), -2.0 / 3) - 1);
        while (r > 10);
        direction(r * 3 * M_PI / 16, s.x);
        double q, g;
        do {
            q = uni(gen);
            g = 0.1 * uni(gen);
        } while (g > q * q * std::pow(1 - q * q, 3.5));
        direction(q * std::sqrt(2.0) * std::pow(1 + r * r, -0.25) / std::sqrt(3 * M_PI / 16), s.v);
    }
    return stars;
}

// accelerations; returns the potential energy
static double attract(std::vector<Star> &stars)
{
    double pot = 0;
    for (Star &s : stars)
        s.a[0] = s.a[1] = s.a[2] = 0;
    for (size_t i = 0; i < stars.size(); i++)
        for (size_t j = i + 1; j < stars.size(); j++) {
            Star &p = stars[i], &q = stars[j];
            double dx = q.x[0] - p.x[0], dy = q.x[1] - p.x[1], dz = q.x[2] - p.x[2];
            double ir = 1 / std::sqrt(dx * dx + dy * dy + dz * dz + soft2), ir3 = ir * ir * ir;
            pot -= p.m * q.m * ir;
            double fp = q.m * ir3, fq = p.m * ir3;
            p.a[0] += fp * dx; p.a[1] += fp * dy; p.a[2] += fp * dz;
            q.a[0] -= fq * dx; q.a[1] -= fq * dy; q.a[2] -= fq * dz;
        }
    return pot;
}

static void snapshot(const std::vector<Star> &stars, int number)
{
    std::string digits = std::to_string(number);
    std::ofstream out("snap_" + std::string(4 - digits.size(), '0') + digits + ".bin", std::ios::binary);
    std::vector<float> row;
    row.reserve(stars.size() * 6);
    for (const Star &s : stars) {
        row.insert(row.end(), s.x, s.x + 3);
        row.insert(row.end(), s.v, s.v + 3);
    }
    out.write(reinterpret_cast<const char *>(row.data()), row.size() * sizeof(float));
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? std::atoi(argv[1]) : 1000;
    int steps = argc > 2 ? std::atoi(argv[2]) : 300;
    const double dt = 0.002;
    std::vector<Star> stars = plummer(n, 2024);
    std::ofstream log("cluster.log");
    log << std::scientific << std::setprecision(8);

    double pot = attract(stars);
    for (int k = 1; k <= steps; k++) {
        for (Star &s : stars)
            for (int d = 0; d < 3; d++) {
                s.v[d] += 0.5 * dt * s.a[d];
                s.x[d] += dt * s.v[d];
            }
        pot = attract(stars);
        double kin = 0;
        for (Star &s : stars)
            for (int d = 0; d < 3; d++) {
                s.v[d] += 0.5 * dt * s.a[d];
                kin += 0.5 * s.m * s.v[d] * s.v[d];
            }
        log << k * dt << " " << kin << " " << pot << " " << kin + pot << std::endl;
        if (k % 20 == 0)
            snapshot(stars, k / 20);
    }
    std::cout << "energy " << std::setprecision(8) << pot << " after " << steps << " steps\n";
    return 0;
}
