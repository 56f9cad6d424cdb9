// Spectral-in-depth Rayleigh-Benard onset: power iteration per horizontal mode, depth split among ranks.
#include <mpi.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <vector>

struct Domain { int rank, size, nz, z0, nloc; };

static Domain decompose(int nz) {
    Domain d;
    MPI_Comm_rank(MPI_COMM_WORLD, &d.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &d.size);
    d.nz = nz;
    d.z0 = nz * d.rank / d.size;
    d.nloc = nz * (d.rank + 1) / d.size - d.z0;
    return d;
}

class Modes {
    Domain d;
    int nm;
    std::vector<double> v, w;
public:
    std::vector<double> growth;
    Modes(const Domain &d_, int nm_) : d(d_), nm(nm_), v(nm_ * (d_.nloc + 2)), w(v), growth(nm_) {
        for (int m = 0; m < nm; m++)
            for (int i = 0; i <= d.nloc + 1; i++)
                v[m * (d.nloc + 2) + i] = std::sin(0.1 + 0.37 * (d.z0 + i) * (m + 1));
    }
    void halo() {
        int up = d.rank + 1 < d.size ? d.rank + 1 : MPI_PROC_NULL, down = d.rank > 0 ? d.rank - 1 : MPI_PROC_NULL;
        MPI_Datatype col;
        MPI_Type_vector(nm, 1, d.nloc + 2, MPI_DOUBLE, &col);
        MPI_Type_commit(&col);
        MPI_Sendrecv(&v[d.nloc], 1, col, up, 0, &v[0], 1, col, down, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&v[1], 1, col, down, 1, &v[d.nloc + 1], 1, col, up, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Type_free(&col);
    }
    void sweep(double ra) {
        halo();
        for (int m = 0; m < nm; m++) {
            double n2 = apply(m, ra), all;
            MPI_Allreduce(&n2, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
            growth[m] = std::sqrt(all);
            scale(m, 1 / growth[m]);
        }
    }
private:
    double apply(int m, double ra) {
        double *a = &v[m * (d.nloc + 2)], *b = &w[m * (d.nloc + 2)], s = 0, k2 = 1e-4 * (m + 1) * (m + 1);
        for (int i = 1; i <= d.nloc; i++) {
            b[i] = a[i] + 0.2 * (a[i-1] - 2 * a[i] + a[i+1]) + ra * k2 * a[i] / (1 + k2 * k2);
            s += b[i] * b[i];
        }
        return s;
    }
    void scale(int m, double f) {
        for (int i = 1; i <= d.nloc; i++) v[m * (d.nloc + 2) + i] = f * w[m * (d.nloc + 2) + i];
    }
};

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int nm = argc > 1 ? std::atoi(argv[1]) : 1000, iters = argc > 2 ? std::atoi(argv[2]) : 100;
    Domain d = decompose(40);
    Modes modes(d, nm);
    std::ofstream log;
    if (d.rank == 0) {
        log.open("growth.log");
        if (!log) MPI_Abort(MPI_COMM_WORLD, 1);
        log.precision(10);
    }
    for (int it = 0; it < iters; it++) {
        modes.sweep(0.8);
        if (d.rank == 0 && it % 50 == 49) log << it + 1 << ' ' << modes.growth[nm / 2] << '\n';
    }
    if (d.rank == 0) {
        int best = 0;
        for (int m = 1; m < nm; m++) if (modes.growth[m] > modes.growth[best]) best = m;
        log << "fastest " << best << ' ' << modes.growth[best] << '\n';
        std::printf("fastest mode %d growth %.10f\n", best, modes.growth[best]);
    }
    MPI_Finalize();
}
