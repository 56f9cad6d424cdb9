// Wilson loops on a mapped U(1) gauge configuration, sampled at random lattice sites.
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <random>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

constexpr int kX = 256, kY = 256, kT = 16, kDir = 2;

class Configuration {
public:
    explicit Configuration(const char *path)
    {
        int fd = open(path, O_RDONLY);
        struct stat info {};
        if (fd < 0 || fstat(fd, &info) != 0 || info.st_size < off_t(sizeof(double)) * kX * kY * kT * kDir) {
            std::perror(path);
            std::exit(1);
        }
        size_ = info.st_size;
        data_ = static_cast<const double *>(mmap(nullptr, size_, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0));
        close(fd);
        if (data_ == MAP_FAILED)
            std::exit(1);
    }
    ~Configuration() { munmap(const_cast<double *>(data_), size_); }

    double angle(int t, int y, int x, int dir) const
    {
        y = (y + kY) % kY;
        x = (x + kX) % kX;
        return data_[((size_t(t) * kY + y) * kX + x) * kDir + dir];
    }

private:
    const double *data_ = nullptr;
    size_t size_ = 0;
};

// product of the links around a rectangle of the given size
static std::complex<double> loop(const Configuration &conf, int t, int y, int x, int width, int height)
{
    std::complex<double> product(1.0, 0.0);
    for (int i = 0; i < width; i++) {
        product *= std::polar(1.0, conf.angle(t, y, x + i, 0));
        product *= std::polar(1.0, -conf.angle(t, y + height, x + i, 0));
    }
    for (int j = 0; j < height; j++) {
        product *= std::polar(1.0, conf.angle(t, y + j, x + width, 1));
        product *= std::polar(1.0, -conf.angle(t, y + j, x, 1));
    }
    return product;
}

int main(int argc, char **argv)
{
    long nsamples = argc > 1 ? std::atol(argv[1]) : 20000;
    Configuration conf("links.bin");
    std::mt19937_64 gen(55);
    double sums[3] = {0, 0, 0};
    const int sizes[3][2] = {{4, 4}, {8, 6}, {12, 10}};
    for (long n = 0; n < nsamples; n++) {
        int t = int(gen() % kT), y = int(gen() % kY), x = int(gen() % kX);
        for (int k = 0; k < 3; k++)
            sums[k] += loop(conf, t, y, x, sizes[k][0], sizes[k][1]).real();
    }
    for (int k = 0; k < 3; k++)
        std::printf("W(%d,%d) = %.6f\n", sizes[k][0], sizes[k][1], sums[k] / nsamples);
    return 0;
}
