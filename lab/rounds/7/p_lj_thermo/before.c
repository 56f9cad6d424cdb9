/* Lennard-Jones fluid with replicated positions: every rank computes the
 * forces on its share of the particles. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fluid {
    int n;
    double box;
    double *pos;
    double *vel;
    double *force;
};

static void fluid_init(struct fluid *f, int edge)
{
    f->n = edge * edge * edge;
    f->box = edge * 1.2;
    f->pos = malloc(3 * f->n * sizeof(double));
    f->vel = malloc(3 * f->n * sizeof(double));
    f->force = malloc(3 * f->n * sizeof(double));
    for (int p = 0; p < f->n; p++) {
        f->pos[3 * p] = 1.2 * (p % edge);
        f->pos[3 * p + 1] = 1.2 * ((p / edge) % edge);
        f->pos[3 * p + 2] = 1.2 * (p / (edge * edge));
        for (int k = 0; k < 3; k++)
            f->vel[3 * p + k] = ((p * 7 + k * 13) % 21 - 10) * 0.05;
    }
}

static double forces(struct fluid *f, int first, int last)
{
    double energy = 0.0;
    memset(f->force, 0, 3 * f->n * sizeof(double));
    for (int i = first; i < last; i++)
        for (int j = 0; j < f->n; j++) {
            if (i == j)
                continue;
            double d[3], r2 = 0.0;
            for (int k = 0; k < 3; k++) {
                d[k] = f->pos[3 * i + k] - f->pos[3 * j + k];
                d[k] -= f->box * nearbyint(d[k] / f->box);
                r2 += d[k] * d[k];
            }
            if (r2 > 6.25)
                continue;
            double s6 = 1.0 / (r2 * r2 * r2);
            double w = 24.0 * s6 * (2.0 * s6 - 1.0) / r2;
            energy += 2.0 * s6 * (s6 - 1.0);
            for (int k = 0; k < 3; k++)
                f->force[3 * i + k] += w * d[k];
        }
    return energy;
}

static void dump_frame(const struct fluid *f, int step)
{
    FILE *fp = fopen("trajectory.bin", step ? "ab" : "wb");
    fwrite(&step, sizeof step, 1, fp);
    fwrite(f->pos, sizeof(double), 3 * f->n, fp);
    fclose(fp);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int nstep = argc > 1 ? atoi(argv[1]) : 100;
    struct fluid f;
    fluid_init(&f, 9);
    int first = f.n * rank / size, last = f.n * (rank + 1) / size;
    FILE *thermo = rank == 0 ? fopen("thermo.log", "w") : NULL;

    double dt = 0.002, total = 0.0;
    for (int step = 0; step < nstep; step++) {
        double potential = forces(&f, first, last);
        MPI_Allreduce(MPI_IN_PLACE, f.force, 3 * f.n, MPI_DOUBLE, MPI_SUM,
                      MPI_COMM_WORLD);
        double kinetic = 0.0;
        for (int q = 0; q < 3 * f.n; q++) {
            f.vel[q] += dt * f.force[q];
            f.pos[q] += dt * f.vel[q];
            kinetic += 0.5 * f.vel[q] * f.vel[q];
        }
        MPI_Reduce(&potential, &total, 1, MPI_DOUBLE, MPI_SUM, 0,
                   MPI_COMM_WORLD);
        if (rank == 0) {
            fprintf(thermo, "%6d %16.8f %16.8f\n", step, kinetic, total);
            fflush(thermo);
            if (step % 10 == 0)
                dump_frame(&f, step);
        }
    }
    if (rank == 0) {
        fclose(thermo);
        printf("%d particles, %d steps, potential %.6f\n", f.n, nstep, total);
    }
    MPI_Finalize();
    return 0;
}
