// Catalogue of space debris: mean elements with a covariance are carried to
// the next epoch (secular J2 drift, drag), corrected where a sensor has seen
// the object, and stored back in the catalogue.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <string>
#include <vector>

struct Object {
    std::uint32_t number;
    std::uint32_t seen;
    double a, e, inc, node, argp, mean_anom;   // km, rad
    double bstar;
    double var;                                // along-track variance, km2
};

constexpr double MU = 398600.4418, RE = 6378.137, J2 = 1.08262668e-3;

// The catalogue on disk; objects have fixed places.
class Catalogue {
public:
    explicit Catalogue(const std::string &path)
        : io_(path, std::ios::in | std::ios::out | std::ios::binary) {}

    static void create(const std::string &path, std::uint32_t count, unsigned seed)
    {
        std::mt19937 gen(seed);
        std::uniform_real_distribution<double> u(0, 1);
        std::vector<Object> all(count);
        for (std::uint32_t i = 0; i < count; ++i) {
            Object &o = all[i];
            o = Object{i, 0, RE + 400 + 1200 * u(gen), 0.02 * u(gen), std::acos(2 * u(gen) - 1),
                       6.2832 * u(gen), 6.2832 * u(gen), 6.2832 * u(gen), 1e-6 + 1e-4 * u(gen), 1.0};
        }
        std::ofstream out(path, std::ios::binary);
        out.write(reinterpret_cast<const char *>(all.data()), all.size() * sizeof(Object));
    }

    template <class Fn> void update_each(std::uint32_t count, Fn &&fn)
    {
        Object o;
        for (std::uint32_t i = 0; i < count; ++i) {
            fetch(i, o);
            fn(o);
            store(i, o);
        }
        io_.flush();
    }

private:
    std::fstream io_;

    void fetch(std::uint32_t i, Object &o)
    {
        io_.seekg(static_cast<std::streamoff>(i) * sizeof(Object));
        io_.read(reinterpret_cast<char *>(&o), sizeof o);
    }
    void store(std::uint32_t i, const Object &o)
    {
        io_.seekp(static_cast<std::streamoff>(i) * sizeof(Object));
        io_.write(reinterpret_cast<const char *>(&o), sizeof o);
    }
};

static double kepler(double m, double e)
{
    double x = m;
    for (int k = 0; k < 6; ++k)
        x -= (x - e * std::sin(x) - m) / (1 - e * std::cos(x));
    return x;
}

class Propagator {
public:
    explicit Propagator(double hours) : dt_(hours * 3600) {}
    void operator()(Object &o) const
    {
        const double n = std::sqrt(MU / (o.a * o.a * o.a)), p = o.a * (1 - o.e * o.e);
        const double k = 1.5 * J2 * (RE / p) * (RE / p) * n, c = std::cos(o.inc);
        o.node = std::fmod(o.node - k * c * dt_, 6.283185307179586);
        o.argp = std::fmod(o.argp + k * (2 - 2.5 * (1 - c * c)) * dt_, 6.283185307179586);
        o.mean_anom = std::fmod(o.mean_anom + n * dt_, 6.283185307179586);
        o.a -= o.bstar * 2e-4 * std::exp(-(o.a - RE - 400) / 90) * dt_;
        o.var += 1e-5 * dt_ * (1 + 1e4 * o.bstar);
    }
private:
    double dt_;
};

// A radar sees what is over its horizon.
static bool observe(Object &o, double station_lon)
{
    const double ea = kepler(o.mean_anom, o.e);
    const double f = 2 * std::atan2(std::sqrt(1 + o.e) * std::sin(ea / 2), std::sqrt(1 - o.e) * std::cos(ea / 2));
    const double u = o.argp + f, lat = std::asin(std::sin(o.inc) * std::sin(u));
    const double lon = o.node + std::atan2(std::cos(o.inc) * std::sin(u), std::cos(u));
    if (std::cos(lat - 0.6) * std::cos(lon - station_lon) < 0.92)
        return false;
    o.var = 1.0 / (1.0 / o.var + 1.0 / 0.04);
    ++o.seen;
    return true;
}

int main(int argc, char **argv)
{
    const std::uint32_t count = argc > 1 ? std::atoi(argv[1]) : 60000;
    const int epochs = argc > 2 ? std::atoi(argv[2]) : 4;
    Catalogue::create("catalogue.bin", count, 5);
    Catalogue cat("catalogue.bin");
    Propagator next(6.0);
    for (int k = 0; k < epochs; ++k) {
        long seen = 0;
        double lost = 0;
        cat.update_each(count, [&](Object &o) {
            next(o);
            seen += observe(o, 0.9 * k);
            lost += o.var > 3.0;
        });
        std::printf("epoch %d: %ld seen, %.0f with poor orbits\n", k, seen, lost);
    }
    return 0;
}
