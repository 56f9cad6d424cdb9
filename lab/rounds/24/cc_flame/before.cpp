// Reacting flow on a periodic strip: diffusion (explicit) + stiff chemistry with
// temperature-dependent sub-steps. Rows are split over the ranks, halo rows by
// Irecv/Isend/Waitall (the pattern of the LULESH / miniGhost halo exchange).
// usage: flame NX NY STEPS out.bin
#include <mpi.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <algorithm>

struct Domain {
    int nx, ny, rank, size;
    std::vector<int> start;                     // first row of each rank
    std::vector<double> T, Y, W;                // with one halo row on both sides
    int rows() const { return start[rank + 1] - start[rank]; }
    double *row(std::vector<double> &a, int j) { return a.data() + (size_t)(j + 1) * nx; }
};

static double initial_temperature(const Domain &d, int i, int j)
{
    double c = 0.22 * d.ny + 4 * std::sin(6.28318530718 * i / d.nx);
    double s = (j - c) / (0.09 * d.ny);
    return 300 + 1900 * std::exp(-s * s);
}

static int substeps(double T) { return 1 + (int)(60 * std::max(0.0, (T - 700) / 1500)); }

// equal numbers of rows
static void partition(Domain &d)
{
    d.start.resize(d.size + 1);
    for (int r = 0; r <= d.size; r++) d.start[r] = (int)((long)d.ny * r / d.size);
}

static void fill(Domain &d)
{
    size_t len = (size_t)(d.rows() + 2) * d.nx;
    d.T.assign(len, 300); d.Y.assign(len, 1); d.W.assign(len, 0);
    for (int j = 0; j < d.rows(); j++)
        for (int i = 0; i < d.nx; i++)
            d.row(d.T, j)[i] = initial_temperature(d, i, d.start[d.rank] + j);
}

static void exchange(Domain &d, std::vector<double> &a, int tag)
{
    int up = (d.rank + 1) % d.size, dn = (d.rank + d.size - 1) % d.size, m = d.rows();
    MPI_Request q[4];
    MPI_Irecv(d.row(a, -1), d.nx, MPI_DOUBLE, dn, tag, MPI_COMM_WORLD, &q[0]);
    MPI_Irecv(d.row(a, m), d.nx, MPI_DOUBLE, up, tag + 1, MPI_COMM_WORLD, &q[1]);
    MPI_Isend(d.row(a, m - 1), d.nx, MPI_DOUBLE, up, tag, MPI_COMM_WORLD, &q[2]);
    MPI_Isend(d.row(a, 0), d.nx, MPI_DOUBLE, dn, tag + 1, MPI_COMM_WORLD, &q[3]);
    MPI_Waitall(4, q, MPI_STATUSES_IGNORE);
}

static void diffuse(Domain &d, std::vector<double> &a)
{
    for (int j = 0; j < d.rows(); j++) {
        const double *c = d.row(a, j), *n = d.row(a, j + 1), *s = d.row(a, j - 1);
        double *w = d.row(d.W, j);
        for (int i = 0; i < d.nx; i++) {
            double e = c[(i + 1) % d.nx], o = c[(i + d.nx - 1) % d.nx];
            w[i] = c[i] + 0.02 * (e + o + n[i] + s[i] - 4 * c[i]);
        }
    }
    std::swap(a, d.W);
}

static void chemistry(Domain &d)
{
    for (int j = 0; j < d.rows(); j++)
        for (int i = 0; i < d.nx; i++) {
            double &T = d.row(d.T, j)[i], &Y = d.row(d.Y, j)[i];
            int ns = substeps(T);
            for (int s = 0; s < ns; s++) {
                double r = 40 * Y * std::exp(-9000 / T) / ns;
                Y -= r; T += 600 * r - 0.02 * (T - 300) / (100.0 * ns);
            }
        }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    Domain d;
    MPI_Comm_rank(MPI_COMM_WORLD, &d.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &d.size);
    if (argc < 5) {
        if (!d.rank) std::fprintf(stderr, "usage: flame nx ny steps out\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    d.nx = std::atoi(argv[1]); d.ny = std::atoi(argv[2]);
    int steps = std::atoi(argv[3]);
    partition(d);
    fill(d);
    for (int s = 0; s < steps; s++) {
        exchange(d, d.T, 10);
        exchange(d, d.Y, 20);
        diffuse(d, d.T);
        diffuse(d, d.Y);
        chemistry(d);
    }
    MPI_File fh;
    if (MPI_File_open(MPI_COMM_WORLD, argv[4], MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &fh))
        MPI_Abort(MPI_COMM_WORLD, 2);
    MPI_File_write_at_all(fh, (MPI_Offset)d.start[d.rank] * d.nx * 8, d.row(d.T, 0), d.rows() * d.nx, MPI_DOUBLE, MPI_STATUS_IGNORE);
    MPI_File_close(&fh);
    double mx = *std::max_element(d.row(d.T, 0), d.row(d.T, d.rows())), g;
    MPI_Reduce(&mx, &g, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (!d.rank) std::printf("peak temperature %.6f after %d steps\n", g, steps);
    MPI_Finalize();
}
