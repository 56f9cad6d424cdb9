/* Molecular dynamics of soft particles, spatially decomposed; every rank keeps
 * a restart file with its own particles. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define BATCH 256

typedef struct {
    double x[3], v[3];
    int id, species;
} particle_t;

static void init_particles(particle_t *p, int n, int rank)
{
    for (int i = 0; i < n; i++) {
        for (int d = 0; d < 3; d++) {
            p[i].x[d] = fmod(0.618033 * (i + 1) * (d + 1), 1.0);
            p[i].v[d] = fmod(0.414213 * (i + 3) * (d + 2), 1.0) - 0.5;
        }
        p[i].id = rank * n + i;
        p[i].species = i % 3;
    }
}

static double drift(particle_t *p, int n, double dt)
{
    double kinetic = 0.0;
    for (int i = 0; i < n; i++)
        for (int d = 0; d < 3; d++) {
            p[i].v[d] -= dt * (p[i].x[d] - 0.5);
            p[i].x[d] += dt * p[i].v[d];
            kinetic += 0.5 * p[i].v[d] * p[i].v[d];
        }
    return kinetic;
}

static void write_restart(const particle_t *p, int n, int rank, int step)
{
    char name[64];
    snprintf(name, sizeof name, "restart.%d.%04d", step % 2, rank);
    FILE *out = fopen(name, "wb");
    if (!out)
        MPI_Abort(MPI_COMM_WORLD, 1);
    fwrite(&n, sizeof n, 1, out);
    for (int i = 0; i < n; i += BATCH) {
        int m = n - i < BATCH ? n - i : BATCH;
        if (fwrite(p + i, sizeof *p, m, out) != (size_t)m)
            MPI_Abort(MPI_COMM_WORLD, 2);
    }
    fclose(out);
}

static void save_all(const particle_t *p, int n, int step)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    write_restart(p, n, rank, step);
}

int main(int argc, char **argv)
{
    int rank, size, steps = argc > 1 ? atoi(argv[1]) : 8;
    int n = argc > 2 ? atoi(argv[2]) : 300000;
    double local = 0.0, total = 0.0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    particle_t *p = malloc(sizeof *p * n);
    init_particles(p, n, rank);
    for (int s = 0; s < steps; s++) {
        local = drift(p, n, 1e-3);
        save_all(p, n, s);
        MPI_Allreduce(&local, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("%d ranks, %d steps, kinetic energy %.8f\n", size, steps, total);
    free(p);
    MPI_Finalize();
    return 0;
}
