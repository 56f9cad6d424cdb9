/* writhe.c
 * Writhe of random equilateral ring polymers (MPI).
 * Rings are made by the "crankshaft" rotation of random pairs of vertices;
 * the double Gauss integral is evaluated exactly for straight edges.
 * Every rank keeps a table of its own, writhe_<rank>.tab; the tables are
 * merged by a script of the group.
 */
#include <fcntl.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EDGES 6

typedef double vec[3];
typedef struct { int ring, rank; double writhe, rg2, span; } row_t;

static unsigned long long rs;
static double u01(void)
{
    rs ^= rs >> 12; rs ^= rs << 25; rs ^= rs >> 27;
    return ((rs * 2685821657736338717ull) >> 11) / 9007199254740992.0;
}
static void sub(const vec a, const vec b, vec c) { for (int k = 0; k < 3; k++) c[k] = a[k] - b[k]; }
static double dot(const vec a, const vec b) { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2]; }
static void cross(const vec a, const vec b, vec c)
{
    c[0] = a[1]*b[2] - a[2]*b[1]; c[1] = a[2]*b[0] - a[0]*b[2]; c[2] = a[0]*b[1] - a[1]*b[0];
}
static void norm(vec a) { double l = sqrt(dot(a, a)) + 1e-300; for (int k = 0; k < 3; k++) a[k] /= l; }
static double clampasin(double x) { return asin(x > 1 ? 1 : x < -1 ? -1 : x); }

static void crankshaft(vec *p)
{
    int i = (int)(u01() * EDGES), len = 2 + (int)(u01() * (EDGES - 3));
    int j = (i + len) % EDGES;
    vec ax; sub(p[j], p[i], ax); norm(ax);
    double a = 2 * M_PI * u01(), c = cos(a), s = sin(a);
    for (int k = 1; k < len; k++) {
        int m = (i + k) % EDGES;
        vec d, x; sub(p[m], p[i], d); cross(ax, d, x);
        double q = dot(ax, d) * (1 - c);
        for (int e = 0; e < 3; e++) p[m][e] = p[i][e] + d[e]*c + x[e]*s + ax[e]*q;
    }
}

/* Klenin & Langowski, method 1a */
static double gauss(vec r1, vec r2, vec r3, vec r4)
{
    vec a, b, r12, r13, r14, r23, r24, r34, t, n1, n2, n3, n4;
    sub(r2, r1, r12); sub(r3, r1, r13); sub(r4, r1, r14);
    sub(r3, r2, r23); sub(r4, r2, r24); sub(r4, r3, r34);
    cross(r13, r14, n1); norm(n1); cross(r14, r24, n2); norm(n2);
    cross(r24, r23, n3); norm(n3); cross(r23, r13, n4); norm(n4);
    memcpy(a, n1, sizeof a); memcpy(b, n2, sizeof b);
    double w = clampasin(dot(a, b)) + clampasin(dot(n2, n3)) + clampasin(dot(n3, n4)) + clampasin(dot(n4, n1));
    cross(r34, r12, t);
    return dot(t, r13) > 0 ? w : -w;
}

static void measure(vec *p, row_t *r)
{
    double w = 0, g = 0, smax = 0;
    for (int i = 0; i < EDGES; i++)
        for (int j = i + 2; j < EDGES; j++) {
            vec d; sub(p[i], p[j], d);
            double d2 = dot(d, d);
            g += d2; if (d2 > smax) smax = d2;
            if (i == 0 && j == EDGES - 1) continue;
            w += gauss(p[i], p[(i+1)%EDGES], p[j], p[(j+1)%EDGES]);
        }
    r->writhe = w / (2 * M_PI); r->rg2 = g / (EDGES * EDGES); r->span = sqrt(smax);
}

static void put(FILE *f, const row_t *r)
{
    if (fwrite(r, sizeof *r, 1, f) != 1) perror("table");
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int rings = argc > 1 ? atoi(argv[1]) : 480000;
    rs = 0x9E3779B97F4A7C15ull * (rank + 1);
    vec p[EDGES];
    for (int i = 0; i < EDGES; i++) {
        p[i][0] = cos(2*M_PI*i/EDGES); p[i][1] = sin(2*M_PI*i/EDGES); p[i][2] = 0;
    }
    char name[40];
    snprintf(name, sizeof name, "writhe_%d.tab", rank);
    FILE *f = fopen(name, "wb");
    double s2 = 0, all;
    for (int i = 0; i < rings; i++) {
        row_t r = { i, rank, 0, 0, 0 };
        crankshaft(p);
        measure(p, &r);
        s2 += r.writhe * r.writhe;
        put(f, &r);
    }
    fclose(f);
    MPI_Reduce(&s2, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("<Wr^2> = %.5f\n", all / ((double)rings * size));
    MPI_Finalize();
    return 0;
}
