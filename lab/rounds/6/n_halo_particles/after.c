/* Mass profile and velocity dispersion of a dark matter halo from a particle snapshot. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COMPONENTS 6
#define SHELLS 64

struct particle {
    double value[COMPONENTS];
};

struct profile {
    long count[SHELLS];
    double radial[SHELLS];
    double radial_sq[SHELLS];
    double angular[3];
};

static int64_t read_count(FILE *snapshot)
{
    int64_t n = 0;
    if (fread(&n, sizeof n, 1, snapshot) != 1) {
        fprintf(stderr, "no particles\n");
        exit(1);
    }
    return n;
}

static double *load_components(FILE *snapshot, int64_t n)
{
    double *all = malloc(COMPONENTS * n * sizeof *all);
    if (!all || fread(all, sizeof *all, COMPONENTS * n, snapshot) != (size_t)(COMPONENTS * n)) {
        fprintf(stderr, "snapshot ends early\n");
        exit(1);
    }
    return all;
}

static void add_particle(struct profile *prof, const struct particle *p, double rmax)
{
    const double *x = p->value, *v = p->value + 3;
    double r = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    int shell = (int)(SHELLS * r / rmax);
    if (shell >= SHELLS)
        return;
    double vr = r > 0 ? (x[0] * v[0] + x[1] * v[1] + x[2] * v[2]) / r : 0.0;
    prof->count[shell]++;
    prof->radial[shell] += vr;
    prof->radial_sq[shell] += vr * vr;
    prof->angular[0] += x[1] * v[2] - x[2] * v[1];
    prof->angular[1] += x[2] * v[0] - x[0] * v[2];
    prof->angular[2] += x[0] * v[1] - x[1] * v[0];
}

static void write_profile(const char *name, const struct profile *prof, double rmax)
{
    FILE *out = fopen(name, "w");
    if (!out) {
        perror(name);
        exit(1);
    }
    for (int s = 0; s < SHELLS; s++) {
        long n = prof->count[s];
        double mean = n ? prof->radial[s] / n : 0.0;
        double var = n ? prof->radial_sq[s] / n - mean * mean : 0.0;
        fprintf(out, "%8.3f %8ld %10.4f %10.4f\n", rmax * (s + 0.5) / SHELLS, n, mean, sqrt(fmax(var, 0.0)));
    }
    fclose(out);
}

int main(int argc, char **argv)
{
    double rmax = argc > 1 ? atof(argv[1]) : 70.0;
    FILE *snapshot = fopen("snapshot.dat", "rb");
    if (!snapshot) {
        perror("snapshot.dat");
        return 1;
    }
    int64_t n = read_count(snapshot);
    struct profile *prof = calloc(1, sizeof *prof);
    struct particle p;
    double *all = load_components(snapshot, n);
    for (int64_t i = 0; i < n; i++) {
        for (int c = 0; c < COMPONENTS; c++)
            p.value[c] = all[c * n + i];
        add_particle(prof, &p, rmax);
    }
    fclose(snapshot);
    write_profile("profile.txt", prof, rmax);
    printf("%ld particles, spin %.4e\n", (long)n, prof->angular[2]);
    free(all);
    free(prof);
    return 0;
}
