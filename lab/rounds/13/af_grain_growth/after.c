/* Potts model of grain growth; slabs of the sheet on the ranks, orientation
 * maps of all times in one file grains.map (time, row, column; one byte each) */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define Q 48             /* orientations */
#define NX 64

typedef struct {
    int rank, size, rows, first, total;
    uint8_t *s;                         /* (rows + 2) x NX, with halo rows */
    uint32_t rnd;
} slab;

static uint32_t rnd(slab *g)
{
    g->rnd ^= g->rnd << 13; g->rnd ^= g->rnd >> 17; g->rnd ^= g->rnd << 5;
    return g->rnd;
}

static void halo(slab *g)
{
    int up = (g->rank + g->size - 1) % g->size, down = (g->rank + 1) % g->size;
    MPI_Sendrecv(g->s + NX, NX, MPI_BYTE, up, 1, g->s + (g->rows + 1) * NX, NX, MPI_BYTE, down, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(g->s + g->rows * NX, NX, MPI_BYTE, down, 2, g->s, NX, MPI_BYTE, up, 2,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static int unlike(const uint8_t *s, int at, int left, int right, uint8_t q)
{
    return (s[at - NX] != q) + (s[at + NX] != q) + (s[at - at % NX + left] != q)
         + (s[at - at % NX + right] != q);
}

/* zero-temperature dynamics: a site takes the orientation of a neighbour if that costs nothing */
static void sweep(slab *g)
{
    for (int n = 0; n < g->rows * NX; n++) {
        int r = 1 + (int)(rnd(g) % (uint32_t)g->rows), c = (int)(rnd(g) % NX), at = r * NX + c;
        int left = (c + NX - 1) % NX, right = (c + 1) % NX;
        uint8_t q;
        switch (rnd(g) & 3) {
        case 0: q = g->s[at - NX]; break;
        case 1: q = g->s[at + NX]; break;
        case 2: q = g->s[r * NX + left]; break;
        default: q = g->s[r * NX + right];
        }
        if (unlike(g->s, at, left, right, q) <= unlike(g->s, at, left, right, g->s[at])) g->s[at] = q;
    }
}

static long boundary(const slab *g)
{
    long b = 0;
    for (int r = 1; r <= g->rows; r++)
        for (int c = 0; c < NX; c++)
            b += (g->s[r * NX + c] != g->s[(r + 1) * NX + c]) + (g->s[r * NX + c] != g->s[r * NX + (c + 1) % NX]);
    return b;
}

static void map_write(const slab *g, MPI_File f, int k)
{
    MPI_Offset base = ((MPI_Offset)k * g->total + g->first) * NX;
    MPI_File_write_at_all(f, base, g->s + NX, g->rows * NX, MPI_BYTE, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    slab g;
    MPI_File f;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &g.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &g.size);
    g.total = argc > 1 ? atoi(argv[1]) : 512;
    int maps = argc > 2 ? atoi(argv[2]) : 150;
    g.rows = g.total / g.size;
    g.first = g.rank * g.rows;
    g.rnd = 2463534242u + 977u * (uint32_t)g.rank;
    g.s = malloc((size_t)(g.rows + 2) * NX);
    for (int i = 0; i < (g.rows + 2) * NX; i++) g.s[i] = (uint8_t)(rnd(&g) % Q);

    MPI_File_open(MPI_COMM_WORLD, "grains.map", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &f);
    for (int k = 0; k < maps; k++) {
        halo(&g);
        sweep(&g);
        map_write(&g, f, k);
        if (k % 25 == 24) {
            long b = boundary(&g), all;
            MPI_Reduce(&b, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
            if (g.rank == 0)
                printf("t = %4d  mean grain size %.4f\n", k + 1, 2.0 * g.total * NX / all);
        }
    }
    MPI_File_close(&f);
    free(g.s);
    MPI_Finalize();
    return 0;
}
