// Sample a stored concentration field along many particle paths.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <stdexcept>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

constexpr int NX = 64, NY = 64, NZ = 64;
constexpr size_t SLAB = size_t(NX) * NY * sizeof(float);

static void make_field(const std::string &path) {
    std::vector<float> field(size_t(NX) * NY * NZ);
    for (int z = 0; z < NZ; z++)
        for (int y = 0; y < NY; y++)
            for (int x = 0; x < NX; x++) {
                float dx = x - 20.0f, dy = y - 32.0f, dz = z - 12.0f;
                field[(size_t(z) * NY + y) * NX + x] =
                    std::exp(-(dx * dx * 0.002f + dy * dy * 0.01f + dz * dz * 0.02f));
            }
    FILE *f = fopen(path.c_str(), "wb");
    if (!f || fwrite(field.data(), sizeof(float), field.size(), f) != field.size())
        throw std::runtime_error("cannot write " + path);
    fclose(f);
}

class FieldFile {
public:
    explicit FieldFile(const std::string &path) : fd_(open(path.c_str(), O_RDONLY)) {
        if (fd_ < 0) throw std::runtime_error("cannot open " + path);
        base_ = mmap(nullptr, SLAB * NZ, PROT_READ, MAP_SHARED, fd_, 0);
        if (base_ == MAP_FAILED) throw std::runtime_error("map");
    }
    ~FieldFile() {
        munmap(base_, SLAB * NZ);
        close(fd_);
    }

    double value(double x, double y, double z) const {
        int ix = clamp(x, NX), iy = clamp(y, NY), iz = clamp(z, NZ);
        double fx = x - ix, fy = y - iy, fz = z - iz;
        return (1 - fz) * plane(iz, ix, iy, fx, fy) + fz * plane(iz + 1, ix, iy, fx, fy);
    }

private:
    static int clamp(double v, int n) {
        int i = int(v);
        return i < 0 ? 0 : (i > n - 2 ? n - 2 : i);
    }
    double plane(int z, int x, int y, double fx, double fy) const {
        const float *slab = static_cast<const float *>(base_) + size_t(z) * NX * NY;
        auto at = [slab](int i, int j) { return slab[size_t(j) * NX + i]; };
        return (1 - fy) * ((1 - fx) * at(x, y) + fx * at(x + 1, y)) +
               fy * ((1 - fx) * at(x, y + 1) + fx * at(x + 1, y + 1));
    }
    int fd_;
    void *base_;
};

struct Particle {
    double x, y, z, dose;
};

int main(int argc, char **argv) {
    int n_steps = argc > 1 ? atoi(argv[1]) : 180;
    make_field("field.bin");
    FieldFile field("field.bin");

    std::vector<Particle> particles(400);
    for (size_t i = 0; i < particles.size(); i++)
        particles[i] = {4.0 + 0.01 * i, 20.0 + 0.06 * i, 8.0 + 0.02 * i, 0.0};

    for (int step = 0; step < n_steps; step++) {
        for (auto &p : particles) {
            p.dose += 0.1 * field.value(p.x, p.y, p.z);
            p.x += 0.1 * (1.0 + 0.02 * p.z);
            p.y += 0.08 * std::sin(0.05 * step + 0.1 * p.z);
            p.z += 0.05 * std::cos(0.03 * step + 0.07 * p.x) + 0.04;
        }
    }
    double total = 0.0, peak = 0.0;
    for (auto &p : particles) {
        total += p.dose;
        peak = std::fmax(peak, p.dose);
    }
    std::printf("mean dose %.9f peak %.9f\n", total / particles.size(), peak);
}
