// Two-species reaction-diffusion front with collective, chunk-aligned parallel
// HDF5 checkpoints and a few attributes per checkpoint.
#include <mpi.h>
#include <hdf5.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

static int rank_, nproc_;

static void must(long rc, const char* what) {
    if (rc < 0) { std::fprintf(stderr, "h5react[%d]: %s\n", rank_, what); MPI_Abort(MPI_COMM_WORLD, 1); }
}

class Field {
public:
    Field(int ny, int nx) : ny_(ny), nx_(nx), v_((size_t)(ny + 2) * nx) {}
    double& operator()(int j, int i) { return v_[(size_t)j * nx_ + i]; }
    double* interior() { return &v_[nx_]; }
    void halo() {
        int up = (rank_ + 1) % nproc_, dn = (rank_ + nproc_ - 1) % nproc_;
        MPI_Sendrecv(&v_[(size_t)ny_ * nx_], nx_, MPI_DOUBLE, up, 1, &v_[0], nx_, MPI_DOUBLE, dn, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&v_[nx_], nx_, MPI_DOUBLE, dn, 2, &v_[(size_t)(ny_ + 1) * nx_], nx_, MPI_DOUBLE, up, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    int ny_, nx_;
private:
    std::vector<double> v_;
};

static void advance(Field& T, Field& Y, Field& Tn, double dt) {
    for (int j = 1; j <= T.ny_; ++j)
        for (int i = 0; i < T.nx_; ++i) {
            int e = i + 1 < T.nx_ ? i + 1 : 0, w = i ? i - 1 : T.nx_ - 1;
            double k = 40 * Y(j, i) * std::exp(-6.0 / (0.2 + std::fabs(T(j, i)))) / (1 + std::pow(Y(j, i), 1.3));
            Tn(j, i) = T(j, i) + dt * (0.2 * (T(j, e) + T(j, w) + T(j - 1, i) + T(j + 1, i) - 4 * T(j, i)) + k);
            Y(j, i) -= dt * k;
        }
    std::swap(T, Tn);
}

static void attribute(hid_t o, const char* n, double v) {
    hid_t s = H5Screate(H5S_SCALAR), a = H5Acreate2(o, n, H5T_IEEE_F64LE, s, H5P_DEFAULT, H5P_DEFAULT);
    must(a, "attribute"); must(H5Awrite(a, H5T_NATIVE_DOUBLE, &v), "attribute");
    H5Aclose(a); H5Sclose(s);
}

static void put(hid_t f, const char* name, Field& q) {
    hsize_t full[2] = { (hsize_t)q.ny_ * nproc_, (hsize_t)q.nx_ }, cnt[2] = { (hsize_t)q.ny_, (hsize_t)q.nx_ };
    hsize_t off[2] = { (hsize_t)rank_ * q.ny_, 0 };
    hid_t fs = H5Screate_simple(2, full, nullptr), ms = H5Screate_simple(2, cnt, nullptr);
    hid_t pl = H5Pcreate(H5P_DATASET_CREATE), dx = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_chunk(pl, 2, cnt);
    H5Pset_fill_time(pl, H5D_FILL_TIME_NEVER);
    H5Pset_dxpl_mpio(dx, H5FD_MPIO_COLLECTIVE);
    hid_t d = H5Dcreate2(f, name, H5T_IEEE_F64LE, fs, H5P_DEFAULT, pl, H5P_DEFAULT);
    must(d, name);
    H5Sselect_hyperslab(fs, H5S_SELECT_SET, off, nullptr, cnt, nullptr);
    must(H5Dwrite(d, H5T_NATIVE_DOUBLE, ms, fs, dx, q.interior()), name);
    H5Dclose(d); H5Pclose(dx); H5Pclose(pl); H5Sclose(ms); H5Sclose(fs);
}

static void checkpoint(int step, double t, Field& T, Field& Y) {
    hid_t fa = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_mpio(fa, MPI_COMM_WORLD, MPI_INFO_NULL);
    std::string fn = "front_" + std::to_string(step) + ".h5";
    hid_t f = H5Fcreate(fn.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, fa);
    must(f, fn.c_str());
    attribute(f, "time", t); attribute(f, "step", step); attribute(f, "ranks", nproc_);
    put(f, "T", T); put(f, "Y", Y);
    H5Fclose(f); H5Pclose(fa);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &nproc_);
    int n = argc > 1 ? std::atoi(argv[1]) : 256, nt = argc > 2 ? std::atoi(argv[2]) : 200, every = argc > 3 ? std::atoi(argv[3]) : 100;
    Field T(n / nproc_, n), Y(n / nproc_, n), Tn(n / nproc_, n);
    for (int j = 1; j <= T.ny_; ++j)
        for (int i = 0; i < n; ++i) {
            double x = (double)i / n, y = (double)(j + rank_ * T.ny_) / n;
            T(j, i) = std::exp(-80 * ((x - .5) * (x - .5) + (y - .5) * (y - .5))) * 2; Y(j, i) = 1 - 0.3 * x;
        }
    for (int s = 1; s <= nt; ++s) {
        T.halo();
        advance(T, Y, Tn, 0.05);
        if (s % every == 0) checkpoint(s, 0.05 * s, T, Y);
    }
    double q[2] = { 0, 0 }, g[2];
    for (int j = 1; j <= T.ny_; ++j) for (int i = 0; i < n; ++i) { q[0] += T(j, i); q[1] += Y(j, i); }
    MPI_Reduce(q, g, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank_ == 0) std::printf("front: T %.10e Y %.10e\n", g[0], g[1]);
    MPI_Finalize();
}
