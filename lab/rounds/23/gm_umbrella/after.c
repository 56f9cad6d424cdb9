/* Umbrella sampling: rank 0 hands out windows and keeps the histogram file, the other rank samples. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <math.h>
#include <stdint.h>

#define NBIN 64
enum { TAG_JOB = 1, TAG_RESULT, TAG_STOP };
typedef struct { int window; double centre, k; } Job;
typedef struct { int window; double mean, hist[NBIN]; } Result;

static double uniform(uint64_t *s)
{
    *s = *s * 6364136223846793005ULL + 1442695040888963407ULL;
    return (*s >> 11) / 9007199254740992.0;
}

static void sample(const Job *j, int nmc, Result *r)
{
    uint64_t seed = 1000 + j->window;
    double x = j->centre, e = 0, sum = 0;
    memset(r, 0, sizeof *r);
    r->window = j->window;
    e = pow(x * x - 1, 2) * 4 + 0.5 * j->k * pow(x - j->centre, 2);
    for (int i = 0; i < nmc; i++) {
        double y = x + 0.2 * (uniform(&seed) - 0.5);
        double en = 4 * (y * y - 1) * (y * y - 1) + 0.5 * j->k * (y - j->centre) * (y - j->centre);
        if (en < e || uniform(&seed) < exp(e - en)) { x = y; e = en; }
        int b = (int)((x + 2) / 4 * NBIN);
        if (b >= 0 && b < NBIN) r->hist[b] += 1;
        sum += x;
    }
    r->mean = sum / nmc;
}

/* wait for a finished window */
static void next_result(Result *r)
{
    MPI_Recv(r, sizeof *r, MPI_BYTE, MPI_ANY_SOURCE, TAG_RESULT, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void driver(int nwin, int nrank)
{
    double total[NBIN] = { 0 };
    FILE *f = fopen("windows.dat", "w");
    if (!f) { perror("windows.dat"); MPI_Abort(MPI_COMM_WORLD, 1); }
    fprintf(f, "# window centre mean\n");
    for (int w = 0; w < nwin; w++) {
        Job j = { w, -1.5 + 3.0 * w / nwin, 10.0 };
        Result r;
        MPI_Send(&j, sizeof j, MPI_BYTE, 1 + w % (nrank - 1), TAG_JOB, MPI_COMM_WORLD);
        next_result(&r);
        fprintf(f, "%d %.5f %.6f\n", r.window, j.centre, r.mean);
        for (int b = 0; b < NBIN; b++) total[b] += r.hist[b];
    }
    fprintf(f, "# histogram\n");
    for (int b = 0; b < NBIN; b++) fprintf(f, "%d %.0f\n", b, total[b]);
    fclose(f);
    for (int p = 1; p < nrank; p++) MPI_Send(NULL, 0, MPI_BYTE, p, TAG_STOP, MPI_COMM_WORLD);
    printf("windows %d centre bin %.0f\n", nwin, total[NBIN / 2]);
}

static void sampler(int nmc)
{
    for (;;) {
        Job j;
        Result r;
        MPI_Status st;
        MPI_Recv(&j, sizeof j, MPI_BYTE, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &st);
        if (st.MPI_TAG == TAG_STOP) return;
        sample(&j, nmc, &r);
        MPI_Send(&r, sizeof r, MPI_BYTE, 0, TAG_RESULT, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size < 2) { fprintf(stderr, "need two ranks\n"); MPI_Abort(MPI_COMM_WORLD, 1); }
    int nwin = argc > 1 ? atoi(argv[1]) : 50, nmc = argc > 2 ? atoi(argv[2]) : 100000;
    if (rank == 0) driver(nwin, size); else sampler(nmc);
    MPI_Finalize();
    return 0;
}
