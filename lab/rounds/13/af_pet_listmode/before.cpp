// PET list mode: every rank simulates a sector of the source and puts its
// coincidences (pairs of crystals and time) into the list-mode file of the scan.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mpi.h>
#include <random>
#include <string>
#include <vector>

constexpr int CRYSTALS = 512;      // on the ring
constexpr double RADIUS = 40.0;    // cm
constexpr double MU = 0.096;       // 1/cm, water at 511 keV
constexpr double BODY = 9.0;       // cm, head

struct Coincidence {
    uint16_t a, b;
    uint32_t time;
};

struct Vec { double x, y; };

class Source {
public:
    Source(int rank, int nranks) : gen_(900 + rank), lo_(6.2831853 * rank / nranks),
                                   width_(6.2831853 / nranks) {}
    Vec emission() {
        double f = lo_ + width_ * uni_(gen_);
        double r = uni_(gen_) < 0.25 ? 4.0 + 0.5 * uni_(gen_) : BODY * std::sqrt(uni_(gen_));
        return {r * std::cos(f), r * std::sin(f)};
    }
    double uniform() { return uni_(gen_); }
    double gauss() { return nor_(gen_); }

private:
    std::mt19937_64 gen_;
    std::uniform_real_distribution<double> uni_{0, 1};
    std::normal_distribution<double> nor_{0, 1};
    double lo_, width_;
};

// crystal hit by a photon from p in direction (c, s)
static int crystal(const Vec &p, double c, double s) {
    double b = p.x * c + p.y * s;
    double q = p.x * p.x + p.y * p.y - RADIUS * RADIUS;
    double t = -b + std::sqrt(b * b - q);
    double phi = std::atan2(p.y + t * s, p.x + t * c) + 3.14159265358979;
    return (int)(phi / 6.283185307179586 * CRYSTALS) % CRYSTALS;
}

static bool absorbed(Source &src, const Vec &p, double c, double s) {
    double b = p.x * c + p.y * s;
    double chord = 2 * std::sqrt(std::fmax(0.0, b * b - (p.x * p.x + p.y * p.y - BODY * BODY)));
    return src.uniform() > std::exp(-MU * chord);
}

class ListMode {
public:
    ListMode(MPI_Comm comm, const char *name) {
        MPI_File_open(comm, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file_);
    }
    ~ListMode() { close(); }
    void add(const Coincidence &c) {
        MPI_File_write_shared(file_, &c, (int)sizeof c, MPI_BYTE, MPI_STATUS_IGNORE);
        count_++;
    }
    void close() {
        if (file_ != MPI_FILE_NULL) MPI_File_close(&file_);
    }
    long count() const { return count_; }

private:
    MPI_File file_;
    long count_ = 0;
};

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank, nranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &nranks);
    long decays = argc > 1 ? std::atol(argv[1]) : 400000;

    Source src(rank, nranks);
    ListMode list(MPI_COMM_WORLD, "scan.lm");
    std::vector<double> radial(40, 0.0), all(40, 0.0);
    for (long k = 0; k < decays / nranks; k++) {
        Vec p = src.emission();
        double angle = 6.2831853 * src.uniform(), blur = 0.004 * src.gauss();
        double c = std::cos(angle), s = std::sin(angle);
        if (absorbed(src, p, c, s)) continue;
        Coincidence e;
        e.a = (uint16_t)crystal(p, c, s);
        e.b = (uint16_t)crystal(p, std::cos(angle + 3.14159265 + blur), std::sin(angle + 3.14159265 + blur));
        e.time = (uint32_t)(k * 13);
        list.add(e);
        radial[(int)std::fmin(39.0, std::fabs(p.x * s - p.y * c) * 2)] += 1;
    }
    list.close();

    long n = list.count(), total = 0;
    MPI_Reduce(&n, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(radial.data(), all.data(), 40, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        std::printf("%ld coincidences\n", total);
        for (int i = 0; i < 32; i += 4) std::printf("  %4.1f cm  %.0f\n", i * 0.5, all[i]);
    }
    MPI_Finalize();
    return 0;
}
