// Photon transport through a plane-parallel scattering slab.
// usage: photons [number of photons] [optical depth]
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <stdexcept>
#include <unistd.h>

struct Exit {
    float x, y;
    float mu, phi;
    float weight;
    int32_t scatterings;
};

class Rng {
    uint64_t s;
public:
    explicit Rng(uint64_t seed) : s(seed) {}
    double operator()() {
        s ^= s << 13; s ^= s >> 7; s ^= s << 17;
        return ((s >> 11) + 0.5) * (1.0 / 9007199254740992.0);
    }
};

class ExitFile {
    int fd;
    long n = 0;
public:
    explicit ExitFile(const char *name) {
        fd = ::open(name, O_CREAT | O_TRUNC | O_WRONLY, 0644);
        if (fd < 0) throw std::runtime_error("cannot open exit file");
    }
    void add(const Exit &e) {
        if (::write(fd, &e, sizeof e) != (ssize_t)sizeof e)
            throw std::runtime_error("short write");
        ++n;
    }
    long count() const { return n; }
    ~ExitFile() { ::close(fd); }
};

class Slab {
    double tau, albedo, g;
    Rng rng;

    double henyey() {
        double t = (1 - g * g) / (1 - g + 2 * g * rng());
        return (1 + g * g - t * t) / (2 * g);
    }
public:
    Slab(double tau_, double albedo_, double g_, uint64_t seed)
        : tau(tau_), albedo(albedo_), g(g_), rng(seed) {}

    Exit follow() {
        double x = 0, y = 0, z = 0, w = 1;
        double ux = 0, uy = 0, uz = 1;
        int n = 0;
        for (;;) {
            double s = -std::log(rng());
            x += s * ux; y += s * uy; z += s * uz;
            if (z < 0 || z > tau || w < 1e-4) break;
            w *= albedo;
            ++n;
            double c = henyey(), sn = std::sqrt(1 - c * c), p = 2 * M_PI * rng();
            double cp = std::cos(p), sp = std::sin(p);
            if (std::fabs(uz) > 0.99999) {
                ux = sn * cp; uy = sn * sp; uz = c * (uz > 0 ? 1 : -1);
            } else {
                double q = std::sqrt(1 - uz * uz);
                double nx = sn * (ux * uz * cp - uy * sp) / q + ux * c;
                double ny = sn * (uy * uz * cp + ux * sp) / q + uy * c;
                uz = -sn * cp * q + uz * c;
                ux = nx; uy = ny;
            }
        }
        return Exit{(float)x, (float)y, (float)uz, (float)std::atan2(uy, ux), (float)w, n};
    }
};

int main(int argc, char **argv) {
    long photons = argc > 1 ? std::atol(argv[1]) : 1200000;
    double tau = argc > 2 ? std::atof(argv[2]) : 1.5;
    Slab slab(tau, 0.95, 0.75, 88172645463325252ULL);
    double up = 0, down = 0;
    ExitFile out("exits.bin");
    for (long i = 0; i < photons; ++i) {
        Exit e = slab.follow();
        (e.mu < 0 ? up : down) += e.weight;
        out.add(e);
    }
    std::printf("%ld photons, reflected %.6f transmitted %.6f\n",
                out.count(), up / photons, down / photons);
    return 0;
}
