/* Star cluster: direct N-body with softened gravity, leapfrog.  The stars are shared among
 * the ranks; snapshots of all stars go into one file.
 *
 * usage: cluster nstars nsteps every
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#include <mpi.h>

#define SOFT2 0.0025
#define DT 0.002

typedef struct { double pos[3], vel[3], mass, pot; } Star;

static double uniform(unsigned long long *s)
{
    *s = *s * 6364136223846793005ULL + 1442695040888963407ULL;
    return (*s >> 11) / 9007199254740992.0;
}

/* Plummer sphere in N-body units, same on all ranks */
static void plummer(Star *st, int n)
{
    unsigned long long seed = 2718;
    for (int i = 0; i < n; i++) {
        double m = 0.001 + 0.99 * uniform(&seed);
        double r = 1.0 / sqrt(pow(m, -2.0 / 3.0) - 1.0 + 1e-6);
        double mu = 2 * uniform(&seed) - 1, phi = 2 * M_PI * uniform(&seed);
        double s = sqrt(1 - mu * mu);
        st[i].pos[0] = r * s * cos(phi);
        st[i].pos[1] = r * s * sin(phi);
        st[i].pos[2] = r * mu;
        double v = 0.5 * pow(1 + r * r, -0.25);
        for (int d = 0; d < 3; d++) st[i].vel[d] = v * (2 * uniform(&seed) - 1);
        st[i].mass = 1.0 / n;
    }
}

static void kick(Star *st, int n, int lo, int hi, double dt)
{
    for (int i = lo; i < hi; i++) {
        double a[3] = {0, 0, 0}, pot = 0;
        for (int j = 0; j < n; j++) {
            double dx = st[j].pos[0] - st[i].pos[0];
            double dy = st[j].pos[1] - st[i].pos[1];
            double dz = st[j].pos[2] - st[i].pos[2];
            double inv = 1.0 / sqrt(dx * dx + dy * dy + dz * dz + SOFT2);
            double f = st[j].mass * inv * inv * inv;
            a[0] += f * dx; a[1] += f * dy; a[2] += f * dz;
            pot -= st[j].mass * inv;
        }
        for (int d = 0; d < 3; d++) st[i].vel[d] += dt * a[d];
        st[i].pot = pot;
    }
}

static void drift(Star *st, int lo, int hi)
{
    for (int i = lo; i < hi; i++)
        for (int d = 0; d < 3; d++) st[i].pos[d] += DT * st[i].vel[d];
}

static void snapshot(MPI_File fh, const Star *st, int lo, int hi, int n, int index)
{
    MPI_Offset base = (MPI_Offset)index * n * sizeof(Star);
    for (int i = lo; i < hi; i++)
        MPI_File_write_at_all(fh, base + (MPI_Offset)i * sizeof(Star), &st[i],
                              sizeof(Star), MPI_BYTE, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int n = argc > 1 ? atoi(argv[1]) : 1000;
    int nsteps = argc > 2 ? atoi(argv[2]) : 100;
    int every = argc > 3 ? atoi(argv[3]) : 10;
    n -= n % size;                               /* equal shares */
    int lo = rank * (n / size), hi = lo + n / size;

    Star *st = malloc(n * sizeof(Star));
    plummer(st, n);

    MPI_File fh;
    MPI_File_open(MPI_COMM_WORLD, "cluster.snap", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                  MPI_INFO_NULL, &fh);
    int written = 0;
    for (int step = 0; step < nsteps; step++) {
        drift(st, lo, hi);
        MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, st,
                      (n / size) * (int)sizeof(Star), MPI_BYTE, MPI_COMM_WORLD);
        kick(st, n, lo, hi, DT);
        if ((step + 1) % every == 0)
            snapshot(fh, st, lo, hi, n, written++);
    }
    MPI_File_close(&fh);

    double mine[2] = {0, 0}, e[2];
    for (int i = lo; i < hi; i++) {
        double *v = st[i].vel;
        mine[0] += 0.5 * st[i].mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        mine[1] += 0.5 * st[i].mass * st[i].pot;
    }
    MPI_Reduce(mine, e, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d stars, %d snapshots, kinetic %.5f potential %.5f\n", n, written, e[0], e[1]);
    free(st);
    MPI_Finalize();
    return 0;
}
