/* Envelope integrations with a tabulated opacity, many stellar masses. */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
    long nt, nrho;
    const double *kappa;
    void *base;
    size_t bytes;
} Table;

static int table_open(Table *t, const char *path)
{
    struct stat st;
    int fd = open(path, O_RDONLY);
    if (fd < 0 || fstat(fd, &st) != 0)
        return -1;
    t->bytes = (size_t)st.st_size;
    t->base = mmap(NULL, t->bytes, PROT_READ, MAP_SHARED, fd, 0);
    close(fd);
    if (t->base == MAP_FAILED)
        return -1;
    const long *head = t->base;
    t->nt = head[0];
    t->nrho = head[1];
    t->kappa = (const double *)(head + 2);
    return 0;
}

static double opacity(const Table *t, double logt, double logrho)
{
    double u = (logt - 3.3) / 4.7 * (t->nt - 1);
    double v = (logrho + 12) / 16.0 * (t->nrho - 1);
    long i = (long)u, j = (long)v;
    if (i < 0)
        i = 0;
    if (i > t->nt - 2)
        i = t->nt - 2;
    if (j < 0)
        j = 0;
    if (j > t->nrho - 2)
        j = t->nrho - 2;
    double a = u - i, b = v - j;
    const double *k = t->kappa + i * t->nrho + j;
    double lk = (1 - a) * ((1 - b) * k[0] + b * k[1]) +
                a * ((1 - b) * k[t->nrho] + b * k[t->nrho + 1]);
    return pow(10.0, lk);
}

typedef struct {
    double mass, luminosity, logt, depth;
} Envelope;

static void integrate(Envelope *e, const Table *t, int steps)
{
    double logt = 3.6, logp = 3.0;
    double dlogp = 11.0 / steps;
    e->depth = 0;
    for (int k = 0; k < steps; k++) {
        double logrho = logp - logt - 7.9;
        double kap = opacity(t, logt, logrho);
        double rad = 0.1 * kap * e->luminosity / e->mass * pow(10.0, logp - 4 * logt + 8);
        double grad = rad < 0.4 ? rad : 0.4;
        logt += grad * dlogp;
        logp += dlogp;
        e->depth += dlogp / (1 + kap);
    }
    e->logt = logt;
}

int main(int argc, char **argv)
{
    int nmodels = argc > 1 ? atoi(argv[1]) : 200;
    int steps = argc > 2 ? atoi(argv[2]) : 20000;
    Table table;
    if (table_open(&table, "opacity.tab") != 0) {
        perror("opacity.tab");
        return 1;
    }
    FILE *out = fopen("envelopes.txt", "w");
    fprintf(out, "# mass luminosity logT depth\n");
    double sum = 0;
    for (int m = 0; m < nmodels; m++) {
        Envelope e;
        e.mass = 0.5 + 4.5 * m / nmodels;
        e.luminosity = pow(e.mass, 3.5);
        integrate(&e, &table, steps);
        fprintf(out, "%.5f %.6e %.6f %.6f\n", e.mass, e.luminosity, e.logt, e.depth);
        fflush(out);
        sum += e.logt;
    }
    fclose(out);
    munmap(table.base, table.bytes);
    printf("models %d  mean log T %.6f\n", nmodels, sum / nmodels);
    return 0;
}
