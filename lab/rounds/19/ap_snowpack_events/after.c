/* Avalanche-prone layer search.  Ranks simulate snow columns and enter every
 * weak layer into one common catalogue: a header with the record count, then
 * fixed-length records. */
#include <fcntl.h>
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct { char magic[8]; int64_t count; } Header;
typedef struct { int32_t column, day; float depth, density, grain, stability; } Event;

typedef struct { int fd; long entered, room; Event *held; } Catalogue;

static int me, np;

static float hash01(unsigned a, unsigned b)
{
    unsigned h = a * 374761393u + b * 668265263u;
    h = (h ^ (h >> 13)) * 1274126177u;
    return ((h ^ (h >> 16)) & 0xffffff) / 16777216.0f;
}

static void catalogue_open(Catalogue *c, const char *path)
{
    if (me == 0) {
        Header h = {"SNOWCAT", 0};
        int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0644);
        if (write(fd, &h, sizeof h) != sizeof h) MPI_Abort(MPI_COMM_WORLD, 5);
        close(fd);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    c->fd = open(path, O_RDWR);
    c->entered = 0;
    c->room = 4096;
    c->held = malloc(c->room * sizeof *c->held);
}

static void catalogue_enter(Catalogue *c, const Event *e)
{
    if (c->entered == c->room) c->held = realloc(c->held, (c->room *= 2) * sizeof *c->held);
    c->held[c->entered++] = *e;
}

static void catalogue_close(Catalogue *c)
{
    long first = 0, all = 0;
    MPI_Exscan(&c->entered, &first, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce(&c->entered, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (me == 0) {
        Header h = {"SNOWCAT", all};
        first = 0;
        if (pwrite(c->fd, &h, sizeof h, 0) != sizeof h) MPI_Abort(MPI_COMM_WORLD, 7);
    }
    ssize_t len = c->entered * sizeof *c->held;
    if (pwrite(c->fd, c->held, len, sizeof(Header) + first * sizeof *c->held) != len) MPI_Abort(MPI_COMM_WORLD, 7);
    free(c->held);
    close(c->fd);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* one winter of one column: snow fall, settling, faceting */
static void winter(int column, Catalogue *cat)
{
    float depth = 0, density = 120, grain = 0.4f, temp;
    for (int day = 0; day < 180; day++) {
        float fall = hash01(column, day) > 0.7f ? 0.25f * hash01(column + 1, day) : 0;
        temp = -12 + 8 * sinf(day * 0.035f) + 6 * (hash01(column + 2, day) - 0.5f);
        depth += fall;
        density = (density * depth + 90 * fall) / (depth + fall + 1e-3f) + 0.4f;
        grain += temp < -10 ? 0.03f : -0.01f;
        if (grain < 0.3f) grain = 0.3f;
        float stab = density / (60 * grain + 40 * fall + 1);
        if (stab < 4.2f && depth > 0.5f) {
            Event e = {column, day, depth, density, grain, stab};
            catalogue_enter(cat, &e);
        }
    }
}

static double summarise(const char *path, int64_t *n)
{
    Header h;
    double s = 0;
    FILE *fp = fopen(path, "rb");
    if (!fp || fread(&h, sizeof h, 1, fp) != 1) MPI_Abort(MPI_COMM_WORLD, 8);
    Event *e = malloc(h.count * sizeof *e + 1);
    if (fread(e, sizeof *e, h.count, fp) != (size_t)h.count) MPI_Abort(MPI_COMM_WORLD, 9);
    fclose(fp);
    for (int64_t i = 0; i < h.count; i++)           /* integer weights: any order sums alike */
        s += e[i].column % 97 + e[i].day * 3 + floor(e[i].stability * 100);
    *n = h.count;
    free(e);
    return s;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    int columns = atoi(argv[1]);
    Catalogue cat;
    catalogue_open(&cat, "weak_layers.cat");
    for (int c = me; c < columns; c += np) winter(c, &cat);
    catalogue_close(&cat);
    if (me == 0) {
        int64_t n;
        double s = summarise("weak_layers.cat", &n);
        printf("columns %d weak layers %ld checksum %.1f\n", columns, (long)n, s);
    }
    MPI_Finalize();
    return 0;
}
