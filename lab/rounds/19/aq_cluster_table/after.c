/* Galaxy cluster membership: every rank owns a stripe of the sky, computes
 * richness and velocity dispersion of its clusters and the table goes to one
 * text catalogue in order of the stripes. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    double ra, dec, z, richness, sigma_v, r200, lum;
} cluster;

static unsigned long long rng_state;
static double rnd(void)
{
    rng_state = rng_state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(rng_state >> 11) / 9007199254740992.0;
}

static void find_clusters(cluster *c, int n, int stripe)
{
    rng_state = 99 + 17ULL * stripe;
    for (int i = 0; i < n; ++i) {
        c[i].ra = 360.0 * rnd();
        c[i].dec = -60.0 + 4.0 * stripe + 4.0 * rnd();
        c[i].z = 0.05 + 0.9 * rnd() * rnd();
        c[i].richness = 10 + 90 * rnd() * rnd();
        c[i].sigma_v = 150 * pow(c[i].richness, 0.4) * (0.9 + 0.2 * rnd());
        c[i].r200 = 1.73 * c[i].sigma_v / 1000 / sqrt(0.3 * pow(1 + c[i].z, 3) + 0.7);
        c[i].lum = c[i].richness * (1 + rnd()) * 1e10;
    }
}

static int format_row(char *buf, size_t cap, long id, const cluster *c)
{
    return snprintf(buf, cap, "%9ld %11.6f %+11.6f %9.6f %8.3f %9.3f %7.4f %13.6e\n",
                    id, c->ra, c->dec, c->z, c->richness, c->sigma_v, c->r200, c->lum);
}

static void write_catalogue(const char *path, const cluster *mine, int n, int rank, int size)
{
    static const char head[] =
        "#      id          ra         dec         z richness   sigma_v    r200           lum\n";
    char *buf = malloc((size_t)n * 112 + 256);
    long len = 0, end = 0;
    if (rank == 0) { strcpy(buf, head); len = strlen(head); }
    for (long i = 0; i < n; ++i)
        len += format_row(buf + len, 160, (long)rank * n + i, &mine[i]);
    MPI_Scan(&len, &end, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    MPI_File f;
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &f);
    MPI_File_write_at_all(f, end - len, buf, (int)len, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_close(&f);
    free(buf);
}

static unsigned long checksum(const char *path, long *bytes)
{
    FILE *f = fopen(path, "rb");
    enum { WORDS = 1 << 17 };
    unsigned long *buf = calloc(WORDS, 8), a = 1;
    size_t n;
    *bytes = 0;
    while ((n = fread(buf, 1, 8 * WORDS, f)) > 0) {
        for (size_t i = 0; i < n / 8; ++i) a = (a ^ buf[i]) * 0x100000001b3UL;
        *bytes += n;
    }
    fclose(f);
    free(buf);
    return a;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int n = argc > 1 ? atoi(argv[1]) : 100000;
    cluster *mine = malloc((size_t)n * sizeof *mine);
    find_clusters(mine, n, rank);

    double local[2] = {0, 0}, sum[2];
    for (int i = 0; i < n; ++i) { local[0] += mine[i].richness; local[1] += mine[i].sigma_v; }
    MPI_Reduce(local, sum, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);

    write_catalogue("clusters.cat", mine, n, rank, size);
    if (rank == 0) {
        long bytes;
        unsigned long c = checksum("clusters.cat", &bytes);
        printf("%ld clusters, mean richness %.5f, mean sigma %.4f\n", (long)n * size,
               sum[0] / n / size, sum[1] / n / size);
        printf("catalogue %ld bytes, check %016lx\n", bytes, c);
    }
    free(mine);
    MPI_Finalize();
    return 0;
}
