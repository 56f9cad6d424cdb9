// Lattice-Boltzmann flow (D2Q9) past a cylinder on slabs of rows.  Every thirty
// steps all ranks put their slab of the velocity into one file.
#include <mpi.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int NX = 384, NY = 192, Q = 9;
constexpr int EX[Q] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
constexpr int EY[Q] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
constexpr double W[Q] = {4. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 36, 1. / 36, 1. / 36, 1. / 36};
constexpr int OPP[Q] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
constexpr double U0 = 0.08, OMEGA = 1.7;

struct Slab {
    int rank, nproc, rows, first;
    std::vector<double> f, g, velocity;
    std::vector<char> solid;

    Slab(int r, int n) : rank(r), nproc(n), rows(NY / n), first(r * (NY / n)),
        f((rows + 2) * NX * Q), g(f.size()), velocity(2 * rows * NX), solid((rows + 2) * NX) {
        for (int j = 0; j < rows + 2; j++)
            for (int i = 0; i < NX; i++) {
                int y = first + j - 1;
                solid[j * NX + i] = (i - NX / 5) * (i - NX / 5) + (y - NY / 2) * (y - NY / 2) < 18 * 18;
                for (int q = 0; q < Q; q++)
                    f[(j * NX + i) * Q + q] = equilibrium(q, 1.0, U0, 1e-3 * std::sin(i * 0.1));
            }
    }
    static double equilibrium(int q, double rho, double u, double v) {
        double eu = EX[q] * u + EY[q] * v;
        return W[q] * rho * (1.0 + 3.0 * eu + 4.5 * eu * eu - 1.5 * (u * u + v * v));
    }
    void halo() {
        int up = (rank + 1) % nproc, down = (rank + nproc - 1) % nproc, n = NX * Q;
        MPI_Sendrecv(&f[rows * n], n, MPI_DOUBLE, up, 1, &f[0], n, MPI_DOUBLE, down, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&f[n], n, MPI_DOUBLE, down, 2, &f[(rows + 1) * n], n, MPI_DOUBLE, up, 2,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    void step() {
        for (int j = 1; j <= rows; j++)
            for (int i = 0; i < NX; i++) {
                double in[Q], rho = 0, u = 0, v = 0;
                for (int q = 0; q < Q; q++) {
                    int x = (i - EX[q] + NX) % NX;
                    in[q] = f[((j - EY[q]) * NX + x) * Q + q];
                    rho += in[q];
                    u += in[q] * EX[q];
                    v += in[q] * EY[q];
                }
                u /= rho;
                v /= rho;
                double *out = &g[(j * NX + i) * Q];
                if (solid[j * NX + i]) {
                    for (int q = 0; q < Q; q++)
                        out[q] = in[OPP[q]];
                    u = v = 0;
                } else if (i == 0) {
                    for (int q = 0; q < Q; q++)
                        out[q] = equilibrium(q, 1.0, U0, 0.0);
                } else {
                    for (int q = 0; q < Q; q++)
                        out[q] = in[q] + OMEGA * (equilibrium(q, rho, u, v) - in[q]);
                }
                velocity[2 * ((j - 1) * NX + i)] = u;
                velocity[2 * ((j - 1) * NX + i) + 1] = v;
            }
        f.swap(g);
    }
    void save(MPI_File fh, int frame) {
        MPI_Offset at = sizeof(double) * 2 * NX * (MPI_Offset(frame) * NY + first);
        MPI_File_write_at_all(fh, at, velocity.data(), 2 * rows * NX, MPI_DOUBLE, MPI_STATUS_IGNORE);
    }
};

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, nproc;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &nproc);
    int steps = argc > 1 ? std::atoi(argv[1]) : 300, every = argc > 2 ? std::atoi(argv[2]) : 30;
    Slab slab(rank, nproc);
    MPI_File fh;
    MPI_File_open(MPI_COMM_WORLD, "velocity.bin", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &fh);
    for (int s = 1; s <= steps; s++) {
        slab.halo();
        slab.step();
        if (s % every == 0)
            slab.save(fh, s / every - 1);
    }
    MPI_File_close(&fh);
    double e = 0, total = 0;
    for (double x : slab.velocity)
        e += 0.5 * x * x;
    MPI_Reduce(&e, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        std::printf("%d steps, kinetic energy %.6f\n", steps, total);
    MPI_Finalize();
}
