// Melting of a Lennard-Jones crystal (reduced units, velocity Verlet).
#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <random>
#include <vector>

using Vec = std::array<double, 3>;

class System {
    double box;
    std::vector<Vec> r, v, f;
    double epot = 0;

    void forces() {
        for (auto &a : f) a = {0, 0, 0};
        epot = 0;
        const double rc2 = 6.25;
        for (size_t i = 0; i < r.size(); ++i)
            for (size_t j = i + 1; j < r.size(); ++j) {
                Vec d;
                double r2 = 0;
                for (int c = 0; c < 3; ++c) {
                    d[c] = r[i][c] - r[j][c];
                    if (d[c] > 0.5 * box) d[c] -= box;
                    else if (d[c] < -0.5 * box) d[c] += box;
                    r2 += d[c] * d[c];
                }
                if (r2 > rc2) continue;
                double i6 = 1 / (r2 * r2 * r2);
                double s = 48 * i6 * (i6 - 0.5) / r2;
                epot += 4 * i6 * (i6 - 1);
                for (int c = 0; c < 3; ++c) {
                    f[i][c] += s * d[c];
                    f[j][c] -= s * d[c];
                }
            }
    }
public:
    System(int cells, double density, double temperature) {
        box = std::cbrt(4.0 * cells * cells * cells / density);
        double a = box / cells;
        const double basis[4][3] = {{0, 0, 0}, {.5, .5, 0}, {.5, 0, .5}, {0, .5, .5}};
        std::mt19937 gen(1234);
        for (int x = 0; x < cells; ++x)
            for (int y = 0; y < cells; ++y)
                for (int z = 0; z < cells; ++z)
                    for (auto &b : basis) {
                        r.push_back({(x + b[0]) * a, (y + b[1]) * a, (z + b[2]) * a});
                        Vec w;
                        for (auto &c : w)
                            c = std::sqrt(12 * temperature) * (gen() / 4294967296.0 - 0.5);
                        v.push_back(w);
                    }
        f.resize(r.size());
        forces();
    }
    void step(double dt) {
        for (size_t i = 0; i < r.size(); ++i)
            for (int c = 0; c < 3; ++c) {
                v[i][c] += 0.5 * dt * f[i][c];
                r[i][c] += dt * v[i][c];
                r[i][c] -= box * std::floor(r[i][c] / box);
            }
        forces();
        for (size_t i = 0; i < r.size(); ++i)
            for (int c = 0; c < 3; ++c) v[i][c] += 0.5 * dt * f[i][c];
    }
    double kinetic() const {
        double e = 0;
        for (auto &w : v) e += w[0] * w[0] + w[1] * w[1] + w[2] * w[2];
        return 0.5 * e;
    }
    double potential() const { return epot; }
    size_t size() const { return r.size(); }
    void save(const char *name) const {
        std::ofstream out(name, std::ios::binary);
        out.write(reinterpret_cast<const char *>(r.data()), r.size() * sizeof(Vec));
        out.write(reinterpret_cast<const char *>(v.data()), v.size() * sizeof(Vec));
    }
};

int main(int argc, char **argv) {
    int steps = argc > 1 ? std::atoi(argv[1]) : 600;
    int every = argc > 2 ? std::atoi(argv[2]) : 4;
    System argon(6, 0.84, 1.6);
    std::ofstream log("melt.log");
    log << std::fixed << std::setprecision(6);
    for (int k = 1; k <= steps; ++k) {
        argon.step(0.004);
        if (k % every == 0) {
            double ek = argon.kinetic() / argon.size(), ep = argon.potential() / argon.size();
            log << "step " << k << " T " << ek * 2 / 3 << " epot " << ep
                << " etot " << ek + ep << std::endl;
        }
    }
    argon.save("melt.bin");
    std::cout << argon.size() << " atoms, final energy " << std::setprecision(10)
              << (argon.kinetic() + argon.potential()) / argon.size() << std::endl;
    return 0;
}
