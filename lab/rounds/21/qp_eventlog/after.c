/* Monte Carlo of neutrals in a divertor box: wall hits, ionisations and
 * charge exchanges of all ranks are logged in one file of fixed lines. */
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NPART 90000         /* histories per rank */
#define LINE  64

enum { WALL, IONISE, CX };
static const char *name[] = {"wall", "ionise", "cx"};

static uint64_t state;
static char *buf;
static size_t len, cap;

static double rnd(void)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (state >> 11) * (1.0 / 9007199254740992.0);
}

static void record(int me, int part, int what, double x, double e)
{
    if (len + LINE + 1 > cap) buf = realloc(buf, cap = 2 * cap + 65536);
    char *s = buf + len;
    int n = snprintf(s, LINE + 1, "%3d %8d %-7s %12.6f %12.5e", me, part, name[what], x, e);
    memset(s + n, ' ', LINE - 1 - n);
    s[LINE - 1] = '\n';
    len += LINE;
}

int main(int argc, char **argv)
{
    int me, np;
    long n[3] = {0}, g[3];
    double dep = 0, gdep;
    MPI_File fh;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    state = 1234567 + 7919 * me;
    MPI_File_open(MPI_COMM_WORLD, "events.log", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &fh);

    for (int i = 0; i < NPART; i++) {
        double x = 0, mu = 2 * rnd() - 1, e = 3.0;
        for (;;) {
            x += -log(1 - rnd()) * mu * 0.4;
            int what;
            if (fabs(x) > 1) what = WALL;
            else what = rnd() < 0.55 ? IONISE : CX;
            n[what]++;
            if (what != CX || n[CX] % 4 == 0) record(me, i, what, x, e);
            if (what != CX) {
                dep += e;
                break;
            }
            mu = 2 * rnd() - 1;
            e = 3.0 + 10 * rnd();
        }
    }

    MPI_File_write_ordered(fh, buf, len, MPI_CHAR, MPI_STATUS_IGNORE);
    MPI_File_close(&fh);
    free(buf);
    MPI_Reduce(n, g, 3, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&dep, &gdep, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (me == 0)
        printf("wall %ld ionise %ld cx %ld deposited %.3f eV\n", g[0], g[1], g[2], gdep);
    MPI_Finalize();
    return 0;
}
