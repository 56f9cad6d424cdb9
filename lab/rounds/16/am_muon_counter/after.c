/* Cosmic-ray muons through a stack of detector plates: event generator.
 *
 * Each rank generates muons with the cos^2 zenith law, follows them through the
 * plates with multiple scattering and energy loss, and puts triggered events
 * into the common event list of the run.
 */
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define NPLATE 12
#define GAP 0.08            /* m between plates */
#define HALF 0.5            /* half width of a plate, m */
#define DEDX 0.0022         /* GeV lost in each plate */
#define EVENT_WORDS 8

static uint64_t state;

static double uniform(void)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (double)((state * 2685821657736338717ull) >> 11) / 9007199254740992.0;
}

static double gauss(void)
{
    double u = uniform() + 1e-300, v = uniform();
    return sqrt(-2 * log(u)) * cos(2 * M_PI * v);
}

struct muon {
    double x, y, tx, ty, e;
};

static void generate(struct muon *m)
{
    double c = cbrt(1 - uniform() * 0.95);          /* cos^2 law */
    double t = sqrt(1 - c * c) / c, phi = 2 * M_PI * uniform();
    m->x = (2 * uniform() - 1) * HALF;
    m->y = (2 * uniform() - 1) * HALF;
    m->tx = t * cos(phi);
    m->ty = t * sin(phi);
    m->e = 0.5 * pow(1 - uniform() * 0.999, -1 / 1.7);
}

/* number of plates hit; fills the deposited light */
static int track(struct muon *m, float *light)
{
    int hits = 0;
    *light = 0;
    for (int p = 0; p < NPLATE; p++) {
        if (fabs(m->x) > HALF || fabs(m->y) > HALF || m->e < 0.12)
            break;
        double loss = DEDX * sqrt(1 + m->tx * m->tx + m->ty * m->ty);
        double theta = 0.0136 / m->e * 0.18;
        *light += (float)(loss * (1 + 0.2 * gauss()));
        m->tx += theta * gauss();
        m->ty += theta * gauss();
        m->x += GAP * m->tx;
        m->y += GAP * m->ty;
        m->e -= loss;
        hits++;
    }
    return hits;
}

static float *list;
static long used;

static void put_event(const float *event)
{
    for (int k = 0; k < EVENT_WORDS; k++)
        list[used * EVENT_WORDS + k] = event[k];
    used++;
}

static void write_events(MPI_File f)
{
    MPI_File_write_ordered(f, list, (int)(used * EVENT_WORDS), MPI_FLOAT, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    long nmuon = argc > 1 ? atol(argv[1]) : 150000;      /* per rank */
    int trigger = argc > 2 ? atoi(argv[2]) : 10;
    state = 88172645463325252ull + 7919ull * rank;

    list = malloc((size_t)nmuon * EVENT_WORDS * sizeof *list);
    MPI_File f;
    MPI_File_open(MPI_COMM_WORLD, "events.f32", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                  MPI_INFO_NULL, &f);
    long local[2] = {0, 0}, all[2];
    for (long i = 0; i < nmuon; i++) {
        struct muon m;
        float light, event[EVENT_WORDS];
        generate(&m);
        event[0] = (float)m.x;
        event[1] = (float)m.y;
        event[2] = (float)m.tx;
        event[3] = (float)m.ty;
        event[4] = (float)m.e;
        int hits = track(&m, &light);
        local[1] += hits;
        if (hits < trigger)
            continue;
        event[5] = (float)hits;
        event[6] = light;
        event[7] = (float)(rank * 1e6 + i);
        put_event(event);
        local[0]++;
    }
    write_events(f);
    MPI_File_close(&f);
    MPI_Reduce(local, all, 2, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("events %ld  hits %ld\n", all[0], all[1]);
    MPI_Finalize();
    return 0;
}
