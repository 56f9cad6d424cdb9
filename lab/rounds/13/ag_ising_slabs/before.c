/* Ising model near the critical point, lattice in slabs, heat bath.
 * Now and then rank 0 collects the lattice and keeps a snapshot (one byte a
 * spin) in ising.snap; a line of the magnetisation goes to ising.log.
 *
 * usage: mpirun -n 2 ising SWEEPS
 */
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define L 512
#define EVERY 40
#define BETA 0.4406868

static int rank, size, rows;
static int8_t *spin;                 /* rows + 2 halo rows */
static uint64_t state;

static double uniform(void)
{
    state ^= state << 13; state ^= state >> 7; state ^= state << 17;
    return (state >> 11) * (1.0 / 9007199254740992.0);
}

static int8_t *row(int j) { return spin + (size_t)(j + 1) * L; }

static void halo(void)
{
    int up = (rank + 1) % size, down = (rank + size - 1) % size;
    MPI_Sendrecv(row(0), L, MPI_BYTE, down, 0, row(rows), L, MPI_BYTE, up, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(row(rows - 1), L, MPI_BYTE, up, 1, row(-1), L, MPI_BYTE, down, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void sweep(const double *prob)
{
    for (int colour = 0; colour < 2; colour++) {
        halo();
        for (int j = 0; j < rows; j++)
            for (int i = (j + colour) % 2; i < L; i += 2) {
                int field = row(j - 1)[i] + row(j + 1)[i]
                          + row(j)[(i + 1) % L] + row(j)[(i + L - 1) % L];
                row(j)[i] = uniform() < prob[field + 4] ? 1 : -1;
            }
    }
}

static void magnetisation(long *m, long *e)
{
    long local[2] = { 0, 0 }, all[2];
    halo();
    for (int j = 0; j < rows; j++)
        for (int i = 0; i < L; i++) {
            local[0] += row(j)[i];
            local[1] -= row(j)[i] * (row(j + 1)[i] + row(j)[(i + 1) % L]);
        }
    MPI_Allreduce(local, all, 2, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    *m = all[0]; *e = all[1];
}

int main(int argc, char **argv)
{
    int sweeps = argc > 1 ? atoi(argv[1]) : 1200;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    rows = L / size;
    spin = malloc((size_t)(rows + 2) * L);
    memset(spin, 1, (size_t)(rows + 2) * L);
    state = 88172645463325252ULL + 7919ULL * rank;
    double prob[9];
    for (int f = -4; f <= 4; f++) prob[f + 4] = 1 / (1 + exp(-2 * BETA * f));

    int8_t *whole = rank == 0 ? malloc(L * L) : NULL;
    FILE *snap = NULL, *log = NULL;
    if (rank == 0) {
        snap = fopen("ising.snap", "wb");
        log = fopen("ising.log", "w");
    }
    double m2 = 0;
    int samples = 0;
    for (int s = 1; s <= sweeps; s++) {
        sweep(prob);
        if (s % EVERY) continue;
        long m, e;
        magnetisation(&m, &e);
        MPI_Gather(row(0), rows * L, MPI_BYTE, whole, rows * L, MPI_BYTE, 0, MPI_COMM_WORLD);
        if (rank == 0) {
            fwrite(whole, 1, L * L, snap);
            fprintf(log, "%d %.6f %.6f\n", s, (double)m / (L * L), (double)e / (L * L));
            fflush(log);
        }
        m2 += pow((double)m / (L * L), 2);
        samples++;
    }
    if (rank == 0) {
        fclose(snap);
        fclose(log);
        printf("%d sweeps, <m^2> = %.6f\n", sweeps, m2 / samples);
    }
    free(whole);
    free(spin);
    MPI_Finalize();
    return 0;
}
