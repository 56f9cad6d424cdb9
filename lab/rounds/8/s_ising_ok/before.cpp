// Ising model near the critical point. Lattices are checkpointed safely
// (temporary file, fsync, rename) and observables are written as text.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fcntl.h>
#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>

class Lattice {
public:
    Lattice(int n, double beta) : n_(n), spin_(static_cast<std::size_t>(n) * n, 1)
    {
        for (int k = -4; k <= 4; k += 2) boltz_[k + 4] = std::exp(-2 * beta * k);
    }

    void sweep()
    {
        for (int j = 0; j < n_; ++j)
            for (int i = 0; i < n_; ++i) {
                const int s = at(j, i);
                const int k = s * neighbours(j, i);
                if (k <= 0 || uniform() < boltz_[k + 4]) at(j, i) = static_cast<signed char>(-s);
            }
    }

    double magnetisation() const
    {
        long m = 0;
        for (signed char s : spin_) m += s;
        return static_cast<double>(m) / static_cast<double>(spin_.size());
    }

    double energy()
    {
        long e = 0;
        for (int j = 0; j < n_; ++j)
            for (int i = 0; i < n_; ++i) e -= at(j, i) * neighbours(j, i);
        return 0.5 * static_cast<double>(e) / static_cast<double>(spin_.size());
    }

    const std::vector<signed char> &spins() const { return spin_; }

private:
    signed char &at(int j, int i) { return spin_[static_cast<std::size_t>(j) * n_ + i]; }
    int neighbours(int j, int i)
    {
        const int u = j ? j - 1 : n_ - 1, d = j + 1 < n_ ? j + 1 : 0;
        const int l = i ? i - 1 : n_ - 1, r = i + 1 < n_ ? i + 1 : 0;
        return at(u, i) + at(d, i) + at(j, l) + at(j, r);
    }
    double uniform()
    {
        s_ ^= s_ << 13;
        s_ ^= s_ >> 7;
        s_ ^= s_ << 17;
        return static_cast<double>(s_ >> 11) / 9007199254740992.0;
    }

    int n_;
    std::vector<signed char> spin_;
    double boltz_[9] = {};
    std::uint64_t s_ = 0x9E3779B97F4A7C15ULL;
};

static bool checkpoint(const Lattice &lat, const std::string &path)
{
    const std::string tmp = path + ".part";
    const int fd = ::open(tmp.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0644);
    if (fd < 0) return false;
    const auto &s = lat.spins();
    bool ok = ::write(fd, s.data(), s.size()) == static_cast<ssize_t>(s.size());
    ok = ::fsync(fd) == 0 && ok;
    ::close(fd);
    return ok && std::rename(tmp.c_str(), path.c_str()) == 0;
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? std::stoi(argv[1]) : 256;
    const int sweeps = argc > 2 ? std::stoi(argv[2]) : 1000;
    Lattice lat(n, 0.4406868);
    std::ofstream series("observables.txt");
    double m2 = 0, m4 = 0;
    for (int k = 1; k <= sweeps; ++k) {
        lat.sweep();
        const double m = lat.magnetisation();
        m2 += m * m;
        m4 += m * m * m * m;
        series << k << ' ' << m << ' ' << lat.energy() << std::endl;
    }
    if (!checkpoint(lat, "lattice.chk")) return 1;
    m2 /= sweeps;
    m4 /= sweeps;
    std::printf("sweeps %d Binder %.6f\n", sweeps, 1 - m4 / (3 * m2 * m2));
}
