/* Gravity energies of star groups along a simulated survey strip. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int nstars;
    double *x, *y, *z, *mass;
} Group;

static double uniform(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) / 16777216.0;
}

static int stars_in_group(int g, int ngroups)
{
    double s = (double)g / ngroups;
    return 20 + (int)(480.0 * pow(s, 4.0));
}

static void make_group(Group *grp, int g, int ngroups)
{
    unsigned state = 1234567u + 7919u * (unsigned)g;
    int n = stars_in_group(g, ngroups);
    grp->nstars = n;
    grp->x = malloc(4 * n * sizeof(double));
    grp->y = grp->x + n;
    grp->z = grp->y + n;
    grp->mass = grp->z + n;
    for (int i = 0; i < n; i++) {
        grp->x[i] = uniform(&state);
        grp->y[i] = uniform(&state);
        grp->z[i] = uniform(&state);
        grp->mass[i] = 0.1 + uniform(&state);
    }
}

static double binding_energy(Group *grp, double drift)
{
    double e = 0;
    for (int i = 0; i < grp->nstars; i++) {
        for (int j = 0; j < i; j++) {
            double dx = grp->x[i] - grp->x[j];
            double dy = grp->y[i] - grp->y[j];
            double dz = grp->z[i] - grp->z[j] + drift;
            e -= grp->mass[i] * grp->mass[j] / sqrt(dx * dx + dy * dy + dz * dz + 1e-4);
        }
    }
    return e;
}

static void strip_limits(int ngroups, int size, int rank, int *first, int *last)
{
    *first = (int)((long)ngroups * rank / size);
    *last = (int)((long)ngroups * (rank + 1) / size);
}

int main(int argc, char **argv)
{
    int rank, size, first, last;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int ngroups = argc > 1 ? atoi(argv[1]) : 400;
    int nsteps = argc > 2 ? atoi(argv[2]) : 40;

    strip_limits(ngroups, size, rank, &first, &last);
    int mine = last - first;
    Group *groups = malloc((mine + 1) * sizeof(Group));
    double *energy = malloc((mine + 1) * sizeof(double));
    for (int g = 0; g < mine; g++)
        make_group(&groups[g], first + g, ngroups);

    MPI_File fh;
    MPI_File_open(MPI_COMM_WORLD, "energies.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                  MPI_INFO_NULL, &fh);
    double total = 0;
    for (int step = 0; step < nsteps; step++) {
        for (int g = 0; g < mine; g++) {
            energy[g] = binding_energy(&groups[g], 0.001 * step);
            total += energy[g];
        }
        MPI_Offset where = ((MPI_Offset)step * ngroups + first) * (MPI_Offset)sizeof(double);
        MPI_File_write_at_all(fh, where, energy, mine, MPI_DOUBLE, MPI_STATUS_IGNORE);
    }
    MPI_File_close(&fh);

    double sum = 0;
    MPI_Reduce(&total, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("groups %d  mean energy %.6f\n", ngroups, sum / nsteps / ngroups);
    for (int g = 0; g < mine; g++)
        free(groups[g].x);
    free(groups);
    free(energy);
    MPI_Finalize();
    return 0;
}
