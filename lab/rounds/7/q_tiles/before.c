/* Rasterise a synthetic terrain into map tiles, a share of them per rank. */
#include <fcntl.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TILE 16

static void tile_path(char *path, size_t len, int row, int col)
{
    snprintf(path, len, "map/row%03d/tile_%03d_%03d.raw", row, row, col);
}

static void lay_out_map(int rows, int cols)
{
    char path[256], old[300];
    struct stat st;
    mkdir("map", 0755);
    for (int row = 0; row < rows; row++) {
        snprintf(path, sizeof path, "map/row%03d", row);
        mkdir(path, 0755);
        for (int col = 0; col < cols; col++) {
            tile_path(path, sizeof path, row, col);
            if (stat(path, &st) == 0) {
                snprintf(old, sizeof old, "%s.old", path);
                rename(path, old);
            }
            int fd = open(path, O_CREAT | O_EXCL | O_WRONLY, 0600);
            if (fd < 0)
                MPI_Abort(MPI_COMM_WORLD, 1);
            close(fd);
            chmod(path, 0644);
            truncate(path, TILE * TILE * sizeof(short));
        }
    }
}

static int render(short *tile, int row, int col, int cols)
{
    int peak = 0;
    for (int j = 0; j < TILE; j++) {
        for (int i = 0; i < TILE; i++) {
            double x = (col * TILE + i) / (double)(cols * TILE);
            double y = (row * TILE + j) / 1600.0;
            double h = 900 * sin(7 * x) * cos(5 * y) + 300 * sin(40 * x * y) + 1200;
            tile[j * TILE + i] = (short)h;
            if (h > peak)
                peak = (int)h;
        }
    }
    return peak;
}

static void put_tile(const short *tile, int row, int col)
{
    char path[256];
    tile_path(path, sizeof path, row, col);
    int fd = open(path, O_WRONLY);
    if (fd < 0 || write(fd, tile, TILE * TILE * sizeof(short)) < 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    close(fd);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int rows = argc > 1 ? atoi(argv[1]) : 40;
    int cols = argc > 2 ? atoi(argv[2]) : 100;

    if (rank == 0)
        lay_out_map(rows, cols);
    MPI_Barrier(MPI_COMM_WORLD);

    short tile[TILE * TILE];
    int peak = 0, highest = 0;
    for (int t = rank; t < rows * cols; t += size) {
        int h = render(tile, t / cols, t % cols, cols);
        if (h > peak)
            peak = h;
        put_tile(tile, t / cols, t % cols);
    }
    MPI_Reduce(&peak, &highest, 1, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("tiles %d  highest %d\n", rows * cols, highest);
    MPI_Finalize();
    return 0;
}
