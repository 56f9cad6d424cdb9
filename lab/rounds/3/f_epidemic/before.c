/* Game-of-life style epidemic on a strip-decomposed lattice, snapshots in one raster file. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 2048
#define HEIGHT 64

static unsigned int rng_state;

static unsigned int draw(void)
{
    rng_state = rng_state * 1103515245u + 12345u;
    return (rng_state >> 16) & 0x7fff;
}

static void seed_lattice(unsigned char *cell, int rank)
{
    rng_state = 99u + 7919u * (unsigned)rank;
    for (int k = 0; k < WIDTH * HEIGHT; k++)
        cell[k] = draw() % 400 == 0 ? 1 : 0;
}

static void exchange_edges(const unsigned char *cell, unsigned char *above, unsigned char *below,
                           int rank, int size)
{
    int up = (rank + size - 1) % size, down = (rank + 1) % size;
    MPI_Sendrecv(cell, WIDTH, MPI_UNSIGNED_CHAR, up, 1, below, WIDTH, MPI_UNSIGNED_CHAR, down, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(cell + (HEIGHT - 1) * WIDTH, WIDTH, MPI_UNSIGNED_CHAR, down, 2, above, WIDTH,
                 MPI_UNSIGNED_CHAR, up, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static int infected_neighbours(const unsigned char *row, const unsigned char *up,
                               const unsigned char *down, int x)
{
    int l = (x + WIDTH - 1) % WIDTH, r = (x + 1) % WIDTH;
    return (row[l] == 1) + (row[r] == 1) + (up[x] == 1) + (down[x] == 1);
}

static void spread(unsigned char *cell, unsigned char *next, const unsigned char *above,
                   const unsigned char *below)
{
    for (int y = 0; y < HEIGHT; y++) {
        const unsigned char *row = cell + y * WIDTH;
        const unsigned char *up = y > 0 ? row - WIDTH : above;
        const unsigned char *down = y < HEIGHT - 1 ? row + WIDTH : below;
        for (int x = 0; x < WIDTH; x++) {
            unsigned char c = row[x];
            if (c == 0 && infected_neighbours(row, up, down, x) > 0 && draw() % 3 == 0)
                c = 1;
            else if (c >= 1 && c < 6)
                c++;
            next[y * WIDTH + x] = c;
        }
    }
    memcpy(cell, next, WIDTH * HEIGHT);
}

static void add_snapshot(const char *name, const unsigned char *cell, int rank, int size)
{
    for (int r = 0; r < size; r++) {
        if (r == rank) {
            FILE *f = fopen(name, "ab");
            fwrite(cell, 1, WIDTH * HEIGHT, f);
            fclose(f);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int days = argc > 1 ? atoi(argv[1]) : 150;
    unsigned char *cell = malloc(WIDTH * HEIGHT), *next = malloc(WIDTH * HEIGHT);
    unsigned char *above = malloc(WIDTH), *below = malloc(WIDTH);

    if (rank == 0)
        remove("epidemic.raster");
    MPI_Barrier(MPI_COMM_WORLD);
    seed_lattice(cell, rank);
    for (int day = 0; day < days; day++) {
        exchange_edges(cell, above, below, rank, size);
        spread(cell, next, above, below);
        add_snapshot("epidemic.raster", cell, rank, size);
    }
    long mine = 0, all = 0;
    for (int k = 0; k < WIDTH * HEIGHT; k++)
        mine += cell[k] > 0;
    MPI_Reduce(&mine, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("ever infected: %ld of %ld\n", all, (long)size * WIDTH * HEIGHT);
    MPI_Finalize();
    return 0;
}
