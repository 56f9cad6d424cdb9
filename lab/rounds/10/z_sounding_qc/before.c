/* Quality control of radiosonde soundings from many stations.  Every station
 * owns a run of records; the ranks share the stations among themselves. */
#include <fcntl.h>
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define NSTATION 48
#define NLEVEL 512

typedef struct { float temperature[NLEVEL], humidity[NLEVEL]; } Sounding;

static int count_of[NSTATION];
static long first_of[NSTATION + 1];

static void fail(const char *what)
{
    perror(what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* number of soundings of each station in the archive year */
static void station_table(int base)
{
    for (int s = 0; s < NSTATION; s++) {
        count_of[s] = base + (s * 7) % 5;
        if (s >= 37)
            count_of[s] = base * 16 + s;
        first_of[s + 1] = first_of[s] + count_of[s];
    }
}

static void launch(Sounding *p, long id)
{
    uint32_t r = (uint32_t)id * 2654435761u + 99u;
    for (int k = 0; k < NLEVEL; k++) {
        r = r * 1664525u + 1013904223u;
        float e = (float)(r >> 9) * (1.0f / 8388608.0f) - 0.5f;
        p->temperature[k] = 288.0f - 0.14f * k + e + ((r & 0x3ff0000) == 0 ? 25.0f : 0.0f);
        p->humidity[k] = 80.0f - 0.15f * k + 4.0f * e;
    }
}

static int inspect(Sounding *p)
{
    int bad = 0;
    for (int k = 1; k < NLEVEL - 1; k++) {
        float mid = 0.5f * (p->temperature[k - 1] + p->temperature[k + 1]);
        if (fabsf(p->temperature[k] - mid) > 9.0f) {
            p->temperature[k] = mid;
            bad++;
        }
    }
    return bad;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    station_table(argc > 1 ? atoi(argv[1]) : 100);

    char name[64];
    snprintf(name, sizeof name, "soundings.raw.%03d", rank);
    int raw = open(name, O_RDWR | O_CREAT | O_TRUNC, 0644);
    snprintf(name, sizeof name, "soundings.qc.%03d", rank);
    int clean = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (raw < 0 || clean < 0) fail("open");

    int lo = NSTATION * rank / size, hi = NSTATION * (rank + 1) / size;
    long from = first_of[lo], to = first_of[hi];
    long flagged = 0, total;
    double warm = 0, mean;
    Sounding p;
    for (long id = from; id < to; id++) {
        launch(&p, id);
        if (pwrite(raw, &p, sizeof p, (id - from) * (off_t)sizeof p) != sizeof p) fail("pwrite");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (long id = from; id < to; id++) {
        if (pread(raw, &p, sizeof p, (id - from) * (off_t)sizeof p) != sizeof p) fail("pread");
        flagged += inspect(&p);
        warm += p.temperature[0];
        if (pwrite(clean, &p, sizeof p, (id - from) * (off_t)sizeof p) != sizeof p) fail("pwrite");
    }
    close(raw);
    close(clean);
    MPI_Reduce(&flagged, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&warm, &mean, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%ld soundings, %ld levels replaced, surface mean %.4f K\n",
               first_of[NSTATION], total, mean / first_of[NSTATION]);
    MPI_Finalize();
    return 0;
}
