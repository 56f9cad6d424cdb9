/* Roughness of a terrain raster: statistics of every tile of every map row. */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define TILE_BYTES 4096
#define TILE_CELLS (TILE_BYTES / (int)sizeof(float))

static int make_raster(const char *path, int ntiles)
{
    float *row = malloc(64 * TILE_BYTES);
    FILE *f = fopen(path, "wb");
    if (!f || !row)
        return -1;
    for (int t = 0; t < ntiles; t += 64) {
        for (int i = 0; i < 64 * TILE_CELLS; i++)
            row[i] = (float)((i * 37 + t * 11) % 1013) * 0.25f;
        fwrite(row, TILE_BYTES, 64, f);
    }
    fclose(f);
    free(row);
    return 0;
}

static const float *tile_get(int fd, int tile)
{
    void *p = mmap(NULL, TILE_BYTES, PROT_READ, MAP_SHARED, fd,
                   (off_t)tile * TILE_BYTES);
    return p == MAP_FAILED ? NULL : p;
}

static void tile_put(const float *cells)
{
    munmap((void *)cells, TILE_BYTES);
}

static double tile_roughness(const float *cells, int stride)
{
    double s = 0.0;
    for (int i = stride; i < TILE_CELLS; i += stride)
        s += fabs(cells[i] - cells[i - stride]);
    return s;
}

int main(int argc, char **argv)
{
    int ntiles = argc > 1 ? atoi(argv[1]) : 8192;
    int scales = argc > 2 ? atoi(argv[2]) : 20;
    const char *path = "terrain.flt";
    if (make_raster(path, ntiles) != 0) {
        perror(path);
        return 1;
    }
    int fd = open(path, O_RDONLY);
    if (fd < 0) {
        perror(path);
        return 1;
    }
    for (int k = 1; k <= scales; k++) {
        double total = 0.0;
        for (int t = 0; t < ntiles; t++) {
            const float *cells = tile_get(fd, t);
            if (!cells) {
                perror("tile");
                return 1;
            }
            total += tile_roughness(cells, 16 + 2 * k);
            tile_put(cells);
        }
        if (k == 1 || k == scales)
            printf("stride %3d roughness %.6e\n", 16 + 2 * k, total / ntiles);
    }
    close(fd);
    return 0;
}
