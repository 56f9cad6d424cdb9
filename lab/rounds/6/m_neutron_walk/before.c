/* Neutron diffusion length by random walks: every rank follows its own walkers,
 * the first rank collects the histograms and writes the tables. */
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BINS 64
#define WALKERS 40000

static uint64_t state;

static double rnd(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (state >> 11) * (1.0 / 9007199254740992.0);
}

static double walk(double absorb)
{
    double x = 0, y = 0, z = 0;
    do {
        double mu = 2.0 * rnd() - 1.0, phi = 2.0 * M_PI * rnd();
        double step = -log(1.0 - rnd()), st = sqrt(1.0 - mu * mu);
        x += step * st * cos(phi);
        y += step * st * sin(phi);
        z += step * mu;
    } while (rnd() > absorb);
    return sqrt(x * x + y * y + z * z);
}

static double sample(double absorb, long *bins)
{
    double sum = 0.0;
    memset(bins, 0, BINS * sizeof *bins);
    for (int w = 0; w < WALKERS; w++) {
        double r = walk(absorb);
        int k = (int)(r * 2.0);
        bins[k < BINS ? k : BINS - 1]++;
        sum += r * r;
    }
    return sum;
}

static void write_table(int batch, double absorb, double r2, const long *bins)
{
    char name[64];
    snprintf(name, sizeof name, "table_%02d.txt", batch);
    FILE *f = fopen(name, "w");
    if (!f)
        MPI_Abort(MPI_COMM_WORLD, 1);
    fprintf(f, "# absorption %.4f  mean square distance %.6f\n", absorb, r2);
    for (int k = 0; k < BINS; k++)
        fprintf(f, "%6.2f %10ld\n", 0.5 * k, bins[k]);
    fclose(f);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int batches = argc > 1 ? atoi(argv[1]) : 20, rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    state = 0x9e3779b97f4a7c15ULL * (rank + 1);

    double last = 0.0;
    for (int b = 0; b < batches; b++) {
        long mine[BINS], all[BINS];
        double absorb = 0.04 + 0.002 * b, sum, total = 0.0;
        sum = sample(absorb, mine);
        MPI_Reduce(mine, all, BINS, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
        MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
        if (rank == 0) {
            last = total / ((double)WALKERS * size);
            write_table(b, absorb, last, all);
        }
    }
    if (rank == 0)
        printf("batches %d last mean square distance %.6f\n", batches, last);
    MPI_Finalize();
    return 0;
}
