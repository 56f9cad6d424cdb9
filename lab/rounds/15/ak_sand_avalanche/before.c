/* Oslo-type rice pile on a square tray: avalanche statistics.
 *
 * Grains are dropped one at a time; a site topples when its height exceeds
 * its own critical value, which is drawn anew after every toppling.  One line
 * per avalanche is kept for the finite-size scaling plots.  Every rank has its
 * own tray.
 *
 * usage: mpirun -n 2 pile <tray edge> <grains>
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct tray {
    int edge;
    unsigned char *height, *critical;
    int *stack, top;
    uint32_t rng;
};

struct avalanche { long size, area, lost; };

typedef void (*observer)(void *ctx, long grain, const struct avalanche *a);

static uint32_t draw(struct tray *t)
{
    t->rng ^= t->rng << 13;
    t->rng ^= t->rng >> 17;
    t->rng ^= t->rng << 5;
    return t->rng;
}

static void give(struct tray *t, int x, int y, struct avalanche *a)
{
    if (x < 0 || y < 0 || x >= t->edge || y >= t->edge) {
        a->lost++;
        return;
    }
    int s = y * t->edge + x;
    if (++t->height[s] == t->critical[s] + 1)
        t->stack[t->top++] = s;
}

static void relax(struct tray *t, struct avalanche *a)
{
    while (t->top > 0) {
        int s = t->stack[--t->top];
        while (t->height[s] > t->critical[s]) {
            int x = s % t->edge, y = s / t->edge;
            t->height[s] -= 4;
            t->critical[s] = 4 + (draw(t) & 1);
            a->size++;
            give(t, x + 1, y, a);
            give(t, x - 1, y, a);
            give(t, x, y + 1, a);
            give(t, x, y - 1, a);
        }
        a->area++;
    }
}

static void drop(struct tray *t, long grains, observer see, void *ctx)
{
    for (long g = 0; g < grains; g++) {
        struct avalanche a = { 0, 0, 0 };
        give(t, draw(t) % t->edge, draw(t) % t->edge, &a);
        relax(t, &a);
        if (see)
            see(ctx, g, &a);
    }
}

static void note(void *ctx, long grain, const struct avalanche *a)
{
    if (a->size > 0)
        fprintf(ctx, "%ld %ld %ld %ld\n", grain, a->size, a->area, a->lost);
}

int main(int argc, char **argv)
{
    struct tray t = { 0 };
    int rank, size;
    char name[64];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    t.edge = argc > 1 ? atoi(argv[1]) : 64;
    long grains = argc > 2 ? atol(argv[2]) : 60000;
    size_t sites = (size_t)t.edge * t.edge;

    t.height = calloc(sites, 1);
    t.critical = malloc(sites);
    t.stack = malloc(8 * sites * sizeof *t.stack);
    t.rng = 2463534242u + 977u * rank;
    for (size_t i = 0; i < sites; i++)
        t.critical[i] = 4 + (draw(&t) & 1);

    drop(&t, 4 * (long)sites, NULL, NULL);           /* reach the steady state */

    snprintf(name, sizeof name, "avalanches_%d.txt", rank);
    FILE *out = fopen(name, "w");
    if (!out)
        return 1;
    drop(&t, grains, note, out);
    fclose(out);

    long mass = 0, total = 0;
    for (size_t i = 0; i < sites; i++)
        mass += t.height[i];
    MPI_Reduce(&mass, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("mean height %.4f\n", (double)total / sites / size);
    free(t.height);
    free(t.critical);
    free(t.stack);
    MPI_Finalize();
    return 0;
}
