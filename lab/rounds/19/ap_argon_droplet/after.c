/* Lennard-Jones droplet, particles split evenly over ranks.  The dump has the
 * usual "ITEM:" text layout with the atoms of rank 0 first, then rank 1, ... */
#include <fcntl.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct { double x[3], v[3], f[3]; int id, type; } Atom;

static int me, np;

static double urand(unsigned *s)
{
    *s = *s * 1664525u + 1013904223u;
    return (*s >> 8) / 16777216.0;
}

static void make_droplet(Atom *a, int n, int first, double radius)
{
    for (int i = 0; i < n; i++) {
        unsigned s = 77u + 7919u * (unsigned)(first + i);
        double r2;
        do {
            r2 = 0;
            for (int d = 0; d < 3; d++) {
                a[i].x[d] = radius * (2 * urand(&s) - 1);
                r2 += a[i].x[d] * a[i].x[d];
            }
        } while (r2 > radius * radius);
        for (int d = 0; d < 3; d++) {
            a[i].v[d] = 0.1 * (urand(&s) - 0.5);
            a[i].f[d] = 0;
        }
        a[i].id = first + i + 1;
        a[i].type = 1 + (first + i) % 2;
    }
}

/* mean-field cohesion toward the centre, soft core */
static void forces(Atom *a, int n, const double *com)
{
    for (int i = 0; i < n; i++) {
        double r2 = 1e-3;
        for (int d = 0; d < 3; d++) r2 += (a[i].x[d] - com[d]) * (a[i].x[d] - com[d]);
        double k = -1.0 / (1.0 + r2) + 0.2 * exp(-r2);
        for (int d = 0; d < 3; d++) a[i].f[d] = k * (a[i].x[d] - com[d]);
    }
}

static void centre(const Atom *a, int n, long ntot, double *com)
{
    double s[3] = {0, 0, 0};
    for (int i = 0; i < n; i++)
        for (int d = 0; d < 3; d++) s[d] += a[i].x[d];
    MPI_Allreduce(s, com, 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    for (int d = 0; d < 3; d++) com[d] /= ntot;
}

static void verlet(Atom *a, int n, double dt)
{
    for (int i = 0; i < n; i++)
        for (int d = 0; d < 3; d++) {
            a[i].v[d] += dt * a[i].f[d];
            a[i].x[d] += dt * a[i].v[d];
        }
}

static int atom_line(char *s, size_t cap, const Atom *a)
{
    return snprintf(s, cap, "%d %d %.8g %.8g %.8g %.8g %.8g %.8g\n", a->id, a->type,
                    a->x[0], a->x[1], a->x[2], a->v[0], a->v[1], a->v[2]);
}

static int header(char *s, size_t cap, long step, long natoms, double box)
{
    return snprintf(s, cap, "ITEM: TIMESTEP\n%ld\nITEM: NUMBER OF ATOMS\n%ld\nITEM: BOX BOUNDS ff ff ff\n"
                    "%g %g\n%g %g\n%g %g\nITEM: ATOMS id type x y z vx vy vz\n",
                    step, natoms, -box, box, -box, box, -box, box);
}

static void dump(const char *path, const Atom *a, int n, long step, long ntot, double box)
{
    static MPI_Offset base = 0;
    size_t cap = (size_t)n * 140 + 512;
    char *buf = malloc(cap);
    long len = 0, before = 0, all;
    if (me == 0) len = header(buf, cap, step, ntot, box);
    for (int i = 0; i < n; i++) len += atom_line(buf + len, cap - len, &a[i]);
    MPI_Exscan(&len, &before, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&len, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (me == 0) before = 0;
    MPI_File fh;
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &fh);
    MPI_File_write_at_all(fh, base + before, buf, (int)len, MPI_CHAR, MPI_STATUS_IGNORE);
    MPI_File_close(&fh);
    if (me == 0) {              /* durable once per dump */
        int fd = open(path, O_WRONLY);
        fsync(fd);
        close(fd);
    }
    base += all;
    free(buf);
}

static unsigned long file_sum(const char *path)
{
    unsigned long h = 0;
    static unsigned char buf[1 << 18];
    FILE *fp = fopen(path, "rb");
    size_t k;
    while (fp && (k = fread(buf, 1, sizeof buf, fp)) > 0)
        for (size_t i = 0; i < k; i++) h += (i & 63) * buf[i];
    if (fp) fclose(fp);
    return h;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    int nloc = atoi(argv[1]) / np, steps = atoi(argv[2]), every = atoi(argv[3]);
    long ntot = (long)nloc * np;
    Atom *a = malloc(nloc * sizeof *a);
    double com[3], radius = 12.0;
    make_droplet(a, nloc, me * nloc, radius);
    if (me == 0) unlink("dump.droplet");
    MPI_Barrier(MPI_COMM_WORLD);
    for (int s = 1; s <= steps; s++) {
        centre(a, nloc, ntot, com);
        forces(a, nloc, com);
        verlet(a, nloc, 0.004);
        if (s % every == 0) dump("dump.droplet", a, nloc, s, ntot, 2 * radius);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (me == 0) printf("atoms %ld dump sum %lu\n", ntot, file_sum("dump.droplet"));
    free(a);
    MPI_Finalize();
    return 0;
}
