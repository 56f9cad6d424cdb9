/* ws_gauge: rainfall sums over arbitrary windows from the gauge archive.
 * Archive: header page, then for each gauge a year of ten-minute values (int16,
 * 1/100 mm, -1 missing). Each query of events.txt names gauge, first step and
 * length; the answer is sum, maximum and the number of missing values. */
#include <stdio.h>
#include <stdlib.h>
#include <stdint.h>
#include <fcntl.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/stat.h>

#define STEPS 52560

struct archive { int fd; size_t size; int gauges; long pagesize; };
struct window { void *base; size_t len; const int16_t *v; };

static int arc_open(struct archive *a, const char *path)
{
    struct stat st;
    int32_t h[2];
    a->fd = open(path, O_RDONLY);
    if (a->fd < 0 || fstat(a->fd, &st)) return -1;
    if (pread(a->fd, h, sizeof h, 0) != sizeof h || h[0] != 0x47554147) return -1;
    a->size = (size_t)st.st_size;
    a->gauges = h[1];
    a->pagesize = sysconf(_SC_PAGESIZE);
    if (a->size != 4096 + (size_t)a->gauges * STEPS * 2) { fprintf(stderr, "%s: truncated\n", path); return -1; }
    return 0;
}

static int win_get(const struct archive *a, int gauge, long first, long n, struct window *w)
{
    if (gauge < 0 || gauge >= a->gauges || first < 0 || first + n > STEPS) return -1;
    off_t off = 4096 + ((off_t)gauge * STEPS + first) * 2;
    off_t start = off / a->pagesize * a->pagesize;
    w->len = (size_t)(off - start) + (size_t)n * 2;
    w->base = mmap(NULL, w->len, PROT_READ, MAP_SHARED, a->fd, start);
    if (w->base == MAP_FAILED) { perror("mmap"); exit(1); }
    w->v = (const int16_t *)((char *)w->base + (off - start));
    return 0;
}

static void win_done(struct window *w)
{
    munmap(w->base, w->len);
}

struct result { long sum; int max, missing; };

static struct result evaluate(const int16_t *v, long n)
{
    struct result r = { 0, 0, 0 };
    for (long i = 0; i < n; i++) {
        if (v[i] < 0) { r.missing++; continue; }
        r.sum += v[i];
        if (v[i] > r.max) r.max = v[i];
    }
    return r;
}

int main(int argc, char **argv)
{
    struct archive a;
    struct window w;
    int g;
    long first, n, queries = 0, refused = 0, grand = 0;
    char line[80];
    if (argc < 4) { fprintf(stderr, "usage: %s archive events out\n", argv[0]); return 2; }
    if (arc_open(&a, argv[1])) { perror(argv[1]); return 1; }
    FILE *ev = fopen(argv[2], "r"), *out = fopen(argv[3], "w");
    if (!ev || !out) { perror("events/out"); return 1; }
    while (fgets(line, sizeof line, ev)) {
        char *p = line;
        g = (int)strtol(p, &p, 10); first = strtol(p, &p, 10); n = strtol(p, &p, 10);
        if (win_get(&a, g, first, n, &w)) { refused++; continue; }
        struct result r = evaluate(w.v, n);
        win_done(&w);
        if (n - r.missing > n / 2) fprintf(out, "%d %ld %ld %ld %d %d\n", g, first, n, r.sum, r.max, r.missing);
        grand += r.sum;
        queries++;
    }
    if (fclose(out)) { perror(argv[3]); return 1; }
    fclose(ev);
    close(a.fd);
    printf("%ld queries, %ld refused, %.2f mm in all\n", queries, refused, grand / 100.0);
    return 0;
}
