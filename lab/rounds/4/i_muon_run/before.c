/* Cosmic muon shower toy detector: every rank simulates its own showers and the
 * reconstructed events of all ranks are collected in one run file. */
#include <mpi.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_HITS 14

typedef struct {
    int32_t event, rank, nhits, trigger;
    float energy, zenith, azimuth, chi2;
} event_head;

typedef struct {
    float x, y, t, charge;
} hit;

static uint64_t seed;

static double uniform(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (seed >> 11) * (1.0 / 9007199254740992.0);
}

static int simulate_shower(event_head *head, hit *hits)
{
    head->zenith = acos(sqrt(uniform()));
    head->azimuth = 6.2831853 * uniform();
    head->energy = pow(uniform() + 1e-6, -0.37);
    head->nhits = 4 + (int)(uniform() * (MAX_HITS - 4));
    double chi2 = 0;
    for (int i = 0; i < head->nhits; i++) {
        double r = -30.0 * log(uniform() + 1e-9), a = 6.2831853 * uniform();
        hits[i].x = r * cos(a);
        hits[i].y = r * sin(a);
        hits[i].t = hits[i].x * sin(head->zenith) / 0.3;
        hits[i].charge = head->energy * exp(-r / 60.0);
        chi2 += hits[i].charge * 0.01;
    }
    head->chi2 = chi2;
    head->trigger = head->nhits > 6;
    return head->nhits;
}

static size_t pack_event(char *buf, const event_head *head, const hit *hits)
{
    memcpy(buf, head, sizeof *head);
    memcpy(buf + sizeof *head, hits, head->nhits * sizeof(hit));
    return sizeof *head + head->nhits * sizeof(hit);
}

int main(int argc, char **argv)
{
    int rank, nproc;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &nproc);
    int nevents = argc > 1 ? atoi(argv[1]) : 4000;
    seed = 88172645463325252ull + 7919ull * rank;

    MPI_File run;
    MPI_File_open(MPI_COMM_WORLD, "muon.run", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                  MPI_INFO_NULL, &run);
    char buf[sizeof(event_head) + MAX_HITS * sizeof(hit)];
    hit hits[MAX_HITS];
    long stored = 0;
    for (int e = 0; e < nevents; e++) {
        event_head head = {.event = e, .rank = rank};
        simulate_shower(&head, hits);
        size_t len = pack_event(buf, &head, hits);
        MPI_File_write_shared(run, buf, (int)len, MPI_BYTE, MPI_STATUS_IGNORE);
        stored += len;
    }
    MPI_File_close(&run);

    long total;
    MPI_Reduce(&stored, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d events, %ld bytes\n", nevents * nproc, total);
    MPI_Finalize();
    return 0;
}
