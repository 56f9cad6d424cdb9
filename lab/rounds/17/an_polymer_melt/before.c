/* Monte Carlo of bead-spring chains in implicit solvent, one system per MPI rank.
 *
 * Rank 0 reads the parameters and keeps a restart file of all the systems, put in place
 * by renaming so that an interrupted run leaves a whole one behind.
 *
 * usage: mpirun -n 2 polymer melt.par
 */
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    int chains, beads, sweeps, every;
    double temperature, spring, reach;
} Parameters;

typedef struct { double x, y, z; } Point;

static uint64_t state;

static double uniform(void)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (state >> 11) * (1.0 / 9007199254740992.0);
}

static void read_parameters(const char *name, Parameters *p)
{
    FILE *in = fopen(name, "r");
    char line[128], key[32];
    double value;

    if (!in) {
        perror(name);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    while (fgets(line, sizeof line, in)) {
        if (line[0] == '#' || sscanf(line, "%31s %lf", key, &value) != 2) continue;
        if (!strcmp(key, "chains")) p->chains = (int)value;
        else if (!strcmp(key, "beads")) p->beads = (int)value;
        else if (!strcmp(key, "sweeps")) p->sweeps = (int)value;
        else if (!strcmp(key, "every")) p->every = (int)value;
        else if (!strcmp(key, "temperature")) p->temperature = value;
        else if (!strcmp(key, "spring")) p->spring = value;
        else if (!strcmp(key, "reach")) p->reach = value;
    }
    fclose(in);
}

static double pair(Point a, Point b, double reach)
{
    double dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
    double r2 = dx * dx + dy * dy + dz * dz;

    return r2 < 9 * reach * reach ? exp(-r2 / (reach * reach)) : 0.0;
}

/* Energy of bead b at place q among the beads of its chain. */
static double energy(const Parameters *p, const Point *chain, int b, Point q)
{
    double e = 0.0;

    for (int i = 0; i < p->beads; i++)
        if (i != b)
            e += pair(q, chain[i], p->reach);
    for (int i = b - 1; i <= b + 1; i += 2)
        if (i >= 0 && i < p->beads) {
            double dx = q.x - chain[i].x, dy = q.y - chain[i].y, dz = q.z - chain[i].z;
            e += 0.5 * p->spring * (dx * dx + dy * dy + dz * dz);
        }
    return e;
}

static long sweep(const Parameters *p, Point *bead)
{
    long accepted = 0;

    for (int c = 0; c < p->chains; c++) {
        Point *chain = bead + (size_t)c * p->beads;
        for (int b = 0; b < p->beads; b++) {
            Point q = chain[b];
            double change;
            q.x += 0.8 * (uniform() - 0.5);
            q.y += 0.8 * (uniform() - 0.5);
            q.z += 0.8 * (uniform() - 0.5);
            change = energy(p, chain, b, q) - energy(p, chain, b, chain[b]);
            if (change <= 0 || uniform() < exp(-change / p->temperature)) {
                chain[b] = q;
                accepted++;
            }
        }
    }
    return accepted;
}

static double extension(const Parameters *p, const Point *bead)
{
    double sum = 0.0;

    for (int c = 0; c < p->chains; c++) {
        const Point *a = bead + (size_t)c * p->beads, *z = a + p->beads - 1;
        sum += pow(a->x - z->x, 2) + pow(a->y - z->y, 2) + pow(a->z - z->z, 2);
    }
    return sum / p->chains;
}

static void save(const Parameters *p, const Point *all, int systems, int done)
{
    FILE *out = fopen("restart.tmp", "wb");

    fwrite(&done, sizeof done, 1, out);
    fwrite(p, sizeof *p, 1, out);
    fwrite(all, sizeof(Point), (size_t)systems * p->chains * p->beads, out);
    fclose(out);
    rename("restart.tmp", "restart.bin");
}

int main(int argc, char **argv)
{
    int rank, nranks;
    Parameters p = {0};
    Point *bead, *all = NULL;
    long accepted = 0, total = 0;
    double r2, mean = 0.0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &nranks);
    if (rank == 0)
        read_parameters(argc > 1 ? argv[1] : "melt.par", &p);
    MPI_Bcast(&p, sizeof p, MPI_BYTE, 0, MPI_COMM_WORLD);
    state = 1234567 + 1000003 * rank;

    int count = p.chains * p.beads;
    bead = malloc(count * sizeof(Point));
    if (rank == 0)
        all = malloc((size_t)nranks * count * sizeof(Point));
    for (int i = 0; i < count; i++)
        bead[i] = (Point){0.5 * (i % p.beads), uniform(), uniform()};

    for (int s = 1; s <= p.sweeps; s++) {
        accepted += sweep(&p, bead);
        if (s % p.every == 0) {
            MPI_Gather(bead, 3 * count, MPI_DOUBLE, all, 3 * count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
            if (rank == 0)
                save(&p, all, nranks, s);
        }
    }
    r2 = extension(&p, bead) / nranks;
    MPI_Reduce(&r2, &mean, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&accepted, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("end-to-end distance %.5f, acceptance %.5f\n", sqrt(mean),
               (double)total / ((double)nranks * count * p.sweeps));
    free(bead);
    free(all);
    MPI_Finalize();
    return 0;
}
