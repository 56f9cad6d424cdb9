/* Stretch event log of a parallel flamelet solver: a flamelet passes from
 * compression to stretch or back.  Ranks log events
 * as they are found; afterwards rank 0 sorts them into the catalogue. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>

typedef struct { int step, cell; double temp, strain; char kind[8]; } event_t;
static int rank, nproc;

static void fatal(const char *m)
{
    fprintf(stderr, "events[%d]: %s\n", rank, m);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

typedef struct { MPI_File fh; long n; } evlog_t;

static void log_open(evlog_t *l, const char *fn)
{
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "access_style", "write_once");
    if (MPI_File_open(MPI_COMM_WORLD, fn, MPI_MODE_CREATE | MPI_MODE_WRONLY, info, &l->fh)) fatal("cannot open event log");
    MPI_Info_free(&info);
    l->n = 0;
}

static void log_event(evlog_t *l, const event_t *e)
{
    if (MPI_File_write_shared(l->fh, e, sizeof *e, MPI_BYTE, MPI_STATUS_IGNORE)) fatal("event not written");
    l->n++;
}

static void log_close(evlog_t *l)
{
    MPI_File_close(&l->fh);
}

/* one explicit step of temperature with a wandering strain rate */
static void advance(double *T, double *a, int n, int step, evlog_t *l)
{
    for (int c = 0; c < n; c++) {
        double old = T[c], was = a[c];
        a[c] = 0.98 * a[c] + 30 * sin(0.37 * step + 0.11 * c * (rank + 1)) + 0.4;
        double k = exp(-3.0 * 300 / (old + 1));
        T[c] += 12 * k * (2100 - old) / 60 - 0.002 * fabs(a[c]) * (old - 300) / 10;
        if (T[c] < 300) T[c] = 300;
        if ((was < 0) != (a[c] < 0)) {
            event_t e = { step, rank * n + c, T[c], a[c], "" };
            strcpy(e.kind, was < 0 ? "stretch" : "squeeze");
            log_event(l, &e);
        }
    }
}

static int by_step(const void *x, const void *y)
{
    const event_t *p = x, *q = y;
    return p->step != q->step ? p->step - q->step : p->cell - q->cell;
}

static void catalogue(const char *log, const char *out, long n)
{
    event_t *e = malloc((n + 1) * sizeof *e);
    FILE *f = fopen(log, "rb");
    if (!e || !f || fread(e, sizeof *e, n, f) != (size_t)n) fatal("event log is short");
    fclose(f);
    qsort(e, n, sizeof *e, by_step);
    f = fopen(out, "wb");
    if (!f || fwrite(e, sizeof *e, n, f) != (size_t)n || fclose(f)) fatal("cannot write catalogue");
    double s = 0;
    for (long i = 0; i < n; i++) s += e[i].temp * (i % 7 + 1);
    printf("events: %ld in catalogue, mark %.10e\n", n, s);
    free(e);
    remove(log);
}

int main(int argc, char **argv)
{
    int n = 4000, nstep = 250;
    long total;
    evlog_t l;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &nproc);
    if (argc > 2) { n = atoi(argv[1]); nstep = atoi(argv[2]); }
    double *T = malloc(n * sizeof *T), *a = malloc(n * sizeof *a);
    if (!T || !a) fatal("no memory");
    for (int c = 0; c < n; c++) { T[c] = 900 + 700 * sin(c * 0.05 + rank); a[c] = 50; }
    log_open(&l, "events.raw");
    for (int s = 1; s <= nstep; s++) advance(T, a, n, s, &l);
    log_close(&l);
    MPI_Reduce(&l.n, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) catalogue("events.raw", "events.cat", total);
    free(T); free(a);
    MPI_Finalize();
    return 0;
}
