// Proper orthogonal decomposition by the method of snapshots: each rank takes a
// strip of every snapshot file, the correlation matrix is summed over the ranks
// and rank 0 finds the leading eigenvalues.  (Set out as in the modred package.)
#include <mpi.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

struct Case { int nsnap = 0, npoint = 0; std::string pattern; };

static void require(bool ok, const std::string& what) {
    if (!ok) { std::fprintf(stderr, "pod: %s\n", what.c_str()); MPI_Abort(MPI_COMM_WORLD, 1); std::exit(1); }
}

static Case readCase(const char* fn) {
    Case c; std::ifstream f(fn);
    require(static_cast<bool>(f >> c.nsnap >> c.npoint >> c.pattern), std::string("reading ") + fn);
    return c;
}

static std::vector<float> readStrip(const Case& c, int k, long first, long n) {
    char name[128];
    std::snprintf(name, sizeof name, c.pattern.c_str(), k);
    MPI_File fh; MPI_Status st; int got = 0;
    require(MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_RDONLY, MPI_INFO_NULL, &fh) == MPI_SUCCESS, name);
    std::vector<float> v(n);
    MPI_File_read_at(fh, first * sizeof(float), v.data(), static_cast<int>(n), MPI_FLOAT, &st);
    MPI_Get_count(&st, MPI_FLOAT, &got);
    require(got == n, std::string("short snapshot ") + name);
    MPI_File_close(&fh);
    return v;
}

static void removeMean(std::vector<std::vector<float>>& s) {
    for (size_t p = 0; p < s[0].size(); ++p) {
        double m = 0;
        for (auto& v : s) m += v[p];
        m /= s.size();
        for (auto& v : s) v[p] -= static_cast<float>(m);
    }
}

static std::vector<double> correlation(const std::vector<std::vector<float>>& s) {
    size_t n = s.size();
    std::vector<double> r(n * n);
    for (size_t a = 0; a < n; ++a)
        for (size_t b = 0; b <= a; ++b) {
            double q = 0;
            for (size_t p = 0; p < s[a].size(); ++p) q += static_cast<double>(s[a][p]) * s[b][p];
            r[a * n + b] = r[b * n + a] = q;
        }
    return r;
}

// leading eigenvalues by power iteration with deflation
static std::vector<double> leading(std::vector<double> r, int n, int m) {
    std::vector<double> ev, x(n), y(n);
    for (int k = 0; k < m; ++k) {
        for (int i = 0; i < n; ++i) x[i] = 1 + 0.1 * std::sin(i * (k + 1.0));
        double l = 0;
        for (int it = 0; it < 200; ++it) {
            l = 0;
            for (int i = 0; i < n; ++i) { y[i] = 0; for (int j = 0; j < n; ++j) y[i] += r[i * n + j] * x[j]; }
            for (double v : y) l += v * v;
            l = std::sqrt(l);
            for (int i = 0; i < n; ++i) x[i] = y[i] / l;
        }
        ev.push_back(l);
        for (int i = 0; i < n; ++i) for (int j = 0; j < n; ++j) r[i * n + j] -= l * x[i] * x[j];
    }
    return ev;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank, nproc;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &nproc);
    Case c = readCase(argc > 1 ? argv[1] : "pod.in");
    long n = c.npoint / nproc, first = rank * n;
    std::vector<std::vector<float>> snaps;
    for (int k = 0; k < c.nsnap; ++k) snaps.push_back(readStrip(c, k, first, n));
    removeMean(snaps);
    auto r = correlation(snaps);
    std::vector<double> g(r.size());
    MPI_Reduce(r.data(), g.data(), static_cast<int>(r.size()), MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        auto ev = leading(g, c.nsnap, 6);
        std::ofstream o("pod_energy.dat");
        double tot = 0;
        for (int i = 0; i < c.nsnap; ++i) tot += g[i * c.nsnap + i];
        for (size_t k = 0; k < ev.size(); ++k) {
            o << k + 1 << ' ' << ev[k] / tot << '\n';
            std::printf("mode %zu  energy %.8f\n", k + 1, ev[k] / tot);
        }
    }
    MPI_Finalize();
}
