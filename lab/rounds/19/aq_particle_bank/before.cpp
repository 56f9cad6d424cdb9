// Surface source writer in the manner of Monte Carlo codes: particles that
// cross the surface are banked, and the bank of each history batch goes to
// the shared source file in rank order.
#include <mpi.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <vector>

struct Site {
    double r[3];
    double u[3];
    double energy;
    double weight;
};

class Random {
public:
    explicit Random(std::uint64_t s) : s_(s * 2862933555777941757ULL + 3037000493ULL) {}
    double operator()()
    {
        s_ = s_ * 2806196910506780709ULL + 1;
        return (s_ >> 11) * 0x1p-53;
    }

private:
    std::uint64_t s_;
};

static bool history(std::uint64_t id, Site &s)
{
    Random rnd(id);
    double x = 0, y = 0, z = 0, e = 2.0e6;
    for (int c = 0; c < 40; ++c) {
        double mu = 2 * rnd() - 1, phi = 6.283185307179586 * rnd(), d = -std::log(rnd() + 1e-300) * 1.3;
        double st = std::sqrt(1 - mu * mu);
        x += d * st * std::cos(phi);
        y += d * st * std::sin(phi);
        z += d * mu;
        if (x * x + y * y + z * z > 25.0) {
            s = Site{{x, y, z}, {st * std::cos(phi), st * std::sin(phi), mu}, e, 1.0 / (1 + c)};
            return true;
        }
        e *= 0.2 + 0.8 * rnd();
        if (rnd() < 0.05) return false;
    }
    return false;
}

class SourceFile {
public:
    explicit SourceFile(const char *path)
    {
        MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &fh_);
    }
    // every rank calls this, with as many sites as it has
    void append(const std::vector<Site> &bank)
    {
        long n = bank.size(), end = 0, all = 0;
        MPI_Scan(&n, &end, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
        MPI_Allreduce(&n, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
        MPI_Offset at = (total_ + end - n) * (MPI_Offset)sizeof(Site);
        MPI_File_write_at_all(fh_, at, bank.data(), n * sizeof(Site), MPI_BYTE, MPI_STATUS_IGNORE);
        total_ += all;
    }
    long total() const { return total_; }
    void close() { MPI_File_close(&fh_); }

private:
    MPI_File fh_;
    long total_ = 0;
};

static void report(const char *path)
{
    std::ifstream in(path, std::ios::binary);
    Site s;
    long n = 0;
    double energy = 0, weight = 0, mu = 0;
    while (in.read(reinterpret_cast<char *>(&s), sizeof s)) {
        ++n;
        energy += s.energy;
        weight += s.weight;
        mu += (s.r[0] * s.u[0] + s.r[1] * s.u[1] + s.r[2] * s.u[2]);
    }
    std::printf("%ld sites, mean energy %.2f, weight %.5f, outward %.4f\n", n, energy / n, weight, mu / n);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const long nbatch = argc > 1 ? std::atol(argv[1]) : 1000;
    const long per = argc > 2 ? std::atol(argv[2]) : 10;

    SourceFile out("surface.src");
    std::vector<Site> bank;
    for (long b = 0; b < nbatch; ++b) {
        for (long i = 0; i < per; ++i) {
            Site s;
            if (history((b * size + rank) * per + i, s)) bank.push_back(s);
        }
        out.append(bank);
        bank.clear();
    }
    out.close();
    if (rank == 0) report("surface.src");
    MPI_Finalize();
}
