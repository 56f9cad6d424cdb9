// Particle-in-cell beam: every rank owns a slab of grid points in an RMA window; charges
// are deposited with MPI_Accumulate between fences (active target, as in the one-sided
// examples of "Using Advanced MPI").
// usage: beam NPART NCELL STEPS density.txt
#include <mpi.h>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <algorithm>
#include <vector>

static int rank_, size_;

struct Particle { double x, v; };

struct Grid {
    int n, lo, hi;
    MPI_Win win;
    int64_t *local;                             // fixed-point charge, exact sums
    explicit Grid(int n) : n(n), lo((int)((long)n * rank_ / size_)), hi((int)((long)n * (rank_ + 1) / size_))
    {
        MPI_Win_allocate((hi - lo) * sizeof(int64_t), sizeof(int64_t), MPI_INFO_NULL, MPI_COMM_WORLD, &local, &win);
        clear();
    }
    void clear() { for (int i = 0; i < hi - lo; i++) local[i] = 0; }
    ~Grid() { MPI_Win_free(&win); }
};

// beam enters from the right: positions fall off exponentially from x = 1
static Particle sample(long id)
{
    uint64_t h = (uint64_t)(id + 1) * 0x9E3779B97F4A7C15ULL;
    h ^= h >> 31; h *= 0xBF58476D1CE4E5B9ULL; h ^= h >> 29;
    double u = (h >> 11) / 9007199254740992.0;
    Particle p;
    p.x = 1.0 + 0.11 * std::log(0.005 + 0.995 * u) - 1e-9;
    if (p.x < 0) p.x = 0;
    p.v = 0.02 * std::cos(37.0 * u);
    return p;
}

// equal numbers of particles on every rank; deposits go to whatever slab they hit
static std::vector<Particle> own_particles(long np, const Grid &)
{
    std::vector<Particle> ps;
    for (long id = np * rank_ / size_; id < np * (rank_ + 1) / size_; id++)
        ps.push_back(sample(id));
    return ps;
}

static double field(double x)
{
    double e = 0;
    for (int k = 1; k <= 6; k++) e += std::sin(6.283185307179586 * k * x) / k;
    return 0.01 * e;
}

static void push(std::vector<Particle> &ps)
{
    for (auto &p : ps) {
        p.v += 1e-3 * field(p.x);
        p.x += 1e-3 * p.v;
        if (p.x < 0) p.x = 0;
        if (p.x >= 1) p.x = std::nextafter(1.0, 0.0);
    }
}

static void deposit(const std::vector<Particle> &ps, Grid &g, std::vector<int64_t> &buf)
{
    buf.assign(g.n, 0);
    for (auto &p : ps) {
        double s = p.x * g.n - 0.5;
        int c = (int)std::floor(s), r = (c + 1) % g.n;
        int64_t w = (int64_t)((s - c) * 65536);
        buf[(c + g.n) % g.n] += 65536 - w;
        buf[r] += w;
    }
    g.clear();
    MPI_Win_fence(0, g.win);
    for (int t = 0; t < size_; t++) {
        int a = (int)((long)g.n * t / size_), b = (int)((long)g.n * (t + 1) / size_);
        MPI_Accumulate(&buf[a], b - a, MPI_INT64_T, t, 0, b - a, MPI_INT64_T, MPI_SUM, g.win);
    }
    MPI_Win_fence(0, g.win);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    if (argc < 5) MPI_Abort(MPI_COMM_WORLD, 1);
    long np = std::atol(argv[1]);
    int steps = std::atoi(argv[3]);
    {
        Grid g(std::atoi(argv[2]));
        std::vector<Particle> ps = own_particles(np, g);
        std::vector<int64_t> buf;
        for (int s = 0; s < steps; s++) {
            push(ps);
            deposit(ps, g, buf);
            int64_t top = 0, all;
            for (int i = 0; i < g.hi - g.lo; i++) top = std::max(top, g.local[i]);
            MPI_Reduce(&top, &all, 1, MPI_INT64_T, MPI_MAX, 0, MPI_COMM_WORLD);
            if (!rank_ && s % 10 == 0) std::printf("step %d  peak density %.4f\n", s, all / 65536.0);
        }
        std::vector<int64_t> full(rank_ ? 0 : g.n);
        MPI_Gather(g.local, g.hi - g.lo, MPI_INT64_T, full.data(), g.hi - g.lo, MPI_INT64_T, 0, MPI_COMM_WORLD);
        if (!rank_) {
            FILE *f = std::fopen(argv[4], "w");
            if (!f) MPI_Abort(MPI_COMM_WORLD, 3);
            for (int i = 0; i < g.n; i++) std::fprintf(f, "%.5f %.5f\n", (i + 0.5) / g.n, full[i] / 65536.0);
            std::fclose(f);
        }
    }
    MPI_Finalize();
}
