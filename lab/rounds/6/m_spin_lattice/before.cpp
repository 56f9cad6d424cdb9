// Two-dimensional Ising model, Metropolis updates, series of temperatures.
// For every temperature the observables are appended to the result table and the
// final configuration is kept.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <string>
#include <vector>

class Random {
public:
    explicit Random(std::uint64_t seed) : s_(seed) {}
    std::uint32_t next()
    {
        s_ ^= s_ << 13;
        s_ ^= s_ >> 7;
        s_ ^= s_ << 17;
        return static_cast<std::uint32_t>(s_ >> 32);
    }

private:
    std::uint64_t s_;
};

class Lattice {
public:
    Lattice(int n, std::uint64_t seed) : n_(n), spin_(n * n, 1), rng_(seed) {}

    void set_temperature(double t)
    {
        for (int k = 0; k < 5; ++k) {
            double p = std::exp(-2.0 * (2 * k - 4) / t);
            accept_[k] = p >= 1.0 ? 0xffffffffu : static_cast<std::uint32_t>(p * 4294967295.0);
        }
    }

    void sweep()
    {
        for (int i = 0; i < n_; ++i) {
            int up = (i + n_ - 1) % n_, down = (i + 1) % n_;
            for (int j = 0; j < n_; ++j) {
                int left = (j + n_ - 1) % n_, right = (j + 1) % n_;
                int h = at(up, j) + at(down, j) + at(i, left) + at(i, right);
                int k = (at(i, j) * h + 4) / 2;
                if (rng_.next() < accept_[k])
                    spin_[i * n_ + j] = static_cast<signed char>(-at(i, j));
            }
        }
    }

    double magnetisation() const
    {
        long m = 0;
        for (signed char s : spin_)
            m += s;
        return static_cast<double>(m) / (n_ * n_);
    }

    double energy() const
    {
        long e = 0;
        for (int i = 0; i < n_; ++i)
            for (int j = 0; j < n_; ++j)
                e -= at(i, j) * (at((i + 1) % n_, j) + at(i, (j + 1) % n_));
        return static_cast<double>(e) / (n_ * n_);
    }

    void save(const std::string &path) const
    {
        std::ofstream out(path, std::ios::binary);
        out.write(reinterpret_cast<const char *>(spin_.data()),
                  static_cast<std::streamsize>(spin_.size()));
    }

private:
    int at(int i, int j) const { return spin_[i * n_ + j]; }
    int n_;
    std::vector<signed char> spin_;
    Random rng_;
    std::uint32_t accept_[5];
};

static void append_row(double temperature, double m, double e)
{
    std::ofstream table("observables.txt", std::ios::app);
    table << std::fixed << std::setprecision(6) << temperature << ' ' << m << ' ' << e << std::endl;
}

int main(int argc, char **argv)
{
    const int ntemp = argc > 1 ? std::atoi(argv[1]) : 50;
    const int n = 192, warmup = 30, measured = 60;
    std::remove("observables.txt");
    Lattice lattice(n, 0x9e3779b97f4a7c15ULL);
    double last = 0.0;
    for (int k = 0; k < ntemp; ++k) {
        double t = 1.6 + 1.6 * k / ntemp;
        lattice.set_temperature(t);
        for (int s = 0; s < warmup; ++s)
            lattice.sweep();
        double m = 0.0, e = 0.0;
        for (int s = 0; s < measured; ++s) {
            lattice.sweep();
            m += std::fabs(lattice.magnetisation());
            e += lattice.energy();
        }
        append_row(t, m / measured, e / measured);
        lattice.save("spins_" + std::to_string(k) + ".bin");
        last = m / measured;
    }
    std::printf("temperatures %d  final |m| %.6f\n", ntemp, last);
    return 0;
}
