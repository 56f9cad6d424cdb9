/* Wilson-Cowan cortical sheet: excitatory and inhibitory populations of
 * columns on a ring, split into one sector per rank; the activity at a few
 * electrodes of each sector is recorded all the time. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NCOL 160       /* columns per rank */
#define NELEC 4        /* electrodes per rank */
#define REACH 3
#define DELAY 100     /* steps of conduction delay between sectors */
#define HOLD 10000    /* samples per write */

typedef struct {
    double e[NCOL + 2 * REACH], i[NCOL + 2 * REACH];
    int rank, nranks;
} sector;

typedef struct recorder recorder;
struct recorder {
    MPI_File fh;
    int rank, nranks;
    long nsample, nheld;
    double held[HOLD * NELEC];
    void (*put)(recorder *, const double *);
};

typedef void (*probe_fn)(const sector *, double *);

static void write_held(recorder *r)
{
    MPI_File_write_all(r->fh, r->held, (int)(r->nheld * NELEC), MPI_DOUBLE, MPI_STATUS_IGNORE);
    r->nheld = 0;
}

static void put_sample(recorder *r, const double *v)
{
    memcpy(r->held + r->nheld * NELEC, v, NELEC * sizeof(double));
    r->nsample++;
    if (++r->nheld == HOLD)
        write_held(r);
}

static void recorder_open(recorder *r, const char *path, const sector *s)
{
    memset(r, 0, sizeof *r);
    r->rank = s->rank;
    r->nranks = s->nranks;
    r->put = put_sample;
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &r->fh);
    MPI_Datatype every;
    MPI_Type_vector(HOLD, NELEC, NELEC * r->nranks, MPI_DOUBLE, &every);
    MPI_Type_create_resized(every, 0, (MPI_Aint)HOLD * NELEC * r->nranks * sizeof(double), &every);
    MPI_Type_commit(&every);
    MPI_File_set_view(r->fh, (MPI_Offset)r->rank * NELEC * sizeof(double), MPI_DOUBLE, every, "native",
                      MPI_INFO_NULL);
}

static void recorder_close(recorder *r)
{
    write_held(r);
    MPI_File_close(&r->fh);
}

static double fire(double x, double gain, double theta)
{
    return 1.0 / (1.0 + exp(-gain * (x - theta)));
}

static void exchange(sector *s, double *f)
{
    int left = (s->rank + s->nranks - 1) % s->nranks, right = (s->rank + 1) % s->nranks;
    MPI_Sendrecv(f + NCOL, REACH, MPI_DOUBLE, right, 1, f, REACH, MPI_DOUBLE, left, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(f + REACH, REACH, MPI_DOUBLE, left, 2, f + NCOL + REACH, REACH, MPI_DOUBLE, right, 2,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void step(sector *s, long n, double dt)
{
    static const double w[REACH + 1] = {0.4, 0.2, 0.08, 0.03};
    double ne[NCOL], ni[NCOL], t = n * dt;
    if (n % DELAY == 0)
        exchange(s, s->e);
    for (int k = 0; k < NCOL; k++) {
        int c = k + REACH;
        double drive = w[0] * s->e[c];
        for (int d = 1; d <= REACH; d++)
            drive += w[d] * (s->e[c - d] + s->e[c + d]);
        double stim = 1.2 + 0.3 * sin(0.04 * t + 0.1 * (s->rank * NCOL + k));
        ne[k] = s->e[c] + dt * (-s->e[c] + (1 - s->e[c]) * fire(13 * drive - 11 * s->i[c] + stim, 1.2, 2.8));
        ni[k] = s->i[c] + dt * 0.6 * (-s->i[c] + (1 - s->i[c]) * fire(15 * s->e[c] - 3 * s->i[c], 1.0, 4.0));
    }
    memcpy(s->e + REACH, ne, sizeof ne);
    memcpy(s->i + REACH, ni, sizeof ni);
}

static void electrodes(const sector *s, double *v)
{
    for (int k = 0; k < NELEC; k++) {
        int c = REACH + k * (NCOL / NELEC) + 5;
        v[k] = s->e[c] - 0.5 * s->i[c];
    }
}

static void simulate(sector *s, long nsteps, double dt, probe_fn probe, recorder *rec)
{
    double v[NELEC];
    for (long n = 0; n < nsteps; n++) {
        step(s, n, dt);
        probe(s, v);
        rec->put(rec, v);
    }
}

int main(int argc, char **argv)
{
    long nsteps = argc > 1 ? atol(argv[1]) : 40000;
    sector s;
    static recorder rec;
    MPI_Init(&argc, &argv);
    memset(&s, 0, sizeof s);
    MPI_Comm_rank(MPI_COMM_WORLD, &s.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &s.nranks);
    for (int k = 0; k < NCOL; k++)
        s.e[k + REACH] = 0.1 + 0.05 * cos(0.3 * k + s.rank);
    recorder_open(&rec, "electrodes.dat", &s);
    simulate(&s, nsteps, 0.05, electrodes, &rec);
    recorder_close(&rec);
    double mean = 0, all;
    for (int k = 0; k < NCOL; k++)
        mean += s.e[k + REACH];
    MPI_Reduce(&mean, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (s.rank == 0)
        printf("mean excitation %.8f after %ld steps\n", all / (NCOL * s.nranks), nsteps);
    MPI_Finalize();
    return 0;
}
