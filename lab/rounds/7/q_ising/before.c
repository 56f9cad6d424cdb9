/* Ising model, independent replicas below the critical temperature. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#define L 128

static unsigned long long rng_state;

static inline double uniform(void)
{
    rng_state ^= rng_state << 13;
    rng_state ^= rng_state >> 7;
    rng_state ^= rng_state << 17;
    return (rng_state >> 11) * (1.0 / 9007199254740992.0);
}

static void sweep(signed char *spin, const double *accept)
{
    for (int j = 0; j < L; j++) {
        int up = ((j + 1) % L) * L, down = ((j + L - 1) % L) * L;
        for (int i = 0; i < L; i++) {
            int s = spin[j * L + i];
            int nb = spin[up + i] + spin[down + i] + spin[j * L + (i + 1) % L] +
                     spin[j * L + (i + L - 1) % L];
            if (uniform() < accept[s * nb + 4])
                spin[j * L + i] = (signed char)-s;
        }
    }
}

static double magnetisation(const signed char *spin)
{
    long m = 0;
    for (int k = 0; k < L * L; k++)
        m += spin[k];
    return (double)labs(m) / (L * L);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int sweeps = argc > 1 ? atoi(argv[1]) : 2000;
    int every = argc > 2 ? atoi(argv[2]) : 200;

    double temperature = 2.1, accept[9];
    for (int k = 0; k < 9; k++)
        accept[k] = exp(-2.0 * (k - 4) / temperature);
    rng_state = 88172645463325252ull + 977ull * rank;
    signed char *spin = malloc(L * L);
    for (int k = 0; k < L * L; k++)
        spin[k] = 1;

    MPI_File traj;
    MPI_File_open(MPI_COMM_WORLD, "replicas.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
                  &traj);
    FILE *log = rank == 0 ? fopen("magnetisation.txt", "w") : NULL;
    double *all = malloc(size * sizeof(double));
    int record = 0;
    for (int step = 1; step <= sweeps; step++) {
        sweep(spin, accept);
        if (step % every != 0)
            continue;
        double m = magnetisation(spin);
        MPI_File_write_at_all(traj, ((MPI_Offset)record * size + rank) * (MPI_Offset)sizeof(double),
                              &m, 1, MPI_DOUBLE, MPI_STATUS_IGNORE);
        MPI_Gather(&m, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        if (rank == 0) {
            fprintf(log, "%8d", step);
            for (int r = 0; r < size; r++)
                fprintf(log, " %.6f", all[r]);
            fprintf(log, "\n");
            fflush(log);
            struct stat st;
            if (stat("STOP", &st) == 0)
                fprintf(log, "# stop file seen\n");
        }
        record++;
    }
    MPI_File_close(&traj);
    if (rank == 0) {
        fclose(log);
        printf("records %d  magnetisation %.6f\n", record, all[0]);
    }
    free(all);
    free(spin);
    MPI_Finalize();
    return 0;
}
