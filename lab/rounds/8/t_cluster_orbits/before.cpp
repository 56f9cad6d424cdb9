// Small star cluster, fourth-order integrator; every star comes with its own
// parameter file and the run keeps a readable log.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace fs = std::filesystem;
using Vec = std::array<double, 3>;

struct Star {
    double mass = 1.0;
    Vec x{}, v{}, a{};
};

class ParameterFile {
public:
    explicit ParameterFile(const fs::path &path)
    {
        std::ifstream in(path);
        if (!in)
            throw std::runtime_error("cannot read " + path.string());
        std::string key, eq;
        double value;
        while (in >> key >> eq >> value)
            values_[key] = value;
    }
    double get(const std::string &key) const { return values_.at(key); }

private:
    std::map<std::string, double> values_;
};

class Cluster {
public:
    void load(const fs::path &dir)
    {
        std::vector<fs::path> paths;
        for (const auto &e : fs::directory_iterator(dir))
            paths.push_back(e.path());
        std::sort(paths.begin(), paths.end());
        for (const auto &p : paths) {
            ParameterFile f(p);
            Star s;
            s.mass = f.get("mass");
            s.x = {f.get("x"), f.get("y"), f.get("z")};
            s.v = {f.get("vx"), f.get("vy"), f.get("vz")};
            stars_.push_back(s);
        }
    }

    void accelerate()
    {
        for (auto &s : stars_)
            s.a = {0, 0, 0};
        for (size_t i = 0; i < stars_.size(); i++)
            for (size_t j = i + 1; j < stars_.size(); j++) {
                Vec d;
                double r2 = soft2_;
                for (int k = 0; k < 3; k++) {
                    d[k] = stars_[j].x[k] - stars_[i].x[k];
                    r2 += d[k] * d[k];
                }
                double w = 1.0 / (r2 * std::sqrt(r2));
                for (int k = 0; k < 3; k++) {
                    stars_[i].a[k] += stars_[j].mass * w * d[k];
                    stars_[j].a[k] -= stars_[i].mass * w * d[k];
                }
            }
    }

    void step(double dt)
    {
        static const double cbrt2 = std::cbrt(2.0);
        const double w1 = 1.0 / (2.0 - cbrt2), w0 = -cbrt2 * w1;
        for (double w : {w1, w0, w1}) {
            drift(0.5 * w * dt);
            accelerate();
            for (auto &s : stars_)
                for (int k = 0; k < 3; k++)
                    s.v[k] += w * dt * s.a[k];
            drift(0.5 * w * dt);
        }
    }

    double energy() const
    {
        double e = 0;
        for (size_t i = 0; i < stars_.size(); i++) {
            const auto &s = stars_[i];
            e += 0.5 * s.mass * (s.v[0] * s.v[0] + s.v[1] * s.v[1] + s.v[2] * s.v[2]);
            for (size_t j = 0; j < i; j++) {
                double r2 = soft2_;
                for (int k = 0; k < 3; k++)
                    r2 += std::pow(s.x[k] - stars_[j].x[k], 2);
                e -= s.mass * stars_[j].mass / std::sqrt(r2);
            }
        }
        return e;
    }

    const std::vector<Star> &stars() const { return stars_; }

private:
    void drift(double h)
    {
        for (auto &s : stars_)
            for (int k = 0; k < 3; k++)
                s.x[k] += h * s.v[k];
    }
    std::vector<Star> stars_;
    const double soft2_ = 1e-2;
};

static void write_orbit_point(std::ofstream &out, double t, const Star &s)
{
    out << std::setprecision(9) << t;
    for (double x : s.x)
        out << ' ' << x;
    out << std::endl;
}

int main(int argc, char **argv)
{
    int steps = argc > 1 ? std::atoi(argv[1]) : 60000;
    int every = argc > 2 ? std::atoi(argv[2]) : 600;
    Cluster c;
    c.load("members");
    std::ofstream log("cluster.log"), orbit("star0.txt");
    const double e0 = c.energy(), dt = 2e-4;
    for (int n = 0; n < steps; n++) {
        c.step(dt);
        if (n % every == 0) {
            log << "t=" << n * dt << " dE/E=" << (c.energy() - e0) / e0 << std::endl;
            write_orbit_point(orbit, n * dt, c.stars().front());
        }
    }
    for (size_t i = 0; i < c.stars().size(); i += 6) {
        std::ofstream fin("final_" + std::to_string(i) + ".txt");
        write_orbit_point(fin, steps * dt, c.stars()[i]);
    }
    std::cout << c.stars().size() << " stars, energy error " << (c.energy() - e0) / e0 << '\n';
}
