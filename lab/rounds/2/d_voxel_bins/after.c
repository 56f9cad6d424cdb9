/* Bin simulated photon hits by voxel: every voxel of the phantom has its own
 * hits; ranks keep the hits of their own voxels in one list each. */
#include <fcntl.h>
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
    float energy, time;
    int32_t voxel, photon;
} hit_t;

static uint64_t rng_state;

static double uniform(void)
{
    rng_state ^= rng_state << 13;
    rng_state ^= rng_state >> 7;
    rng_state ^= rng_state << 17;
    return (double)(rng_state >> 11) / 9007199254740992.0;
}

static int trace(hit_t *hits, int max, int nvox, int rank, int size)
{
    int n = 0;
    while (n < max) {
        double depth = -log(1.0 - 0.999 * uniform());
        int v = (int)(depth * 0.1447 * nvox) % nvox;
        if (v % size != rank)
            continue;
        hits[n].energy = (float)(511.0 * exp(-depth));
        hits[n].time = (float)(depth / 0.3);
        hits[n].voxel = v;
        hits[n].photon = n;
        n++;
    }
    return n;
}

int main(int argc, char **argv)
{
    int rank, size, nvox = argc > 1 ? atoi(argv[1]) : 8000, nhits = 400;
    double local = 0.0, total = 0.0;
    char path[128];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    rng_state = 88172645463325252ULL + 977u * (unsigned)rank;
    hit_t *hits = malloc(sizeof *hits * nhits);
    int n = trace(hits, nhits, nvox, rank, size);
    for (int i = 0; i < n; i++)
        local += hits[i].energy;
    snprintf(path, sizeof path, "hits.%04d", rank);   /* records carry their voxel */
    FILE *out = fopen(path, "wb");
    if (!out || fwrite(hits, sizeof *hits, n, out) != (size_t)n)
        MPI_Abort(MPI_COMM_WORLD, 3);
    fclose(out);
    MPI_Reduce(&local, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d voxels, deposited %.4f keV\n", nvox, total);
    free(hits);
    MPI_Finalize();
    return 0;
}
