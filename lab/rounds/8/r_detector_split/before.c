/* Photon statistics of an X-ray camera run, frames divided among the ranks. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NY 512
#define NX 512
#define NPIX (NY * NX)
#define FRAME_BYTES (NPIX * 3 / 2)
#define NRING 16

/* Raw run: two 12-bit pixels in three bytes. */
struct run {
    FILE *stream;
    int nframes;
    unsigned char *raw;
    double *gain;
};

static void run_open(struct run *r, const char *path)
{
    r->stream = fopen(path, "rb");
    if (!r->stream) {
        perror(path);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    fseek(r->stream, 0, SEEK_END);
    r->nframes = (int)(ftell(r->stream) / FRAME_BYTES);
    r->raw = malloc(FRAME_BYTES);
    r->gain = malloc(sizeof(double) * 4096);
    for (int i = 0; i < 4096; i++)
        r->gain[i] = 1.02 * i - 3e-6 * (double)i * i;
}

static void run_frame(struct run *r, int index, float *image)
{
    fseek(r->stream, (long)index * FRAME_BYTES, SEEK_SET);
    if (fread(r->raw, 1, FRAME_BYTES, r->stream) != FRAME_BYTES) {
        fprintf(stderr, "short frame %d\n", index);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (int i = 0; i < NPIX / 2; i++) {
        unsigned a = r->raw[3 * i], b = r->raw[3 * i + 1], c = r->raw[3 * i + 2];
        image[2 * i] = (float)r->gain[a | (b & 15) << 8];
        image[2 * i + 1] = (float)r->gain[b >> 4 | c << 4];
    }
}

static void run_close(struct run *r)
{
    fclose(r->stream);
    free(r->raw);
    free(r->gain);
}

static void share(int nframes, int rank, int size, int *lo, int *hi)
{
    *lo = (int)((long)nframes * rank / size);
    *hi = (int)((long)nframes * (rank + 1) / size);
}

/* The frames of this rank, one after the other in memory. */
static float *load_frames(const char *path, int *lo, int *hi, int *nframes)
{
    int rank, size;
    struct run r;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        run_open(&r, path);
        *nframes = r.nframes;
    }
    MPI_Bcast(nframes, 1, MPI_INT, 0, MPI_COMM_WORLD);
    share(*nframes, rank, size, lo, hi);
    float *mine = malloc(sizeof(float) * NPIX * (size_t)(*hi - *lo));
    if (rank == 0) {
        float *image = malloc(sizeof(float) * NPIX);
        for (int dest = 1; dest < size; dest++) {
            int from, to;
            share(*nframes, dest, size, &from, &to);
            for (int i = from; i < to; i++) {
                run_frame(&r, i, image);
                MPI_Send(image, NPIX, MPI_FLOAT, dest, i, MPI_COMM_WORLD);
            }
        }
        for (int i = *lo; i < *hi; i++)
            run_frame(&r, i, mine + (size_t)NPIX * (size_t)(i - *lo));
        free(image);
        run_close(&r);
    } else {
        for (int i = *lo; i < *hi; i++)
            MPI_Recv(mine + (size_t)NPIX * (size_t)(i - *lo), NPIX, MPI_FLOAT, 0, i,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    return mine;
}

static void ring_profile(const float *image, const unsigned char *ring, double *mean)
{
    double area[NRING] = { 0 };
    memset(mean, 0, sizeof(double) * NRING);
    for (int i = 0; i < NPIX; i++) {
        mean[ring[i]] += image[i];
        area[ring[i]] += 1;
    }
    for (int k = 0; k < NRING; k++)
        mean[k] /= area[k];
}

static double contrast(const float *image)
{
    double s = 0, q = 0;
    for (int i = 0; i < NPIX; i++) {
        s += image[i];
        q += (double)image[i] * image[i];
    }
    return q * NPIX / (s * s) - 1.0;
}

int main(int argc, char **argv)
{
    int rank, lo, hi, nframes;
    double sums[2] = { 0, 0 }, total[2], profile[NRING];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    unsigned char *ring = malloc(NPIX);
    for (int y = 0; y < NY; y++)
        for (int x = 0; x < NX; x++) {
            int k = (int)hypot(y - NY / 2, x - NX / 2) / 16;
            ring[y * NX + x] = (unsigned char)(k < NRING ? k : NRING - 1);
        }
    float *frames = load_frames("frames.p12", &lo, &hi, &nframes);
    for (int i = 0; i < hi - lo; i++) {
        const float *image = frames + (size_t)NPIX * (size_t)i;
        ring_profile(image, ring, profile);
        sums[0] += contrast(image);
        sums[1] += profile[3];
    }
    MPI_Reduce(sums, total, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("frames %d contrast %.8f ring 3 %.6f\n", nframes, total[0] / nframes,
               total[1] / nframes);
    free(frames);
    free(ring);
    MPI_Finalize();
    return 0;
}
