/* Solution dumps of a block-structured solver.  Structure after the I/O of the
 * NAS benchmark BT-IO: five-component array in one file, subarray file views;
 * here the i direction is dealt out to the ranks block-cyclically. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#define NC 5
#define IB 4                      /* i-block dealt out to a rank */

typedef struct { int ni, nj, nk, nsteps, every; } input_t;
static int rank, nproc;

static void die(const char *what, int rc)
{
    char msg[MPI_MAX_ERROR_STRING]; int n = 0;
    if (rc) MPI_Error_string(rc, msg, &n);
    fprintf(stderr, "btio[%d]: %s %.*s\n", rank, what, n, msg);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void read_input(const char *fn, input_t *in)
{
    if (rank == 0) {
        FILE *f = fopen(fn, "r");
        if (!f || fscanf(f, "%d %d %d %d %d", &in->ni, &in->nj, &in->nk, &in->nsteps, &in->every) != 5) die(fn, 0);
        fclose(f);
    }
    MPI_Bcast(in, 5, MPI_INT, 0, MPI_COMM_WORLD);
    if (in->ni % (IB * nproc)) die("ni does not fit", 0);
}

static MPI_Datatype make_view(const input_t *in)
{
    int g[4] = { in->nk, in->nj, in->ni, NC }, ps[4] = { 1, 1, nproc, 1 };
    int di[4] = { MPI_DISTRIBUTE_NONE, MPI_DISTRIBUTE_NONE, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE };
    int da[4] = { MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG, IB, MPI_DISTRIBUTE_DFLT_DARG };
    MPI_Datatype t;
    MPI_Type_create_darray(nproc, rank, 4, g, di, da, ps, MPI_ORDER_C, MPI_DOUBLE, &t);
    MPI_Type_commit(&t);
    return t;
}

static MPI_Info hints(void)
{
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "cb_buffer_size", "8388608");
    return info;
}

static void sweep(double *u, long n, int step)
{
    for (long c = 0; c < n; c++) {
        double *q = u + NC * c, ke = 0.5 * (q[1] * q[1] + q[2] * q[2] + q[3] * q[3]) / q[0];
        double p = 0.4 * (q[4] - ke);
        q[0] += 1e-4 * sin(0.1 * step + 1e-3 * c);
        for (int k = 1; k < 4; k++) q[k] *= 1.0 - 1e-3 * p;
        q[4] += 1e-3 * (p - 1.0);
    }
}

static void dump(const char *fn, MPI_Datatype view, MPI_Info info, double *u, long n, int line)
{
    MPI_File fh; MPI_Status st; int rc, got;
    rc = MPI_File_open(MPI_COMM_WORLD, fn, MPI_MODE_CREATE | MPI_MODE_WRONLY, info, &fh);
    if (rc) die("open", rc);
    rc = MPI_File_set_view(fh, 0, MPI_DOUBLE, view, "native", info);
    if (rc) die("set_view", rc);
    for (long c = 0; c < n; c += line) {           /* line by line in i, as the solver sweeps */
        rc = MPI_File_write(fh, u + NC * c, line * NC, MPI_DOUBLE, &st);
        if (rc) die("write", rc);
        MPI_Get_count(&st, MPI_DOUBLE, &got);
        if (got != line * NC) die("short write", 0);
    }
    MPI_File_close(&fh);
}

int main(int argc, char **argv)
{
    input_t in; double s = 0, g;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &nproc);
    read_input(argc > 1 ? argv[1] : "inputbt.data", &in);
    long n = (long)in.ni / nproc * in.nj * in.nk;
    double *u = malloc(n * NC * sizeof *u);
    if (!u) die("no memory", 0);
    for (long c = 0; c < n; c++)
        for (int k = 0; k < NC; k++) u[NC * c + k] = 1.0 + 0.1 * k + 0.01 * sin(c * 0.01 + rank + k);
    MPI_Datatype view = make_view(&in);
    MPI_Info info = hints();
    for (int st = 1; st <= in.nsteps; st++) {
        sweep(u, n, st);
        if (st % in.every == 0)
            dump((st / in.every) & 1 ? "btio.A.out" : "btio.B.out", view, info, u, n, in.ni / nproc);
    }
    for (long c = 0; c < n * NC; c++) s += u[c] * u[c];
    MPI_Reduce(&s, &g, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("btio: %d steps, norm %.12e\n", in.nsteps, sqrt(g));
    MPI_Info_free(&info); MPI_Type_free(&view); free(u);
    MPI_Finalize();
    return 0;
}
