/* Transient search: the ranks difference image tiles and log each detection
 * in one common file; how many a tile will give is not known before. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TILE 128

typedef struct {
    int tile, x, y, npix;
    double flux, snr;
} detection;

typedef struct {
    MPI_File fh;
    long written;
} detlog;

static void log_open(detlog *l, const char *path)
{
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &l->fh);
    l->written = 0;
}

static void log_add(detlog *l, const detection *d)
{
    MPI_File_write_shared(l->fh, d, sizeof *d, MPI_BYTE, MPI_STATUS_IGNORE);
    l->written++;
}

static void log_close(detlog *l)
{
    MPI_File_close(&l->fh);
}

static unsigned hash(unsigned x)
{
    x ^= x >> 16; x *= 0x7feb352dU; x ^= x >> 15; x *= 0x846ca68bU; x ^= x >> 16;
    return x;
}

/* difference image: noise from a hash, sources where the hash is rare */
static void difference(int tile, float *img)
{
    for (int i = 0; i < TILE * TILE; ++i) {
        unsigned h = hash(tile * 2654435761U + i);
        double u = (h & 0xffff) / 65536.0 + ((h >> 16) & 0xffff) / 65536.0 - 1.0;
        img[i] = 2.4 * u;
        if (h % 401 == 0) img[i] += 20 + h % 50;
    }
}

static void detect(int tile, const float *img, detlog *l)
{
    double s2 = 0;
    for (int i = 0; i < TILE * TILE; ++i) s2 += img[i] < 3 ? img[i] * img[i] : 0;
    double sigma = sqrt(s2 / (TILE * TILE));
    for (int y = 1; y < TILE - 1; ++y)
        for (int x = 1; x < TILE - 1; ++x) {
            float v = img[y * TILE + x];
            if (v < 8 * sigma) continue;
            detection d;
            memset(&d, 0, sizeof d);
            d.tile = tile; d.x = x; d.y = y; d.flux = 0;
            for (int j = -1; j <= 1; ++j)
                for (int i = -1; i <= 1; ++i) {
                    float p = img[(y + j) * TILE + x + i];
                    if (p > 2 * sigma) { d.flux += p; d.npix++; }
                }
            d.snr = d.flux / (sigma * sqrt(d.npix));
            log_add(l, &d);
        }
}

static void summarise(const char *path)
{
    FILE *f = fopen(path, "rb");
    detection d;
    long n = 0, pix = 0, key = 0;
    while (fread(&d, sizeof d, 1, f) == 1) {
        ++n;
        pix += d.npix;
        key += ((long)d.tile * 131 + d.y * 17 + d.x) % 7919 + (long)(d.snr * 1000);
    }
    fclose(f);
    printf("%ld detections, %ld pixels, key %ld\n", n, pix, key);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int ntile = argc > 1 ? atoi(argv[1]) : 400;
    float *img = malloc(TILE * TILE * sizeof *img);
    detlog log;
    log_open(&log, "detections.log");
    for (int t = rank; t < ntile; t += size) {
        difference(t, img);
        detect(t, img, &log);
    }
    log_close(&log);
    free(img);
    if (rank == 0) summarise("detections.log");
    MPI_Finalize();
    return 0;
}
