// Replica exchange Monte Carlo of the 2D Ising model. Every sweep the
// energies and magnetisations of all replicas are appended to a trace file.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>
#include <fcntl.h>
#include <unistd.h>

class Rng {
    std::uint64_t s;
public:
    explicit Rng(std::uint64_t seed) : s(seed * 0x9E3779B97F4A7C15ULL + 1) {}
    double operator()() {
        s ^= s >> 12; s ^= s << 25; s ^= s >> 27;
        return ((s * 0x2545F4914F6CDD1DULL) >> 11) / 9007199254740992.0;
    }
};

class Replica {
    int L;
    std::vector<signed char> spin;
    Rng rng;
public:
    double beta;
    long energy = 0, mag = 0;
    Replica(int L_, double b, int seed) : L(L_), spin(L_ * L_), rng(seed), beta(b) {
        for (auto &x : spin) x = rng() < 0.5 ? 1 : -1;
        for (int i = 0; i < L; ++i)
            for (int j = 0; j < L; ++j) {
                mag += spin[i * L + j];
                energy -= spin[i * L + j] * (spin[((i + 1) % L) * L + j] + spin[i * L + (j + 1) % L]);
            }
    }
    void sweep() {
        for (int i = 0; i < L; ++i)
            for (int j = 0; j < L; ++j) {
                int x = spin[i * L + j];
                int nb = spin[((i + 1) % L) * L + j] + spin[((i + L - 1) % L) * L + j] +
                         spin[i * L + (j + 1) % L] + spin[i * L + (j + L - 1) % L];
                int de = 2 * x * nb;
                if (de <= 0 || rng() < std::exp(-beta * de)) {
                    spin[i * L + j] = -x;
                    energy += de;
                    mag -= 2 * x;
                }
            }
    }
};

class TraceFile {
    int fd;
public:
    explicit TraceFile(const std::string &name)
        : fd(::open(name.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644)) {
        if (fd < 0) throw std::runtime_error("cannot open " + name);
    }
    ~TraceFile() {
        ::fsync(fd);
        ::close(fd);
    }
    void append(const std::vector<double> &row) {
        const char *p = reinterpret_cast<const char *>(row.data());
        std::size_t left = row.size() * sizeof(double);
        while (left > 0) {
            ssize_t k = ::write(fd, p, left);
            if (k < 0) throw std::runtime_error("write failed");
            p += k;
            left -= k;
        }
    }
};

int main(int argc, char **argv) {
    int sweeps = argc > 1 ? std::atoi(argv[1]) : 450;
    const int L = 64, R = 8;
    std::vector<Replica> chain;
    for (int r = 0; r < R; ++r) chain.emplace_back(L, 0.36 + 0.02 * r, 100 + r);
    Rng swap_rng(7);
    TraceFile trace("trace.bin");
    std::vector<double> row(2 * R + 1);
    std::vector<double> m2(R, 0.0);
    long swaps = 0;

    for (int s = 0; s < sweeps; ++s) {
        for (auto &c : chain) c.sweep();
        for (int r = s % 2; r + 1 < R; r += 2) {
            double d = (chain[r].beta - chain[r + 1].beta) * (chain[r].energy - chain[r + 1].energy);
            if (d >= 0 || swap_rng() < std::exp(d)) {
                std::swap(chain[r], chain[r + 1]);
                std::swap(chain[r].beta, chain[r + 1].beta);
                ++swaps;
            }
        }
        row[0] = s;
        for (int r = 0; r < R; ++r) {
            row[1 + 2 * r] = chain[r].energy;
            row[2 + 2 * r] = chain[r].mag;
            double m = double(chain[r].mag) / (L * L);
            m2[r] += m * m;
        }
        trace.append(row);
    }
    for (int r = 0; r < R; ++r) std::printf("beta %.2f  <m2> %.6f\n", chain[r].beta, m2[r] / sweeps);
    std::printf("swaps %ld\n", swaps);
    return 0;
}
