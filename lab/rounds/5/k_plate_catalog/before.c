/* Proper-motion statistics from a digitised plate catalogue: stars are spread
 * over the ranks, moved to the target epoch and binned in magnitude. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

#define NBIN 16
#define BLOCK 20000

typedef struct {
    double id, ra, dec, mag, pmra, pmdec;
} Star;

typedef struct {
    Star *star;
    long count, room;
} StarList;

static void add_stars(StarList *l, const Star *s, long k)
{
    if (l->count + k > l->room) {
        l->room = 2 * (l->count + k);
        l->star = realloc(l->star, l->room * sizeof(Star));
    }
    for (long i = 0; i < k; i++)
        l->star[l->count + i] = s[i];
    l->count += k;
}

static int read_block(FILE *cat, Star *block)
{
    int got = 0;
    while (got < BLOCK) {
        Star *s = &block[got];
        if (fscanf(cat, "%lf %lf %lf %lf %lf %lf", &s->id, &s->ra, &s->dec,
                   &s->mag, &s->pmra, &s->pmdec) != 6)
            break;
        got++;
    }
    return got;
}

static void load_catalogue(const char *name, StarList *own, int rank, int size)
{
    Star *block = malloc(BLOCK * sizeof(Star));
    if (rank == 0) {
        FILE *cat = fopen(name, "r");
        if (!cat) {
            perror(name);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
        int target = 0, got;
        while ((got = read_block(cat, block)) > 0) {
            if (target == 0)
                add_stars(own, block, got);
            else
                MPI_Send(block, got * 6, MPI_DOUBLE, target, 1, MPI_COMM_WORLD);
            target = (target + 1) % size;
        }
        fclose(cat);
        for (int r = 1; r < size; r++)
            MPI_Send(block, 0, MPI_DOUBLE, r, 1, MPI_COMM_WORLD);
    } else {
        int got;
        do {
            MPI_Status st;
            MPI_Recv(block, BLOCK * 6, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, &st);
            MPI_Get_count(&st, MPI_DOUBLE, &got);
            add_stars(own, block, got / 6);
        } while (got > 0);
    }
    free(block);
}

static void move_to_epoch(StarList *l, double years)
{
    for (long i = 0; i < l->count; i++) {
        Star *s = &l->star[i];
        s->ra += s->pmra * years / (3600.0 * fmax(cos(s->dec * M_PI / 180.0), 1e-3));
        s->dec += s->pmdec * years / 3600.0;
    }
}

static void bin_motions(const StarList *l, double *sum, double *num)
{
    for (long i = 0; i < l->count; i++) {
        const Star *s = &l->star[i];
        int b = (int)(s->mag - 6.0);
        b = b < 0 ? 0 : b >= NBIN ? NBIN - 1 : b;
        sum[b] += hypot(s->pmra, s->pmdec);
        num[b] += 1;
    }
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const char *name = argc > 1 ? argv[1] : "plate_catalog.txt";

    StarList own = { 0 };
    double sum[2 * NBIN] = { 0 }, all[2 * NBIN];
    load_catalogue(name, &own, rank, size);
    move_to_epoch(&own, 15.5);
    bin_motions(&own, sum, sum + NBIN);
    MPI_Reduce(sum, all, 2 * NBIN, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        for (int b = 0; b < NBIN; b++)
            if (all[NBIN + b] > 0)
                printf("mag %2d  stars %8.0f  mean motion %.5f\n", b + 6, all[NBIN + b],
                       all[b] / all[NBIN + b]);
    free(own.star);
    MPI_Finalize();
    return 0;
}
