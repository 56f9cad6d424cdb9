// Ordering of a binary alloy on a square lattice: exchange Monte Carlo at a ladder
// of temperatures, one replica per rank; configurations of all replicas go
// to one trajectory file after each block.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mpi.h>
#include <vector>

constexpr int L = 384;
constexpr double J = 0.030;        // eV
constexpr double KB = 8.617e-5;    // eV/K

class Alloy {
public:
    Alloy(unsigned seed, double kelvin) : s_(L * L), gen_(seed) {
        temperature(kelvin);
        for (int i = 0; i < L * L; i++) s_[i] = (gen_() >> 16 & 1) ? 1 : -1;
    }
    void temperature(double kelvin) {
        kelvin_ = kelvin;
        for (int d = -16; d <= 16; d++) boltz_[d + 16] = std::exp(-d * J / (KB * kelvin));
    }
    double kelvin() const { return kelvin_; }

    // unlike neighbours attract; Kawasaki exchange of neighbours
    void sweep() {
        for (int n = 0; n < L * L; n++) {
            uint32_t r = gen_();
            int x = r % L, y = (r >> 12) % L, xn = x, yn = y;
            if (r >> 31) xn = (x + 1) % L; else yn = (y + 1) % L;
            int a = at(x, y), b = at(xn, yn);
            if (a == b) continue;
            int d = (b - a) * (field(x, y) - field(xn, yn) + a - b);
            if (d <= 0 || boltz_[d + 16] * 4294967296.0 > gen_()) {
                s_[y * L + x] = (int8_t)b;
                s_[yn * L + xn] = (int8_t)a;
            }
        }
    }
    double order() const {
        long o = 0;
        for (int y = 0; y < L; y++)
            for (int x = 0; x < L; x++) o += ((x + y) & 1 ? 1 : -1) * s_[y * L + x];
        return std::fabs((double)o) / (L * L);
    }
    double energy() const {
        double e = 0;
        for (int y = 0; y < L; y++)
            for (int x = 0; x < L; x++)
                e += J * s_[y * L + x] * (s_[y * L + (x + 1) % L] + s_[(y + 1) % L * L + x]);
        return e;
    }
    const std::vector<int8_t> &sites() const { return s_; }

private:
    int at(int x, int y) const { return s_[y * L + x]; }
    int field(int x, int y) const {
        return at((x + 1) % L, y) + at((x + L - 1) % L, y) + at(x, (y + 1) % L) + at(x, (y + L - 1) % L);
    }
    std::vector<int8_t> s_;
    struct Xor {
        uint32_t v;
        explicit Xor(uint32_t seed) : v(seed) {}
        uint32_t operator()() { v ^= v << 13; v ^= v >> 17; v ^= v << 5; return v; }
    } gen_;
    double kelvin_ = 0, boltz_[33];
};

class Trajectory {
public:
    Trajectory(const char *name, int rank, int size) : rank_(rank), size_(size) {
        MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file_);
    }
    ~Trajectory() { MPI_File_close(&file_); }
    void frame(const Alloy &a, int block) {
        const auto &s = a.sites();
        MPI_Offset at = ((MPI_Offset)block * size_ + rank_) * (MPI_Offset)s.size();
        MPI_File_write_at_all(file_, at, s.data(), (int)s.size(), MPI_BYTE, MPI_STATUS_IGNORE);
    }

private:
    MPI_File file_;
    int rank_, size_;
};

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int blocks = argc > 1 ? std::atoi(argv[1]) : 20, sweeps = argc > 2 ? std::atoi(argv[2]) : 20;
    Alloy alloy(7919u * (rank + 1), 500.0 + 60.0 * rank);
    {
        Trajectory t("alloy.trj", rank, size);
        for (int b = 0; b < blocks; b++) {
            for (int k = 0; k < sweeps; k++) alloy.sweep();
            std::vector<double> e(size), mine(1, alloy.energy());
            MPI_Allgather(mine.data(), 1, MPI_DOUBLE, e.data(), 1, MPI_DOUBLE, MPI_COMM_WORLD);
            t.frame(alloy, b);
            if (rank == 0 && b % 5 == 4) std::printf("block %d  energy %.4f eV\n", b + 1, e[0]);
        }
    }
    double o = alloy.order(), sum;
    MPI_Reduce(&o, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) std::printf("mean order parameter %.5f\n", sum / size);
    MPI_Finalize();
    return 0;
}
