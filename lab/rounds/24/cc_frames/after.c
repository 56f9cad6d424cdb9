/* In-situ analysis: rank 1 simulates a chain of anharmonic oscillators and hands every
 * frame to rank 0, which analyses batches of frames (normal mode spectrum).
 * usage: insitu NBEAD NBATCH spectrum.txt */
#include <mpi.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 12, TAG = 3, NSUB = 1000 };
static int nb, nbatch;

typedef struct { double *x, *v; } Chain;

static void chain_init(Chain *c)
{
    c->x = calloc(nb + 2, sizeof(double));
    c->v = calloc(nb + 2, sizeof(double));
    if (!c->x || !c->v) MPI_Abort(MPI_COMM_WORLD, 2);
    for (int i = 1; i <= nb; i++) c->x[i] = sin(M_PI * i / (nb + 1)) + 0.3 * sin(5 * M_PI * i / (nb + 1));
}

static void chain_advance(Chain *c, int nsub)   /* FPUT alpha-beta chain */
{
    const double dt = 0.02;
    for (int s = 0; s < nsub; s++) {
        for (int i = 1; i <= nb; i++) {
            double r = c->x[i + 1] - c->x[i], l = c->x[i] - c->x[i - 1];
            c->v[i] += dt * (r - l + 0.25 * (r * r - l * l) + 0.1 * (r * r * r - l * l * l));
        }
        for (int i = 1; i <= nb; i++) c->x[i] += dt * c->v[i];
    }
}

static void analyse(const double *frames, double *power)
{
    for (int f = 0; f < BATCH; f++)
        for (int k = 1; k <= nb; k++) {
            double a = 0, w = M_PI * k / (nb + 1), c2 = 2 * cos(w), s0 = 0, s1 = sin(w);
            for (int i = 0; i < nb; i++) {
                double t = c2 * s1 - s0;
                a += frames[f * nb + i] * s1;
                s0 = s1; s1 = t;
            }
            power[k - 1] += a * a;
        }
}

static void producer(void)
{
    Chain c;
    chain_init(&c);
    enum { SLOTS = 2 * BATCH };
    double *ring = malloc(sizeof(double) * nb * SLOTS);
    MPI_Request rq[SLOTS];
    if (!ring) MPI_Abort(MPI_COMM_WORLD, 2);
    for (int s = 0; s < SLOTS; s++) rq[s] = MPI_REQUEST_NULL;
    for (int f = 0; f < nbatch * BATCH; f++) {
        int s = f % SLOTS;
        chain_advance(&c, NSUB);
        MPI_Wait(&rq[s], MPI_STATUS_IGNORE);
        memcpy(ring + s * nb, c.x + 1, nb * sizeof(double));
        MPI_Isend(ring + s * nb, nb, MPI_DOUBLE, 0, TAG, MPI_COMM_WORLD, &rq[s]);
    }
    MPI_Waitall(SLOTS, rq, MPI_STATUSES_IGNORE);
    free(ring);
    free(c.x); free(c.v);
}

static void consumer(const char *path)
{
    double *frames = malloc(sizeof(double) * nb * BATCH), *power = calloc(nb, sizeof(double));
    FILE *f = fopen(path, "w");
    if (!f || !frames || !power) { perror(path); MPI_Abort(MPI_COMM_WORLD, 3); }
    for (int b = 0; b < nbatch; b++) {
        for (int k = 0; k < BATCH; k++)
            MPI_Recv(frames + k * nb, nb, MPI_DOUBLE, 1, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        analyse(frames, power);
        printf("batch %d  mode 1 %.6e  mode 5 %.6e\n", b, power[0], power[4]);
    }
    for (int k = 0; k < nb; k++) fprintf(f, "%d %.9e\n", k + 1, power[k] / (nbatch * BATCH));
    fclose(f);
    free(frames); free(power);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc < 4 || size != 2) {
        if (!rank) fprintf(stderr, "usage: mpirun -n 2 %s nbead nbatch out\n", argv[0]);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    nb = atoi(argv[1]); nbatch = atoi(argv[2]);
    if (rank) producer(); else consumer(argv[3]);
    MPI_Finalize();
    return 0;
}
