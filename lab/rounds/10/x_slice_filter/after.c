/* Flat-field and Laplacian sharpening of tomogram slices. Slices are dealt
   out to the ranks round robin; the filtered slices are stored as float32. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#define N 512
#define PIXELS (N * N)

static void check(int ok, const char *what)
{
    if (!ok) {
        perror(what);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static void load_slice(int s, uint16_t *raw)
{
    char path[64];
    snprintf(path, sizeof path, "raw/slice_%04d.u16", s);
    FILE *f = fopen(path, "rb");
    check(f != NULL, path);
    check(fread(raw, sizeof *raw, PIXELS, f) == PIXELS, path);
    fclose(f);
}

static void save_slice(int s, const float *img)
{
    char path[64];
    snprintf(path, sizeof path, "filtered/slice_%04d.f32", s);
    FILE *f = fopen(path, "wb");
    check(f != NULL, path);
    check(fwrite(img, sizeof *img, PIXELS, f) == PIXELS, path);
    check(fclose(f) == 0, path);
}

static double filter(const uint16_t *raw, float *img)
{
    double sum = 0.0;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            int k = j * N + i;
            int l = i > 0 ? k - 1 : k, r = i < N - 1 ? k + 1 : k;
            int u = j > 0 ? k - N : k, d = j < N - 1 ? k + N : k;
            float flat = 1.0f / (1.0f + 1e-6f * ((i - N / 2) * (i - N / 2) + (j - N / 2) * (j - N / 2)));
            float lap = 4.0f * raw[k] - raw[l] - raw[r] - raw[u] - raw[d];
            img[k] = flat * (raw[k] + 0.25f * lap) / 65535.0f;
            sum += img[k];
        }
    return sum;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int slices = argc > 1 ? atoi(argv[1]) : 160;
    uint16_t *raw = malloc(PIXELS * sizeof *raw);
    float *img = malloc(PIXELS * sizeof *img);
    double *sums = calloc(slices, sizeof *sums);

    if (rank == 0)
        mkdir("filtered", 0777);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int mine = rank; mine < slices; mine += size) {
        load_slice(mine, raw);
        sums[mine] = filter(raw, img);
        save_slice(mine, img);
    }

    MPI_Reduce(rank == 0 ? MPI_IN_PLACE : sums, sums, slices, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        double total = 0.0;
        for (int s = 0; s < slices; s++)
            total += sums[s];
        printf("%d slices, mean attenuation %.10f, first %.10f, last %.10f\n", slices,
               total / slices / PIXELS, sums[0] / PIXELS, sums[slices - 1] / PIXELS);
    }
    free(raw);
    free(img);
    free(sums);
    MPI_Finalize();
    return 0;
}
