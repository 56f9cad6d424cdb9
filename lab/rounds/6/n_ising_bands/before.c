/* Ising model in bands of rows, one band per rank; rank 0 keeps the magnetisation record. */
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WIDTH 512
#define ROWS 256

static signed char spin[ROWS + 2][WIDTH];
static uint64_t state;

static double uniform(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (state >> 11) * (1.0 / 9007199254740992.0);
}

static void band_start(int rank)
{
    state = 0x2545F4914F6CDD1DULL + 7919u * (rank + 1);
    for (int i = 0; i < ROWS + 2; i++)
        for (int j = 0; j < WIDTH; j++)
            spin[i][j] = uniform() < 0.5 ? -1 : 1;
}

static void exchange_rows(int rank, int size)
{
    int above = (rank + size - 1) % size, below = (rank + 1) % size;
    MPI_Sendrecv(spin[1], WIDTH, MPI_SIGNED_CHAR, above, 1, spin[ROWS + 1], WIDTH, MPI_SIGNED_CHAR, below, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(spin[ROWS], WIDTH, MPI_SIGNED_CHAR, below, 2, spin[0], WIDTH, MPI_SIGNED_CHAR, above, 2,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void sweep(const double *chance)
{
    for (int i = 1; i <= ROWS; i++)
        for (int j = 0; j < WIDTH; j++) {
            int around = spin[i - 1][j] + spin[i + 1][j] + spin[i][(j + 1) % WIDTH] + spin[i][(j + WIDTH - 1) % WIDTH];
            int cost = spin[i][j] * around;
            if (cost <= 0 || uniform() < chance[cost])
                spin[i][j] = -spin[i][j];
        }
}

static long band_sum(void)
{
    long m = 0;
    for (int i = 1; i <= ROWS; i++)
        for (int j = 0; j < WIDTH; j++)
            m += spin[i][j];
    return m;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int sweeps = argc > 1 ? atoi(argv[1]) : 450;
    double chance[5], temperature = 2.2;
    for (int k = 0; k < 5; k++)
        chance[k] = exp(-2.0 * k / temperature);
    FILE *record = NULL;
    if (rank == 0)
        record = fopen("magnetisation.txt", "w");
    band_start(rank);
    long mine, all = 0;
    for (int t = 0; t < sweeps; t++) {
        exchange_rows(rank, size);
        sweep(chance);
        if (t % 20 == 0) {
            mine = band_sum();
            MPI_Reduce(&mine, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
            if (rank == 0) {
                fprintf(record, "%6d %9.6f\n", t, all / (double)(size * ROWS * WIDTH));
                fflush(record);
            }
        }
    }
    if (rank == 0) {
        fsync(fileno(record));
        fclose(record);
        printf("%d sweeps, magnetisation %.6f\n", sweeps, all / (double)(size * ROWS * WIDTH));
    }
    MPI_Finalize();
    return 0;
}
