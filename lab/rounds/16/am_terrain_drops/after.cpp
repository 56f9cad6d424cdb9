// Hypsometry and roughness of a digital elevation model by random probing.
//
// Random cells of the model are visited; height, slope and Laplacian of the
// neighbourhood enter the hypsometric curve and the roughness statistics.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr double CELL = 25.0;        // m
constexpr int NCLASS = 24;
constexpr float HMIN = 400.0f, HMAX = 1400.0f;

class Xorshift {
  public:
    explicit Xorshift(uint64_t s) : s_(s) {}
    uint64_t next() {
        s_ ^= s_ << 13; s_ ^= s_ >> 7; s_ ^= s_ << 17;
        return s_ * 2685821657736338717ull;
    }
    int below(int n) { return int((next() >> 33) % uint64_t(n)); }

  private:
    uint64_t s_;
};

class Elevation {
  public:
    explicit Elevation(const char *path) {
        int fd = open(path, O_RDONLY);
        struct stat st;
        if (fd < 0 || fstat(fd, &st)) { std::perror(path); std::exit(1); }
        bytes_ = st.st_size;
        n_ = int(std::lround(std::sqrt(bytes_ / sizeof(float))));
        z_.resize(bytes_ / sizeof(float));
        char *p = reinterpret_cast<char *>(z_.data());
        for (size_t got = 0; got < bytes_;) {
            ssize_t k = read(fd, p + got, bytes_ - got);
            if (k <= 0) { std::perror(path); std::exit(1); }
            got += size_t(k);
        }
        close(fd);
    }
    int size() const { return n_; }
    float at(int x, int y) const { return z_[size_t(y) * n_ + x]; }

  private:
    std::vector<float> z_;
    size_t bytes_;
    int n_;
};

struct Stats {
    std::vector<long> hyps = std::vector<long>(NCLASS, 0);
    double slope = 0, slope2 = 0, lap2 = 0;
    long n = 0;

    void probe(const Elevation &dem, int x, int y) {
        float z = dem.at(x, y);
        double e = dem.at(x + 1, y), w = dem.at(x - 1, y);
        double s = dem.at(x, y + 1), no = dem.at(x, y - 1);
        double gx = (e - w) / (2 * CELL), gy = (s - no) / (2 * CELL);
        double sl = std::atan(std::sqrt(gx * gx + gy * gy)) * 180 / M_PI;
        double lap = (e + w + s + no - 4.0 * z) / (CELL * CELL);
        int k = int((z - HMIN) / (HMAX - HMIN) * NCLASS);
        hyps[k < 0 ? 0 : k >= NCLASS ? NCLASS - 1 : k]++;
        slope += sl;
        slope2 += sl * sl;
        lap2 += lap * lap;
        n++;
    }
};

int main(int argc, char **argv) {
    long nprobe = argc > 1 ? std::atol(argv[1]) : 60000;
    uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 7;
    Elevation dem("dem.bin");
    Xorshift rng(seed * 0x9E3779B97F4A7C15ull + 1);
    Stats st;
    for (long i = 0; i < nprobe; i++) {
        int x = 1 + rng.below(dem.size() - 2);
        int y = 1 + rng.below(dem.size() - 2);
        st.probe(dem, x, y);
    }
    FILE *f = std::fopen("hypsometry.txt", "w");
    long above = st.n;
    for (int k = 0; k < NCLASS; k++) {
        std::fprintf(f, "%7.1f %8.5f\n", HMIN + k * (HMAX - HMIN) / NCLASS, double(above) / st.n);
        above -= st.hyps[k];
    }
    std::fclose(f);
    double mean = st.slope / st.n;
    std::printf("probes %ld  slope %.3f +- %.3f deg  rms laplacian %.3e /m\n", st.n, mean,
                std::sqrt(st.slope2 / st.n - mean * mean), std::sqrt(st.lap2 / st.n));
    return 0;
}
