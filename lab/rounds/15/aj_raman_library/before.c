/* raman_match - search a mineral Raman library for an unknown spectrum
 *
 * Library: header page (4096 bytes), then one spectrum per slot of 512 bytes:
 * 255 intensities (uint16) and the mineral number.  The walk over the library
 * is done by library_visit(), which calls a function for each slot.
 *
 * usage: raman_match library.rlb nbest
 */
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define NCHAN 255
#define PAGE  4096L

typedef struct {
    uint16_t y[NCHAN];
    uint16_t mineral;
} slot_t;

typedef struct {
    int    fd;
    long   nslots;
} library_t;

typedef int (*visit_fn)(long index, const slot_t *slot, void *ctx);

static void library_open(library_t *lib, const char *name)
{
    struct stat st;
    lib->fd = open(name, O_RDONLY);
    if (lib->fd < 0 || fstat(lib->fd, &st) < 0) { perror(name); exit(1); }
    lib->nslots = (st.st_size - PAGE) / (long)sizeof(slot_t);
}

static int with_slot(library_t *lib, long index, visit_fn fn, void *ctx)
{
    off_t pos  = PAGE + index * (off_t)sizeof(slot_t);
    off_t base = pos & ~(PAGE - 1);
    size_t len = (size_t)(pos - base) + sizeof(slot_t);
    char *win  = mmap(NULL, len, PROT_READ, MAP_SHARED, lib->fd, base);
    if (win == MAP_FAILED) { perror("mmap"); exit(1); }
    int rc = fn(index, (const slot_t *)(win + (pos - base)), ctx);
    munmap(win, len);
    return rc;
}

static void library_visit(library_t *lib, visit_fn fn, void *ctx)
{
    for (long i = 0; i < lib->nslots; i++)
        if (with_slot(lib, i, fn, ctx))
            break;
}

static void library_close(library_t *lib)
{
    close(lib->fd);
}

/* --- first walk: mean spectrum of the library (fluorescence background) --- */
typedef struct { double sum[NCHAN]; long n; } mean_t;

static int add_to_mean(long index, const slot_t *s, void *ctx)
{
    mean_t *m = ctx;
    (void)index;
    for (int k = 0; k < NCHAN; k++)
        m->sum[k] += s->y[k];
    m->n++;
    return 0;
}

/* --- second walk: cosine similarity with the unknown ---------------------- */
typedef struct { double score; long index; int mineral; } hit_t;
typedef struct {
    float  bg[NCHAN], unknown[NCHAN];
    hit_t *best;
    int    nbest;
} match_t;

static int score_slot(long index, const slot_t *s, void *ctx)
{
    match_t *m = ctx;
    float dot = 0, norm = 0;
    for (int k = 0; k < NCHAN; k++) {
        float v = (float)s->y[k] - m->bg[k];
        dot  += v * m->unknown[k];
        norm += v * v;
    }
    double score = dot / sqrt(norm + 1e-9);
    int j = m->nbest - 1;
    if (score <= m->best[j].score)
        return 0;
    for (; j > 0 && m->best[j - 1].score < score; j--)
        m->best[j] = m->best[j - 1];
    m->best[j] = (hit_t){ score, index, s->mineral };
    return 0;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "library.rlb";
    int nbest = argc > 2 ? atoi(argv[2]) : 5;
    library_t lib;
    mean_t mean = { {0}, 0 };
    match_t m = { .nbest = nbest, .best = calloc((size_t)nbest, sizeof(hit_t)) };

    library_open(&lib, name);
    library_visit(&lib, add_to_mean, &mean);
    for (int k = 0; k < NCHAN; k++) {
        double x1 = (k - 96) / 5.0, x2 = (k - 171) / 8.0;
        m.bg[k] = (float)(mean.sum[k] / mean.n);
        m.unknown[k] = (float)(900.0 * exp(-x1 * x1) + 450.0 * exp(-x2 * x2));
    }
    library_visit(&lib, score_slot, &m);
    library_close(&lib);

    for (int j = 0; j < nbest; j++)
        printf("%2d  slot %7ld  mineral %4d  score %.4f\n", j + 1,
               m.best[j].index, m.best[j].mineral, m.best[j].score);
    return 0;
}
