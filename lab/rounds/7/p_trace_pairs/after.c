/* Cross-correlates neighbouring seismic traces of one shot gather.  The raw
 * file holds fixed-length traces of 2048 16-bit samples. */
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define NSAMP 2048
#define TRACE_BYTES (NSAMP * sizeof(int16_t))
#define WINDOW 96

struct gather {
    int fd;
    long ntrace;
    const int16_t *base;
};

static int gather_open(struct gather *g, const char *path)
{
    struct stat st;
    g->fd = open(path, O_RDONLY);
    if (g->fd < 0 || fstat(g->fd, &st) < 0)
        return -1;
    g->ntrace = st.st_size / (long)TRACE_BYTES;
    g->base = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, g->fd, 0);
    if (g->base == MAP_FAILED)
        return -1;
    return 0;
}

static const int16_t *trace_get(struct gather *g, long i)
{
    return g->base + i * NSAMP;
}

static void trace_put(struct gather *g, const int16_t *t)
{
    (void)g;
    (void)t;
}

static void gather_close(struct gather *g)
{
    munmap((void *)g->base, (size_t)g->ntrace * TRACE_BYTES);
    close(g->fd);
}

static double correlate(const int16_t *a, const int16_t *b, int start)
{
    int64_t ab = 0, aa = 0, bb = 0;
    for (int k = start; k < start + WINDOW; k++) {
        ab += (int64_t)a[k] * b[k];
        aa += (int64_t)a[k] * a[k];
        bb += (int64_t)b[k] * b[k];
    }
    double norm = sqrt((double)aa) * sqrt((double)bb);
    return norm > 0 ? (double)ab / norm : 0.0;
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "traces.raw";
    int reach = argc > 2 ? atoi(argv[2]) : 20;
    struct gather g;
    if (gather_open(&g, path) < 0) {
        perror(path);
        return 1;
    }

    double *mean_by_offset = calloc(reach + 1, sizeof(double));
    long *pairs = calloc(reach + 1, sizeof(long));
    double best = -1.0;
    long best_i = 0, best_j = 0;
    for (long i = 0; i < g.ntrace; i++) {
        for (int d = 1; d <= reach && i + d < g.ntrace; d++) {
            const int16_t *a = trace_get(&g, i);
            const int16_t *b = trace_get(&g, i + d);
            double c = correlate(a, b, 256 + 4 * d);
            trace_put(&g, a);
            trace_put(&g, b);
            mean_by_offset[d] += c;
            pairs[d]++;
            if (c > best) {
                best = c;
                best_i = i;
                best_j = i + d;
            }
        }
    }

    FILE *out = fopen("coherence.txt", "w");
    for (int d = 1; d <= reach; d++)
        fprintf(out, "%4d %12.8f\n", d, mean_by_offset[d] / pairs[d]);
    fclose(out);
    printf("%ld traces, best pair %ld-%ld with %.5f\n", g.ntrace, best_i,
           best_j, best);
    gather_close(&g);
    free(mean_by_offset);
    free(pairs);
    return 0;
}
