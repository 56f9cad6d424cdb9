// Pencil beam dose in a water phantom with scattered photon histories.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>
#include <zlib.h>

struct Phantom {
    int nx, ny, nz;
    std::vector<double> dose;
    Phantom(int x, int y, int z) : nx(x), ny(y), nz(z), dose((size_t)x * y * z, 0.0) {}
    double &at(int i, int j, int k) { return dose[((size_t)k * ny + j) * nx + i]; }
};

class Random {
public:
    explicit Random(uint64_t seed) : s_(seed) {}
    double uniform()
    {
        s_ ^= s_ << 13;
        s_ ^= s_ >> 7;
        s_ ^= s_ << 17;
        return (s_ >> 11) * (1.0 / 9007199254740992.0);
    }

private:
    uint64_t s_;
};

static void primary(Phantom &p, double mu)
{
    for (int k = 0; k < p.nz; k++) {
        double depth = std::exp(-mu * k);
        double width = 3.0 + 0.05 * k;
        for (int j = 0; j < p.ny; j++)
            for (int i = 0; i < p.nx; i++) {
                double x = i - 0.5 * p.nx, y = j - 0.5 * p.ny;
                p.at(i, j, k) += depth / (1.0 + (x * x + y * y) / (width * width));
            }
    }
}

static void histories(Phantom &p, Random &rng, long count)
{
    for (long h = 0; h < count; h++) {
        double x = 0.5 * p.nx, y = 0.5 * p.ny, z = 0, e = 1.0;
        double dx = 0, dy = 0, dz = 1;
        for (int step = 0; step < 12 && e > 0.05; step++) {
            double s = -6.0 * std::log(1.0 - rng.uniform());
            x += s * dx;
            y += s * dy;
            z += s * dz;
            if (x < 0 || y < 0 || z < 0 || x >= p.nx || y >= p.ny || z >= p.nz)
                break;
            p.at((int)x, (int)y, (int)z) += 0.3 * e;
            e *= 0.7;
            double c = 2 * rng.uniform() - 1, f = 6.283185307179586 * rng.uniform();
            double q = std::sqrt(1 - c * c);
            dx = q * std::cos(f);
            dy = q * std::sin(f);
            dz = c;
        }
    }
}

class DoseWriter {
public:
    explicit DoseWriter(const std::string &path)
    {
        file_ = gzopen(path.c_str(), "wb9");
        gzbuffer(file_, 1 << 18);
    }
    void header(const Phantom &p)
    {
        int32_t n[3] = {p.nx, p.ny, p.nz};
        gzwrite(file_, n, sizeof n);
    }
    void slices(const Phantom &p)
    {
        size_t plane = (size_t)p.nx * p.ny;
        for (int k = 0; k < p.nz; k++)
            gzwrite(file_, &p.dose[k * plane], (unsigned)(plane * sizeof(double)));
    }
    ~DoseWriter() { gzclose(file_); }

private:
    gzFile file_;
};

int main(int argc, char **argv)
{
    int n = argc > 1 ? std::atoi(argv[1]) : 96;
    int beams = argc > 2 ? std::atoi(argv[2]) : 4;
    double total = 0;
    for (int b = 0; b < beams; b++) {
        Phantom phantom(n, n, n);
        Random rng(1000 + b);
        primary(phantom, 0.02 + 0.004 * b);
        histories(phantom, rng, 20000);
        DoseWriter out("beam" + std::to_string(b) + ".dose");
        out.header(phantom);
        out.slices(phantom);
        for (double d : phantom.dose)
            total += d;
    }
    std::printf("beams %d  total dose %.4f\n", beams, total);
    return 0;
}
