/* Collisional evolution of an open star cluster: direct summation, leapfrog,
 * Plummer softening. The stars are divided among the ranks; every rank knows
 * all positions. Snapshots go to cluster.snap, conserved quantities to a log. */
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define EPS2   2.5e-4           /* softening squared, in units of the virial radius */
#define DT     1.0e-3
#define EVERY  4                /* steps between snapshots */

typedef struct { double x[3]; } Vec;

static uint64_t seed = 1915;
static double uniform(void)
{
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    return ((seed >> 11) + 0.5) / 9007199254740992.0;
}

static void isotropic(double r, Vec *v)
{
    double c = 2 * uniform() - 1, phi = 2 * M_PI * uniform(), s = sqrt(1 - c * c);
    v->x[0] = r * s * cos(phi);
    v->x[1] = r * s * sin(phi);
    v->x[2] = r * c;
}

/* Plummer sphere; speeds a fixed fraction of escape speed */
static void plummer(int n, Vec *pos, Vec *vel)
{
    for (int i = 0; i < n; i++) {
        double r = 1.0 / sqrt(pow(0.02 + 0.95 * uniform(), -2.0 / 3.0) - 1.0 + 1e-3);
        isotropic(r, &pos[i]);
        isotropic(0.45 * sqrt(2.0) * pow(1 + r * r, -0.25), &vel[i]);
    }
}

/* accelerations of the own stars, returns their share of the potential energy */
static double forces(int n, int first, int count, const Vec *pos, Vec *acc)
{
    double pot = 0.0, m = 1.0 / n;
    for (int i = 0; i < count; i++) {
        const Vec *p = &pos[first + i];
        double a0 = 0, a1 = 0, a2 = 0, u = 0;
        for (int j = 0; j < n; j++) {
            double d0 = pos[j].x[0] - p->x[0], d1 = pos[j].x[1] - p->x[1], d2 = pos[j].x[2] - p->x[2];
            double inv = 1.0 / sqrt(d0 * d0 + d1 * d1 + d2 * d2 + EPS2), w = m * inv * inv * inv;
            a0 += w * d0;
            a1 += w * d1;
            a2 += w * d2;
            u -= m * inv;
        }
        acc[i].x[0] = a0;
        acc[i].x[1] = a1;
        acc[i].x[2] = a2;
        pot += 0.5 * m * (u + m / sqrt(EPS2));
    }
    return pot;
}

static void snapshot(MPI_File f, int k, int n, int first, int count, const Vec *pos)
{
    MPI_Offset at = ((MPI_Offset)k * n + first) * (MPI_Offset)sizeof(Vec);
    MPI_File_write_at_all(f, at, &pos[first], 3 * count, MPI_DOUBLE, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int n = argc > 1 ? atoi(argv[1]) : 4096, nstep = argc > 2 ? atoi(argv[2]) : 40;
    int count = n / size, first = rank * count;
    n = count * size;

    Vec *pos = malloc(n * sizeof *pos), *vel = malloc(n * sizeof *vel), *acc = malloc(count * sizeof *acc);
    plummer(n, pos, vel);
    MPI_File snap;
    MPI_File_open(MPI_COMM_WORLD, "cluster.snap", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &snap);
    FILE *log = rank == 0 ? fopen("cluster.log", "w") : NULL;

    double e[2], sum[2] = { 0, 0 };
    e[1] = forces(n, first, count, pos, acc);
    for (int s = 0; s < nstep; s++) {
        e[0] = 0.0;
        for (int i = 0; i < count; i++)
            for (int c = 0; c < 3; c++) {
                vel[first + i].x[c] += 0.5 * DT * acc[i].x[c];
                pos[first + i].x[c] += DT * vel[first + i].x[c];
            }
        MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, pos, 3 * count, MPI_DOUBLE, MPI_COMM_WORLD);
        e[1] = forces(n, first, count, pos, acc);
        for (int i = 0; i < count; i++)
            for (int c = 0; c < 3; c++) {
                vel[first + i].x[c] += 0.5 * DT * acc[i].x[c];
                e[0] += 0.5 * vel[first + i].x[c] * vel[first + i].x[c] / n;
            }
        MPI_Reduce(e, sum, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
        if (rank == 0)
            fprintf(log, "%d %.5f %.10f %.10f\n", s, s * DT, sum[0], sum[1]);
        if (s % EVERY == 0)
            snapshot(snap, s / EVERY, n, first, count, pos);
    }
    MPI_File_close(&snap);
    if (rank == 0) {
        fclose(log);
        printf("%d stars, energy %.8f, virial ratio %.4f\n", n, sum[0] + sum[1], -sum[0] / sum[1]);
    }
    free(pos); free(vel); free(acc);
    MPI_Finalize();
    return 0;
}
