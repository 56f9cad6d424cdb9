/* Sediment budget of a bay: every rank integrates deposition in its part, rank 0 writes the
 * station table, has it put in order by the system's sort and reads back the richest sites. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>

struct site { int id; double depth, mass; };

static int sites_per_rank(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 200000;
    return n > 0 ? n : 1;
}

static void integrate(struct site *s, int n, int rank)
{
    for (int i = 0; i < n; i++) {
        unsigned h = (unsigned)(i + 1) * 2654435761u ^ (unsigned)(rank + 1) * 40503u;
        s[i].id = rank * n + i;
        s[i].depth = 2.0 + (h >> 8) % 3000 * 0.01;
        double c = 0.5 + (h % 1000) * 1e-3, m = 0;
        for (int t = 0; t < 24; t++) {
            double settle = c * 0.04 / s[i].depth;
            c -= settle;
            m += settle * s[i].depth;
        }
        s[i].mass = m;
    }
}

static void write_table(const char *name, const struct site *s, int n)
{
    static char buf[1 << 20];
    FILE *f = fopen(name, "w");
    if (!f) MPI_Abort(MPI_COMM_WORLD, 3);
    setvbuf(f, buf, _IOFBF, sizeof buf);
    for (int i = 0; i < n; i++)
        fprintf(f, "%.9f %d %.2f\n", s[i].mass, s[i].id, s[i].depth);
    fclose(f);
}

static int order_table(const char *in, const char *out)
{
    char cmd[256];
    snprintf(cmd, sizeof cmd, "LC_ALL=C sort --parallel=1 -g -r -k1,1 -k2,2n %s > %s", in, out);
    return system(cmd);
}

static double richest(const char *name, int count)
{
    char line[128];
    double sum = 0, m;
    FILE *f = fopen(name, "r");
    if (!f) return -1;
    while (count-- > 0 && fgets(line, sizeof line, f))
        if (sscanf(line, "%lf", &m) == 1) sum += m;
    fclose(f);
    return sum;
}

static void write_binary(const struct site *s, int n, int rank)
{
    MPI_File fh;
    MPI_File_open(MPI_COMM_WORLD, "sites.bin", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &fh);
    MPI_File_write_at_all(fh, (MPI_Offset)rank * n * sizeof *s, s, n * (int)sizeof *s, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_close(&fh);
}

int main(int argc, char **argv)
{
    int rank, nproc;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &nproc);
    int n = sites_per_rank(argc, argv);
    struct site *mine = calloc(n, sizeof *mine), *all = NULL;
    integrate(mine, n, rank);
    write_binary(mine, n, rank);
    double m = 0, total = 0, top = 0;
    for (int i = 0; i < n; i++) m += mine[i].mass;
    MPI_Reduce(&m, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) all = malloc(sizeof *all * n * nproc);
    MPI_Gather(mine, n * (int)sizeof *mine, MPI_BYTE, all, n * (int)sizeof *mine, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        write_table("sites.txt", all, n * nproc);
        if (order_table("sites.txt", "ordered.txt") != 0) MPI_Abort(MPI_COMM_WORLD, 4);
        top = richest("ordered.txt", 100);
    }
    MPI_Bcast(&top, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("sites %d mass %.6f richest hundred %.6f\n", n * nproc, total, top);
    free(mine); free(all);
    MPI_Finalize();
    return 0;
}
