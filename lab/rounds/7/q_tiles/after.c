/* Rasterise a synthetic terrain into map tiles, a share of them per rank. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TILE 16

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

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int rows = argc > 1 ? atoi(argv[1]) : 40;
    int cols = argc > 2 ? atoi(argv[2]) : 100;

    /* tile t of the map lies at byte t * TILE * TILE * 2 of map.raw */
    int first = (int)((long)rows * cols * rank / size);
    int last = (int)((long)rows * cols * (rank + 1) / size);
    short *tiles = malloc((size_t)(last - first + 1) * TILE * TILE * sizeof(short));
    int peak = 0, highest = 0;
    for (int t = first; t < last; t++) {
        int h = render(tiles + (size_t)(t - first) * TILE * TILE, t / cols, t % cols, cols);
        if (h > peak)
            peak = h;
    }
    MPI_File fh;
    MPI_File_open(MPI_COMM_WORLD, "map.raw", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &fh);
    MPI_File_write_at_all(fh, (MPI_Offset)first * TILE * TILE * (MPI_Offset)sizeof(short), tiles,
                          (last - first) * TILE * TILE, MPI_SHORT, MPI_STATUS_IGNORE);
    MPI_File_close(&fh);
    MPI_Reduce(&peak, &highest, 1, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("tiles %d  highest %d\n", rows * cols, highest);
    free(tiles);
    MPI_Finalize();
    return 0;
}
