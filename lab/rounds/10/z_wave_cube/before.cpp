// Acoustic waves in a layered medium; the wave field is kept as a time cube
// in a chunked HDF5 dataset that grows along its time axis.
#include <hdf5.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

class Cube {
public:
    Cube(const std::string &path, hsize_t ny, hsize_t nx) : ny_(ny), nx_(nx)
    {
        file_ = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
        hsize_t dims[3] = {0, ny, nx}, most[3] = {H5S_UNLIMITED, ny, nx}, chunk[3] = {1, ny, nx};
        hid_t space = H5Screate_simple(3, dims, most);
        hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
        H5Pset_chunk(plist, 3, chunk);
        set_ = H5Dcreate2(file_, "pressure", H5T_NATIVE_FLOAT, space, H5P_DEFAULT, plist, H5P_DEFAULT);
        H5Pclose(plist);
        H5Sclose(space);
        if (set_ < 0)
            throw std::runtime_error("cannot make the dataset");
    }
    Cube(const Cube &) = delete;
    Cube &operator=(const Cube &) = delete;
    ~Cube()
    {
        H5Dclose(set_);
        H5Fclose(file_);
    }
    void append(const std::vector<float> &field)
    {
        hsize_t dims[3] = {frames_ + 1, ny_, nx_}, start[3] = {frames_, 0, 0}, count[3] = {1, ny_, nx_};
        H5Dset_extent(set_, dims);
        hid_t space = H5Dget_space(set_), mem = H5Screate_simple(3, count, nullptr);
        H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, count, nullptr);
        if (H5Dwrite(set_, H5T_NATIVE_FLOAT, mem, space, H5P_DEFAULT, field.data()) < 0)
            throw std::runtime_error("write failed");
        H5Sclose(mem);
        H5Sclose(space);
        ++frames_;
    }
    hsize_t frames() const { return frames_; }

private:
    hid_t file_ = -1, set_ = -1;
    hsize_t ny_, nx_, frames_ = 0;
};

class Wave {
public:
    Wave(int ny, int nx) : ny(ny), nx(nx), now(ny * nx), old(ny * nx), speed(ny * nx)
    {
        for (int j = 0; j < ny; j++)
            for (int i = 0; i < nx; i++) {
                float depth = j + 12.0f * std::sin(0.02f * i);
                speed[j * nx + i] = depth < ny / 3 ? 0.25f : depth < 2 * ny / 3 ? 0.4f : 0.55f;
            }
    }
    void step(int n)
    {
        const float a = (3.14159265f * 0.02f) * (n - 60.0f);
        now[(ny / 6) * nx + nx / 2] += (1.0f - 2.0f * a * a) * std::exp(-a * a);
        for (int j = 2; j < ny - 2; j++)
            for (int i = 2; i < nx - 2; i++) {
                const int k = j * nx + i;
                float d = -5.0f * now[k]
                          + (4.0f / 3) * (now[k - 1] + now[k + 1] + now[k - nx] + now[k + nx])
                          - (1.0f / 12) * (now[k - 2] + now[k + 2] + now[k - 2 * nx] + now[k + 2 * nx]);
                old[k] = 2.0f * now[k] - old[k] + speed[k] * speed[k] * d;
            }
        now.swap(old);
    }
    double energy() const
    {
        double e = 0;
        for (float p : now)
            e += double(p) * p;
        return e;
    }
    const std::vector<float> &field() const { return now; }

private:
    int ny, nx;
    std::vector<float> now, old, speed;
};

int main(int argc, char **argv)
{
    const int steps = argc > 1 ? std::atoi(argv[1]) : 1200;
    const int every = 30;
    Wave wave(512, 640);
    {
        Cube cube("pressure.h5", 512, 640);
        for (int n = 0; n < steps; n++) {
            wave.step(n);
            if (n % every == every - 1)
                cube.append(wave.field());
        }
        std::printf("%llu frames kept\n", (unsigned long long)cube.frames());
    }
    std::printf("energy %.6e after %d steps\n", wave.energy(), steps);
    return 0;
}
