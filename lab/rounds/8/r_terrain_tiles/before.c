/* Line-of-sight analysis on a tiled digital elevation model: how many of a
 * set of masts can see each other. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define NTILE 64
#define TSIZE 64
#define TBYTES (TSIZE * TSIZE * sizeof(float))

struct dem {
    int fd;
    long ntile;
    long current;
    const float *page;
};

struct mast { double x, y, height; };

static int dem_open(struct dem *d, const char *path)
{
    struct stat st;
    d->fd = open(path, O_RDONLY);
    if (d->fd < 0 || fstat(d->fd, &st) != 0)
        return -1;
    d->ntile = (long)(st.st_size / (off_t)TBYTES);
    d->current = -1;
    d->page = NULL;
    return d->ntile == NTILE * NTILE ? 0 : -1;
}

static const float *dem_tile(struct dem *d, long id)
{
    if (id == d->current)
        return d->page;
    if (d->page)
        munmap((void *)d->page, TBYTES);
    void *p = mmap(NULL, TBYTES, PROT_READ, MAP_SHARED, d->fd, (off_t)(id * (long)TBYTES));
    if (p == MAP_FAILED) {
        perror("mmap");
        exit(1);
    }
    d->page = p;
    d->current = id;
    return d->page;
}

static void dem_close(struct dem *d)
{
    if (d->page)
        munmap((void *)d->page, TBYTES);
    close(d->fd);
}

static float dem_height(struct dem *d, int col, int row)
{
    const float *t = dem_tile(d, (long)(row / TSIZE) * NTILE + col / TSIZE);
    return t[(row % TSIZE) * TSIZE + col % TSIZE];
}

static double interpolate(struct dem *d, double x, double y)
{
    int c = (int)x, r = (int)y;
    double fx = x - c, fy = y - r;
    double a = dem_height(d, c, r), b = dem_height(d, c + 1, r);
    double e = dem_height(d, c, r + 1), f = dem_height(d, c + 1, r + 1);
    return (a * (1 - fx) + b * fx) * (1 - fy) + (e * (1 - fx) + f * fx) * fy;
}

/* Smallest clearance of the first Fresnel zone along the path. */
static double clearance(struct dem *d, const struct mast *p, const struct mast *q)
{
    double dx = q->x - p->x, dy = q->y - p->y;
    double dist = sqrt(dx * dx + dy * dy);
    int n = (int)(dist / 16.0) + 2;
    double hp = interpolate(d, p->x, p->y) + p->height;
    double hq = interpolate(d, q->x, q->y) + q->height;
    double least = 1e9;
    for (int i = 1; i < n; i++) {
        double s = (double)i / n;
        double ray = hp + s * (hq - hp);
        double bulge = 30.0 * s * (1 - s) * dist * dist / 12742000.0 * 30.0;
        double fresnel = 0.6 * sqrt(0.1 * s * (1 - s) * dist * 30.0);
        double ground = interpolate(d, p->x + s * dx, p->y + s * dy);
        double gap = ray - ground - bulge - fresnel;
        if (gap < least)
            least = gap;
    }
    return least;
}

static void place_masts(struct mast *m, int n)
{
    uint32_t r = 12345;
    for (int i = 0; i < n; i++) {
        double v[3];
        for (int k = 0; k < 3; k++) {
            r = r * 1664525u + 1013904223u;
            v[k] = (r >> 8) / 16777216.0;
        }
        m[i].x = 1 + v[0] * (NTILE * TSIZE - 4);
        m[i].y = 1 + v[1] * (NTILE * TSIZE - 4);
        m[i].height = 20 + 60 * v[2];
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 150;
    struct mast *m = malloc(sizeof *m * (size_t)n);
    struct dem d;
    long visible = 0, pairs = 0;
    double sum = 0;

    if (dem_open(&d, "dem.tiles") != 0) {
        fprintf(stderr, "cannot use dem.tiles\n");
        return 1;
    }
    place_masts(m, n);
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            double c = clearance(&d, &m[i], &m[j]);
            visible += c > 0;
            sum += c;
            pairs++;
        }
    dem_close(&d);
    free(m);
    printf("masts %d pairs %ld visible %ld mean clearance %.6f\n", n, pairs, visible,
           sum / (double)pairs);
    return 0;
}
