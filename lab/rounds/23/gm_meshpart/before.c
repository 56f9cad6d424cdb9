/* Lumped mass and bandwidth of a partitioned triangle mesh (files mesh.part.N as the
 * METIS/mpmetis based preprocessors of the time left them: one ASCII file per processor). */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <string.h>

typedef struct { int nn, ne; double *x, *y; int *gid; int *tri; } Mesh;

static FILE *open_part(const char *prefix, int rank)
{
    char name[256];
    snprintf(name, sizeof name, "%s.part.%d", prefix, rank);
    FILE *f = fopen(name, "r");
    if (!f) {
        fprintf(stderr, "cannot open %s\n", name);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    setvbuf(f, NULL, _IONBF, 0);   /* several processors share the old NFS: no stale buffers */
    return f;
}

static void read_mesh(FILE *f, Mesh *m)
{
    char word[32];
    int i;
    if (fscanf(f, "%31s %d", word, &m->nn) != 2 || strcmp(word, "nodes")) MPI_Abort(MPI_COMM_WORLD, 2);
    m->x = malloc(m->nn * sizeof(double));
    m->y = malloc(m->nn * sizeof(double));
    m->gid = malloc(m->nn * sizeof(int));
    for (i = 0; i < m->nn; i++)
        if (fscanf(f, "%d %lf %lf", &m->gid[i], &m->x[i], &m->y[i]) != 3) MPI_Abort(MPI_COMM_WORLD, 3);
    if (fscanf(f, "%31s %d", word, &m->ne) != 2 || strcmp(word, "elements")) MPI_Abort(MPI_COMM_WORLD, 4);
    m->tri = malloc(3 * m->ne * sizeof(int));
    for (i = 0; i < m->ne; i++)
        if (fscanf(f, "%d %d %d", &m->tri[3*i], &m->tri[3*i+1], &m->tri[3*i+2]) != 3) MPI_Abort(MPI_COMM_WORLD, 5);
}

static double assemble(const Mesh *m, double *mass, int *band)
{
    double area = 0;
    *band = 0;
    for (int e = 0; e < m->ne; e++) {
        const int *t = m->tri + 3*e;
        double a = 0.5 * fabs((m->x[t[1]]-m->x[t[0]])*(m->y[t[2]]-m->y[t[0]])
                            - (m->x[t[2]]-m->x[t[0]])*(m->y[t[1]]-m->y[t[0]]));
        area += a;
        for (int k = 0; k < 3; k++) {
            mass[t[k]] += a / 3;
            int b = abs(t[k] - t[(k+1)%3]);
            if (b > *band) *band = b;
        }
    }
    return area;
}

int main(int argc, char **argv)
{
    int rank, size, band, gband, i;
    double area, garea, mmax = 0, gmax;
    Mesh m;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    FILE *f = open_part(argc > 1 ? argv[1] : "mesh", rank);
    read_mesh(f, &m);
    fclose(f);
    double *mass = calloc(m.nn, sizeof(double));
    area = assemble(&m, mass, &band);
    for (i = 0; i < m.nn; i++) if (mass[i] > mmax) mmax = mass[i];
    MPI_Reduce(&area, &garea, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&mmax, &gmax, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Reduce(&band, &gband, 1, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
    char out[64];
    snprintf(out, sizeof out, "mass.%d.bin", rank);
    FILE *o = fopen(out, "wb");
    if (!o || fwrite(mass, sizeof(double), m.nn, o) != (size_t)m.nn) MPI_Abort(MPI_COMM_WORLD, 6);
    fclose(o);
    if (rank == 0) printf("area %.6f max mass %.8f bandwidth %d\n", garea, gmax, gband);
    MPI_Finalize();
    return 0;
}
