// Barotropic jet ensemble: every rank integrates its own realisation, the ensemble
// mean of some diagnostics is kept for every output time.
#include <mpi.h>
#include <netcdf.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int N = 192;

static void check(int status)
{
    if (status != NC_NOERR) {
        fprintf(stderr, "%s\n", nc_strerror(status));
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

struct Flow {
    std::vector<double> q = std::vector<double>(N * N);
    std::vector<double> psi = std::vector<double>(N * N);

    explicit Flow(int member)
    {
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++)
                q[j * N + i] = std::tanh((j - N / 2) / 8.0) + 0.05 * std::sin(0.1 * i * (member + 1));
    }

    void invert(int iterations)
    {
        for (int it = 0; it < iterations; it++)
            for (int j = 1; j < N - 1; j++)
                for (int i = 1; i < N - 1; i++) {
                    int k = j * N + i;
                    psi[k] = 0.25 * (psi[k - 1] + psi[k + 1] + psi[k - N] + psi[k + N] - q[k]);
                }
    }

    void advect(double dt)
    {
        std::vector<double> old = q;
        for (int j = 1; j < N - 1; j++)
            for (int i = 1; i < N - 1; i++) {
                int k = j * N + i;
                double u = -0.5 * (psi[k + N] - psi[k - N]), v = 0.5 * (psi[k + 1] - psi[k - 1]);
                q[k] -= dt * 1e-3 * (u * (old[k + 1] - old[k - 1]) + v * (old[k + N] - old[k - N]));
            }
    }

    void diagnose(double *out) const
    {
        out[0] = out[1] = out[2] = 0;
        for (int k = 0; k < N * N; k++) {
            out[0] -= 0.5 * psi[k] * q[k];
            out[1] += 0.5 * q[k] * q[k];
            out[2] = std::fmax(out[2], std::fabs(psi[k]));
        }
    }
};

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, nproc;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &nproc);
    int steps = argc > 1 ? atoi(argv[1]) : 25;
    int nc = -1, dim, var[3];
    FILE *log = nullptr;
    const char *names[3] = {"energy", "enstrophy", "peak"};
    if (rank == 0) {
        check(nc_create("jet.nc", NC_CLOBBER, &nc));
        check(nc_def_dim(nc, "time", NC_UNLIMITED, &dim));
        for (int d = 0; d < 3; d++)
            check(nc_def_var(nc, names[d], NC_DOUBLE, 1, &dim, &var[d]));
        check(nc_enddef(nc));
        log = fopen("jet.log", "w");
    }
    Flow flow(rank);
    double mine[3], sum[3];
    for (int step = 0; step < steps; step++) {
        flow.invert(400);
        flow.advect(0.1);
        flow.diagnose(mine);
        MPI_Reduce(mine, sum, 3, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
        if (rank == 0) {
            size_t at = step;
            for (int d = 0; d < 3; d++) {
                double mean = sum[d] / nproc;
                check(nc_put_var1_double(nc, var[d], &at, &mean));
                fprintf(log, "%d %s %.9g\n", step, names[d], mean);
            }
            check(nc_sync(nc));
            fflush(log);
        }
    }
    if (rank == 0) {
        check(nc_close(nc));
        fclose(log);
        printf("energy %.9g\n", sum[0] / nproc);
    }
    MPI_Finalize();
    return 0;
}
