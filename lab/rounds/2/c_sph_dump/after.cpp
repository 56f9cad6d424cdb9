// Toy SPH collapse of a gas sphere; particle tables are dumped at some
// steps for the plots of the radial profile.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

struct Particle {
    double x[3];
    double v[3];
    double rho, u;
};

class Sphere {
    std::vector<Particle> p_;

public:
    explicit Sphere(int n) : p_(std::size_t(n))
    {
        unsigned s = 12345u;
        auto rnd = [&s] {
            s = s * 1664525u + 1013904223u;
            return double(s >> 8) / 16777216.0;
        };
        for (auto &q : p_) {
            double r = std::cbrt(rnd()), c = 2.0 * rnd() - 1.0, f = 6.283185307179586 * rnd();
            double t = std::sqrt(1.0 - c * c);
            q = {{r * t * std::cos(f), r * t * std::sin(f), r * c}, {0, 0, 0}, 1.0, 0.05};
        }
    }

    void step(double dt)
    {
        for (auto &q : p_) {
            double r2 = q.x[0] * q.x[0] + q.x[1] * q.x[1] + q.x[2] * q.x[2] + 1e-4;
            double g = -std::fmin(1.0, 1.0 / (r2 * std::sqrt(r2))) + 0.6 * q.u;
            double div = 0.0;
            for (int k = 0; k < 3; ++k) {
                q.v[k] += dt * g * q.x[k];
                q.x[k] += dt * q.v[k];
                div += q.v[k] * q.x[k] / r2;
            }
            q.rho *= 1.0 - dt * div;
            q.u *= 1.0 - 0.66 * dt * div;
        }
    }

    void dump(const std::string &path) const
    {
        std::ofstream out(path, std::ios::binary);
        if (!out)
            throw std::runtime_error("cannot write " + path);
        out.write(reinterpret_cast<const char *>(p_.data()),
                  std::streamsize(p_.size() * sizeof(Particle)));
    }

    double energy() const
    {
        double e = 0.0;
        for (const auto &q : p_)
            e += 0.5 * (q.v[0] * q.v[0] + q.v[1] * q.v[1] + q.v[2] * q.v[2]) + q.u;
        return e / double(p_.size());
    }
};

int main(int argc, char **argv)
{
    int n = argc > 1 ? std::atoi(argv[1]) : 20000;
    Sphere cloud(n);
    int number = 0;
    for (int s = 1; s <= 50; ++s) {
        cloud.step(0.002);
        if (s % 10 == 0)
            cloud.dump("cloud_" + std::to_string(number++) + ".bin");
    }
    std::printf("%d particles, %d dumps, energy %.10f\n", n, number, cloud.energy());
    return 0;
}
