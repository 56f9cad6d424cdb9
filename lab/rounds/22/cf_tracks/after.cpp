// Lagrangian spray parcels: tracks are appended to an extendible HDF5 dataset
// tracks[step][parcel][x,y,z,d] per rank, then read back per parcel for the
// penetration statistics.
#include <mpi.h>
#include <hdf5.h>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

struct Parcel { double x, y, z, d; };
struct Gas { double u0, decay; };

static void must(long rc, const char* what) {
    if (rc < 0) { std::fprintf(stderr, "tracks: %s failed\n", what); MPI_Abort(MPI_COMM_WORLD, 1); }
}

class TrackFile {
public:
    TrackFile(const std::string& fn, hsize_t np) : np_(np) {
        file_ = H5Fcreate(fn.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
        must(file_, "H5Fcreate");
        hsize_t dims[3] = { 0, np, 4 }, maxd[3] = { H5S_UNLIMITED, np, 4 };
        hid_t sp = H5Screate_simple(3, dims, maxd), pl = H5Pcreate(H5P_DATASET_CREATE);
        hsize_t chunk[3] = { 64, 100, 4 };
        H5Pset_chunk(pl, 3, chunk);
        set_ = H5Dcreate2(file_, "tracks", H5T_IEEE_F64LE, sp, H5P_DEFAULT, pl, H5P_DEFAULT);
        must(set_, "H5Dcreate");
        H5Pclose(pl); H5Sclose(sp);
        attribute("parcels", (double)np);
        attribute("nozzle_mm", 0.14);
    }
    ~TrackFile() { H5Dclose(set_); H5Fclose(file_); }
    void append(const std::vector<Parcel>& p) {
        hsize_t dims[3] = { nt_ + 1, np_, 4 }, off[3] = { nt_, 0, 0 }, cnt[3] = { 1, np_, 4 };
        must(H5Dset_extent(set_, dims), "H5Dset_extent");
        transfer(off, cnt, const_cast<Parcel*>(p.data()), true);
        ++nt_;
    }
    // the whole history, a band of parcels at a time
    std::vector<Parcel> band(hsize_t first, hsize_t n) {
        std::vector<Parcel> v(nt_ * n);
        hsize_t off[3] = { 0, first, 0 }, cnt[3] = { nt_, n, 4 };
        transfer(off, cnt, v.data(), false);
        return v;
    }
    hsize_t steps() const { return nt_; }
private:
    void transfer(hsize_t* off, hsize_t* cnt, void* buf, bool write) {
        hid_t fs = H5Dget_space(set_), ms = H5Screate_simple(3, cnt, nullptr);
        H5Sselect_hyperslab(fs, H5S_SELECT_SET, off, nullptr, cnt, nullptr);
        if (write) must(H5Dwrite(set_, H5T_NATIVE_DOUBLE, ms, fs, H5P_DEFAULT, buf), "H5Dwrite");
        else must(H5Dread(set_, H5T_NATIVE_DOUBLE, ms, fs, H5P_DEFAULT, buf), "H5Dread");
        H5Sclose(ms); H5Sclose(fs);
    }
    void attribute(const char* name, double v) {
        hid_t s = H5Screate(H5S_SCALAR), a = H5Acreate2(set_, name, H5T_IEEE_F64LE, s, H5P_DEFAULT, H5P_DEFAULT);
        must(H5Awrite(a, H5T_NATIVE_DOUBLE, &v), "H5Awrite");
        H5Aclose(a); H5Sclose(s);
    }
    hid_t file_, set_;
    hsize_t np_, nt_ = 0;
};

static void move(std::vector<Parcel>& p, const Gas& g, int step) {
    for (size_t i = 0; i < p.size(); ++i) {
        double u = g.u0 * std::exp(-g.decay * p[i].x), w = 0.2 * std::sin(0.7 * i + 0.05 * step);
        p[i].x += 1e-5 * u; p[i].y += 1e-5 * u * w; p[i].z += 1e-5 * u * std::cos(3.0 * i) * 0.2;
        p[i].d *= 1 - 1e-4 * (1 + std::fabs(w));
    }
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank, np = argc > 1 ? std::atoi(argv[1]) : 400, nt = argc > 2 ? std::atoi(argv[2]) : 200;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::vector<Parcel> p(np);
    for (int i = 0; i < np; ++i) p[i] = { 0, 1e-4 * std::sin(i + rank), 1e-4 * std::cos(i * 2.0), 2e-5 * (1 + i % 7) };
    Gas g{ 120.0 + rank, 9.0 };
    double pen[3] = { 0, 0, 0 }, all[3];
    {
        TrackFile tf("tracks_p" + std::to_string(rank) + ".h5", np);
        for (int s = 0; s < nt; ++s) { move(p, g, s); tf.append(p); }
        const int nb = 100;
        for (int b = 0; b < np; b += nb) {
            int n = std::min(nb, np - b);
            auto v = tf.band(b, n);
            for (hsize_t t = 0; t < tf.steps(); ++t)
                for (int i = 0; i < n; ++i) {
                    const Parcel& q = v[t * n + i];
                    pen[0] += q.x; pen[1] += std::hypot(q.y, q.z); pen[2] += q.d;
                }
        }
    }
    MPI_Reduce(pen, all, 3, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) std::printf("tracks: %.10e %.10e %.10e\n", all[0], all[1], all[2]);
    MPI_Finalize();
}
