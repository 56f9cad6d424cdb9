/* Scores ligand conformations against a receptor grid with a few threads.
 * Ligands are taken from the library by their index, in random order. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <fcntl.h>
#include <unistd.h>
#include <pthread.h>

#define NATOM 32
#define NLIG 4096
#define NGRID 40
#define NTHREAD 2

typedef struct {
    float xyz[NATOM][3];
    float charge[NATOM];
} Ligand;

static float grid[NGRID][NGRID][NGRID];
static int library;
static int poses;

typedef struct {
    int first, last;
    double best;
    int best_id;
} Job;

static void make_library(const char *path)
{
    FILE *f = fopen(path, "wb");
    if (!f) {
        perror(path);
        exit(1);
    }
    for (int l = 0; l < NLIG; l++) {
        Ligand g;
        for (int a = 0; a < NATOM; a++) {
            for (int k = 0; k < 3; k++)
                g.xyz[a][k] = 6.0f * sinf(0.37f * a + k + 0.01f * l);
            g.charge[a] = 0.4f * cosf(1.7f * a + 0.003f * l);
        }
        fwrite(&g, sizeof g, 1, f);
    }
    fclose(f);
}

static double score(const Ligand *g, double alpha, double beta)
{
    double e = 0.0, ca = cos(alpha), sa = sin(alpha), cb = cos(beta), sb = sin(beta);
    for (int a = 0; a < NATOM; a++) {
        double x = ca * g->xyz[a][0] - sa * g->xyz[a][1];
        double y = sa * g->xyz[a][0] + ca * g->xyz[a][1];
        double z = cb * g->xyz[a][2] + sb * y;
        y = cb * y - sb * g->xyz[a][2];
        int i = (int)(x + 20) % NGRID, j = (int)(y + 20) % NGRID, k = (int)(z + 20) % NGRID;
        e += g->charge[a] * grid[i][j][k] + 0.01 / (1.0 + sqrt(x * x + y * y + z * z));
    }
    return e;
}

static void *work(void *arg)
{
    Job *job = arg;
    job->best = 1e30;
    for (int n = job->first; n < job->last; n++) {
        int id = (int)((n * 2654435761u) >> 7) % NLIG;
        Ligand g;
        if (pread(library, &g, sizeof g, (off_t)id * (off_t)sizeof g) != (ssize_t)sizeof g)
            exit(1);
        for (int p = 0; p < poses; p++) {
            double e = score(&g, 0.013 * p, 0.029 * p);
            if (e < job->best) {
                job->best = e;
                job->best_id = id;
            }
        }
    }
    return NULL;
}

int main(int argc, char **argv)
{
    poses = argc > 1 ? atoi(argv[1]) : 3000;
    for (int i = 0; i < NGRID * NGRID * NGRID; i++)
        (&grid[0][0][0])[i] = sinf(0.11f * i) + 0.3f * cosf(0.007f * i);
    make_library("ligands.bin");
    library = open("ligands.bin", O_RDONLY);
    if (library < 0)
        return 1;
    pthread_t th[NTHREAD];
    Job job[NTHREAD];
    for (int t = 0; t < NTHREAD; t++) {
        job[t].first = t * 1000;
        job[t].last = (t + 1) * 1000;
        pthread_create(&th[t], NULL, work, &job[t]);
    }
    for (int t = 0; t < NTHREAD; t++)
        pthread_join(th[t], NULL);
    int w = job[0].best <= job[1].best ? 0 : 1;
    printf("best score %.6f for ligand %d\n", job[w].best, job[w].best_id);
    close(library);
    return 0;
}
