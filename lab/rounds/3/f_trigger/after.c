/* Toy detector simulation: every rank showers its own events, hits go to one run file. */
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int32_t event, nhit;
    float px, py, pz, energy;
    float hit[20];
} EventRecord;

static uint64_t rng;

static double uniform(void)
{
    rng ^= rng << 13;
    rng ^= rng >> 7;
    rng ^= rng << 17;
    return (double)(rng >> 11) * (1.0 / 9007199254740992.0);
}

static void generate(EventRecord *r, int event)
{
    double c = 2.0 * uniform() - 1.0, phi = 2.0 * M_PI * uniform();
    double s = sqrt(1.0 - c * c);
    memset(r, 0, sizeof *r);
    r->event = event;
    r->energy = (float)(-30.0 * log(1.0 - uniform()) + 5.0);
    r->px = (float)(r->energy * s * cos(phi));
    r->py = (float)(r->energy * s * sin(phi));
    r->pz = (float)(r->energy * c);
}

static void shower(EventRecord *r)
{
    double left = r->energy;
    int n = 0;
    while (left > 0.1 && n < 20) {
        double lost = left * (0.05 + 0.3 * uniform());
        r->hit[n++] = (float)lost;
        left -= lost;
    }
    r->nhit = n;
}

static int accepted(const EventRecord *r)
{
    return r->energy > 6.0f && r->nhit > 4;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_File run;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int nevent = argc > 1 ? atoi(argv[1]) : 4000;
    EventRecord *list = malloc(sizeof(EventRecord) * nevent);
    long kept = 0, all = 0;
    double deposited = 0.0, sum = 0.0;

    rng = 88172645463325252ull + 1000003ull * (uint64_t)rank;
    MPI_File_open(MPI_COMM_WORLD, "run0001.evt", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                  MPI_INFO_NULL, &run);
    for (int e = 0; e < nevent; e++) {
        EventRecord rec;
        generate(&rec, e * size + rank);
        shower(&rec);
        if (!accepted(&rec))
            continue;
        list[kept++] = rec;
        for (int k = 0; k < rec.nhit; k++)
            deposited += rec.hit[k];
    }
    long before = 0;
    MPI_Exscan(&kept, &before, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        before = 0;
    MPI_File_write_at_all(run, (MPI_Offset)(before * sizeof(EventRecord)), list,
                          (int)(kept * sizeof(EventRecord)), MPI_BYTE, MPI_STATUS_IGNORE);
    free(list);
    MPI_File_close(&run);
    MPI_Reduce(&kept, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&deposited, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("kept %ld events, %.4f GeV deposited\n", all, sum);
    MPI_Finalize();
    return 0;
}
