/* CMP stack of one marine seismic line: geometry pass, trace balancing,
 * then normal-moveout and stack. */
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define NS 250
#define DT 0.004f
#define BIN 25.0f

typedef struct {
    int32_t trace;
    float sx, gx, delay;
    char pad[224];
    float s[NS];
} Trace;

typedef struct {
    int fd;
    long ntraces;
    long page;
} TraceStore;

typedef struct {
    void *base;
    size_t len;
    const Trace *tr;
} TraceView;

static int store_open(TraceStore *st, const char *path)
{
    struct stat sb;
    st->fd = open(path, O_RDONLY);
    if (st->fd < 0 || fstat(st->fd, &sb) != 0)
        return -1;
    st->ntraces = sb.st_size / (long)sizeof(Trace);
    st->page = sysconf(_SC_PAGESIZE);
    return 0;
}

static TraceView trace_acquire(const TraceStore *st, long i)
{
    TraceView v;
    off_t at = (off_t)i * (off_t)sizeof(Trace);
    off_t lo = at - at % st->page;
    v.len = (size_t)(at - lo) + sizeof(Trace);
    v.base = mmap(NULL, v.len, PROT_READ, MAP_SHARED, st->fd, lo);
    if (v.base == MAP_FAILED) {
        perror("trace_acquire");
        exit(1);
    }
    v.tr = (const Trace *)((const char *)v.base + (at - lo));
    return v;
}

static void trace_release(TraceView *v)
{
    munmap(v->base, v->len);
    v->base = NULL;
}

static int count_bins(const TraceStore *st, float *origin)
{
    float lo = 1e30f, hi = -1e30f;
    for (long i = 0; i < st->ntraces; i++) {
        TraceView v = trace_acquire(st, i);
        float mid = 0.5f * (v.tr->sx + v.tr->gx);
        if (mid < lo) lo = mid;
        if (mid > hi) hi = mid;
        trace_release(&v);
    }
    *origin = lo;
    return (int)((hi - lo) / BIN) + 1;
}

static void balance(const TraceStore *st, float *gain)
{
    for (long i = 0; i < st->ntraces; i++) {
        TraceView v = trace_acquire(st, i);
        double e = 0.0;
        for (int k = 0; k < NS; k++)
            e += (double)v.tr->s[k] * v.tr->s[k];
        gain[i] = (float)(1.0 / sqrt(e / NS + 1e-12));
        trace_release(&v);
    }
}

static void stack(const TraceStore *st, const float *gain, float vel, float origin, float *out, int *fold)
{
    for (long i = 0; i < st->ntraces; i++) {
        TraceView v = trace_acquire(st, i);
        const Trace *t = v.tr;
        int b = (int)((0.5f * (t->sx + t->gx) - origin) / BIN);
        float off = t->gx - t->sx, x2 = off * off / (vel * vel);
        for (int k = 0; k < NS; k++) {
            float t0 = k * DT;
            float tt = (sqrtf(t0 * t0 + x2) + 0.001f * t->delay) / DT;
            int j = (int)tt;
            if (tt < 0.0f || j + 1 >= NS)
                continue;
            float w = tt - j;
            out[(size_t)b * NS + k] += gain[i] * ((1.0f - w) * t->s[j] + w * t->s[j + 1]);
        }
        fold[b]++;
        trace_release(&v);
    }
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "line07.trc";
    int nvel = argc > 2 ? atoi(argv[2]) : 2;
    TraceStore st;
    if (store_open(&st, path) != 0) {
        perror(path);
        return 1;
    }
    float origin;
    int nb = count_bins(&st, &origin);
    float *gain = malloc(st.ntraces * sizeof(float));
    balance(&st, gain);
    float best = -1.0f, vbest = 0.0f;
    for (int n = 0; n < nvel; n++) {
        float vel = 1500.0f + 250.0f * n;
        float *sec = calloc((size_t)nb * NS, sizeof(float));
        int *fold = calloc(nb, sizeof(int));
        stack(&st, gain, vel, origin, sec, fold);
        double p = 0.0;
        for (long k = 0; k < (long)nb * NS; k++)
            p += (double)sec[k] * sec[k] / (1 + fold[k / NS]);
        if (p > best) { best = (float)p; vbest = vel; }
        free(sec);
        free(fold);
    }
    printf("%ld traces, %d bins, best velocity %.0f m/s, power %.5e\n", st.ntraces, nb, vbest, best);
    free(gain);
    close(st.fd);
    return 0;
}
