// Direct N-body integration with energy log and snapshots.
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <random>
#include <string>
#include <vector>

struct Body {
    double x, y, z, vx, vy, vz, ax, ay, az;
};

static double accelerate(std::vector<Body> &b, double mass)
{
    double potential = 0.0;
    const double soft = 1e-3;
    for (auto &p : b)
        p.ax = p.ay = p.az = 0.0;
    for (size_t i = 0; i < b.size(); i++)
        for (size_t j = i + 1; j < b.size(); j++) {
            double dx = b[j].x - b[i].x, dy = b[j].y - b[i].y, dz = b[j].z - b[i].z;
            double r2 = dx * dx + dy * dy + dz * dz + soft;
            double inv = 1.0 / std::sqrt(r2);
            double f = mass * inv * inv * inv;
            b[i].ax += f * dx; b[i].ay += f * dy; b[i].az += f * dz;
            b[j].ax -= f * dx; b[j].ay -= f * dy; b[j].az -= f * dz;
            potential -= mass * mass * inv;
        }
    return potential;
}

static void snapshot(const std::vector<Body> &b, int step)
{
    std::ofstream out("snap_" + std::to_string(step) + ".txt");
    out.precision(12);
    for (auto &p : b)
        out << p.x << ' ' << p.y << ' ' << p.z << '\n';
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? std::atoi(argv[1]) : 700;
    int steps = argc > 2 ? std::atoi(argv[2]) : 260;
    double dt = 1e-3, mass = 1.0 / n;
    std::mt19937_64 rng(7);
    std::normal_distribution<double> gauss(0.0, 1.0);
    std::vector<Body> b(n);
    for (auto &p : b)
        p = {gauss(rng), gauss(rng), gauss(rng), 0.3 * gauss(rng), 0.3 * gauss(rng), 0.3 * gauss(rng), 0, 0, 0};

    std::ofstream log("energy.log");
    accelerate(b, mass);
    double last = 0.0;
    for (int s = 0; s < steps; s++) {
        for (auto &p : b) {
            p.vx += 0.5 * dt * p.ax; p.vy += 0.5 * dt * p.ay; p.vz += 0.5 * dt * p.az;
            p.x += dt * p.vx; p.y += dt * p.vy; p.z += dt * p.vz;
        }
        double e = accelerate(b, mass), kinetic = 0.0;
        for (auto &p : b) {
            p.vx += 0.5 * dt * p.ax; p.vy += 0.5 * dt * p.ay; p.vz += 0.5 * dt * p.az;
            kinetic += 0.5 * mass * (p.vx * p.vx + p.vy * p.vy + p.vz * p.vz);
        }
        last = e + kinetic;
        if (s % 5 == 0)
            log << "step " << s << " energy " << last << std::endl;
        if (s % 260 == 0)
            snapshot(b, s);
    }
    std::cout << "final energy " << last << "\n";
    return 0;
}
