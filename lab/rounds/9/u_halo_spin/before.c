/* Spin parameters of haloes: the members of every halo are picked from the
   snapshot by particle number. */
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct {
    double pos[3], vel[3], mass;
} Particle;

typedef struct {
    double mass, centre[3], drift[3], spin[3], disp;
} Halo;

static int snapshot = -1;

static void snapshot_open(const char *name)
{
    snapshot = open(name, O_RDONLY);
    if (snapshot < 0) { perror(name); exit(1); }
}

static void get_particle(int32_t id, Particle *p)
{
    if (pread(snapshot, p, sizeof *p, (off_t)id * sizeof *p) != sizeof *p) {
        fprintf(stderr, "particle %d missing\n", id);
        exit(1);
    }
    p->mass = fabs(p->mass) + 0.1;
}

static void measure(const int32_t *ids, int n, Particle *work, Halo *h)
{
    *h = (Halo){0};
    for (int i = 0; i < n; i++) {
        Particle *p = &work[i];
        get_particle(ids[i], p);
        h->mass += p->mass;
        for (int c = 0; c < 3; c++) {
            h->centre[c] += p->mass * p->pos[c];
            h->drift[c] += p->mass * p->vel[c];
        }
    }
    for (int c = 0; c < 3; c++) {
        h->centre[c] /= h->mass;
        h->drift[c] /= h->mass;
    }
    for (int i = 0; i < n; i++) {
        double r[3], v[3];
        for (int c = 0; c < 3; c++) {
            r[c] = work[i].pos[c] - h->centre[c];
            v[c] = work[i].vel[c] - h->drift[c];
            h->disp += work[i].mass * v[c] * v[c];
        }
        h->spin[0] += work[i].mass * (r[1] * v[2] - r[2] * v[1]);
        h->spin[1] += work[i].mass * (r[2] * v[0] - r[0] * v[2]);
        h->spin[2] += work[i].mass * (r[0] * v[1] - r[1] * v[0]);
    }
    h->disp = sqrt(h->disp / h->mass);
}

static double potential(const Particle *p, int n)
{
    double e = 0;
    for (int i = 0; i < n; i += 2)
        for (int j = 0; j < i; j += 2) {
            double dx = p[i].pos[0] - p[j].pos[0], dy = p[i].pos[1] - p[j].pos[1];
            double dz = p[i].pos[2] - p[j].pos[2];
            e -= p[i].mass * p[j].mass / sqrt(dx * dx + dy * dy + dz * dz + 1e-4);
        }
    return e;
}

int main(void)
{
    int32_t head[2];
    FILE *m = fopen("members.bin", "rb");
    if (!m || fread(head, sizeof(int32_t), 2, m) != 2) return 1;
    int nhalo = head[0], per = head[1];
    size_t total = (size_t)nhalo * per;
    int32_t *ids = malloc(total * sizeof *ids);
    if (fread(ids, sizeof *ids, total, m) != total) return 1;
    fclose(m);

    snapshot_open("particles.bin");
    Particle *work = malloc(per * sizeof *work);
    Halo *halos = malloc(nhalo * sizeof *halos);
    double sum = 0;
    for (int k = 0; k < nhalo; k++) {
        measure(ids + (size_t)k * per, per, work, &halos[k]);
        sum += potential(work, per);
    }
    close(snapshot);

    FILE *out = fopen("halos.bin", "wb");
    fwrite(halos, sizeof *halos, nhalo, out);
    fclose(out);
    printf("%d haloes, energy %.10g, first spin %.8f\n", nhalo, sum, halos[0].spin[2]);
    free(ids); free(work); free(halos);
    return 0;
}
