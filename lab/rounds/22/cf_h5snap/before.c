/* Snapshots of a 2-D flame, one HDF5 file per rank (a band of rows each), a
 * group per step.  Opened through the MPI-IO driver on MPI_COMM_SELF as in the
 * examples of the parallel HDF5 tutorial. */
#include <mpi.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

enum { NF = 4 };
static const char *fname[NF] = { "T", "YF", "U", "V" };
typedef struct { int ny, nx, y0, nt, every; double *f[NF]; } flame_t;
static int rank, nproc;

static void check(long rc, const char *what)
{
    if (rc < 0) { fprintf(stderr, "h5snap[%d]: %s failed\n", rank, what); MPI_Abort(MPI_COMM_WORLD, 1); }
}

static void setup(flame_t *m, const char *cfg)
{
    int v[4] = { -1, 0, 0, 0 };
    if (rank == 0) {
        FILE *f = fopen(cfg, "r");
        if (!f || fscanf(f, "ny %d nx %d nt %d every %d", v, v + 1, v + 2, v + 3) != 4) v[0] = -1;
        if (f) fclose(f);
    }
    MPI_Bcast(v, 4, MPI_INT, 0, MPI_COMM_WORLD);
    check(v[0], "reading the configuration");
    m->ny = v[0] / nproc; m->nx = v[1]; m->nt = v[2]; m->every = v[3]; m->y0 = rank * m->ny;
    for (int k = 0; k < NF; k++) {
        m->f[k] = malloc(sizeof(double) * m->ny * m->nx);
        for (int j = 0; j < m->ny; j++)
            for (int i = 0; i < m->nx; i++)
                m->f[k][j * m->nx + i] = 0.5 + 0.5 * tanh((j + m->y0 - m->ny / 3 - 2 * sin(0.3 * i)) / (5.0 + k));
    }
}

static void react(flame_t *m)
{
    double *T = m->f[0], *Y = m->f[1];
    for (int j = 1; j < m->ny - 1; j++)
        for (int i = 0; i < m->nx; i++) {
            long c = (long)j * m->nx + i;
            double w = T[c] > 0.3 ? 0.05 * Y[c] * exp(-2.0 / (0.1 + T[c])) : 0;
            T[c] += 0.1 * (T[c + m->nx] - 2 * T[c] + T[c - m->nx]) + w;
            Y[c] -= w;
        }
}

static hid_t create(const char *fn)
{
    hid_t fapl = H5Pcreate(H5P_FILE_ACCESS);
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "romio_cb_write", "disable");
    H5Pset_fapl_mpio(fapl, MPI_COMM_SELF, info);
    hid_t f = H5Fcreate(fn, H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
    check(f, "H5Fcreate");
    H5Pclose(fapl);
    MPI_Info_free(&info);
    return f;
}

static void snapshot(hid_t file, const flame_t *m, int step)
{
    char grp[32];
    hsize_t cnt[2] = { m->ny, m->nx };
    snprintf(grp, sizeof grp, "/step_%05d", step);
    hid_t g = H5Gcreate2(file, grp, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    check(g, "H5Gcreate");
    hid_t fs = H5Screate_simple(2, cnt, NULL);
    for (int k = 0; k < NF; k++) {
        hid_t d = H5Dcreate2(g, fname[k], H5T_IEEE_F64LE, fs, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        check(d, "H5Dcreate");
        check(H5Dwrite(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, m->f[k]), "H5Dwrite");
        H5Dclose(d);
        check(H5Fflush(file, H5F_SCOPE_GLOBAL), "H5Fflush");   /* a crash must not cost the file */
    }
    H5Sclose(fs); H5Gclose(g);
}

int main(int argc, char **argv)
{
    flame_t m; double s = 0, g;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &nproc);
    setup(&m, argc > 1 ? argv[1] : "flame.cfg");
    char fn[40];
    snprintf(fn, sizeof fn, "flame_snap_%03d.h5", rank);
    hid_t file = create(fn);
    for (int t = 1; t <= m.nt; t++) {
        react(&m);
        if (t % m.every == 0) snapshot(file, &m, t);
    }
    check(H5Fclose(file), "H5Fclose");
    for (long c = 0; c < (long)m.ny * m.nx; c++) s += m.f[0][c];
    MPI_Reduce(&s, &g, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("h5snap: sum T = %.10e\n", g);
    MPI_Finalize();
    return 0;
}
