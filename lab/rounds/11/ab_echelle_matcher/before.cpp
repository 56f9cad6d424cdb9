// Radial velocities from an archive of echelle spectra.
// Every spectrum is compared with a synthetic line mask on a grid of trial
// velocities; the best velocity comes from a parabola through the peak of the
// cross-correlation function. Spectra lie one after the other in spectra.bin.
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

constexpr int NPIX = 2048;                   // 16-bit pixels per spectrum: one page
constexpr double C_KMS = 299792.458;
constexpr double LAMBDA0 = 5000.0;           // first pixel, Angstrom
constexpr double LOGSTEP = 2.5e-5;           // d ln(lambda) per pixel
constexpr double VRANGE = 120.0, VSTEP = 7.5; // km/s

class Archive {
public:
    explicit Archive(const std::string &name)
    {
        fd_ = open(name.c_str(), O_RDONLY);
        struct stat st;
        if (fd_ < 0 || fstat(fd_, &st) != 0)
            throw std::runtime_error("cannot open " + name);
        count_ = st.st_size / (NPIX * sizeof(uint16_t));
    }
    ~Archive() { close(fd_); }
    size_t size() const { return count_; }

    // flux at one mask line, interpolated between the pixels
    double flux(size_t i, double x) const
    {
        const size_t bytes = NPIX * sizeof(uint16_t);
        void *p = mmap(nullptr, bytes, PROT_READ, MAP_SHARED, fd_, i * bytes);
        if (p == MAP_FAILED)
            throw std::runtime_error("mmap");
        const uint16_t *pix = static_cast<const uint16_t *>(p);
        double f = interpolate(pix, x);
        munmap(p, bytes);
        return f;
    }

private:
    static double interpolate(const uint16_t *pix, double x)
    {
        int k = static_cast<int>(x);
        if (k < 0 || k >= NPIX - 1)
            return 0.0;
        return pix[k] + (x - k) * (pix[k + 1] - pix[k]);
    }
    int fd_;
    size_t count_;
};

struct Line { double lambda, depth; };

static std::vector<Line> line_mask(int n)
{
    std::vector<Line> m;
    for (int i = 0; i < n; i++)
        m.push_back({ LAMBDA0 * std::exp(LOGSTEP * (60 + (NPIX - 120) * (i + 0.3 * std::sin(7.0 * i)) / n)),
                      0.2 + 0.6 * std::fabs(std::sin(1.7 * i)) });
    return m;
}

// cross-correlation of one spectrum with the mask at velocity v
static double ccf(const Archive &a, size_t i, const std::vector<Line> &mask, double v)
{
    double sum = 0.0, norm = 0.0;
    const double shift = std::log1p(v / C_KMS);
    for (const Line &l : mask) {
        double x = (std::log(l.lambda / LAMBDA0) + shift) / LOGSTEP;
        double window = 0.0;                  // line profile weights, Gaussian
        for (int k = -40; k <= 40; k++)
            window += std::exp(-0.5 * k * k / (4.0 + l.depth));
        sum += l.depth * (1.0 - a.flux(i, x) / 30000.0) / window;
        norm += l.depth / window;
    }
    return sum / norm;
}

static double best_velocity(const Archive &a, size_t i, const std::vector<Line> &mask)
{
    std::vector<double> c;
    size_t peak = 1;
    for (double v = -VRANGE; v <= VRANGE + 1e-9; v += VSTEP)
        c.push_back(ccf(a, i, mask, v));
    for (size_t k = 1; k + 1 < c.size(); k++)
        if (c[k] > c[peak])
            peak = k;
    double d = c[peak - 1] - 2 * c[peak] + c[peak + 1];
    double off = d != 0.0 ? 0.5 * (c[peak - 1] - c[peak + 1]) / d : 0.0;
    return -VRANGE + (peak + off) * VSTEP;
}

int main(int argc, char **argv)
{
    const int nlines = argc > 1 ? std::atoi(argv[1]) : 40;
    Archive archive("spectra.bin");
    const auto mask = line_mask(nlines);
    double sum = 0.0, sq = 0.0;
    FILE *out = std::fopen("velocities.txt", "w");
    for (size_t i = 0; i < archive.size(); i++) {
        double v = best_velocity(archive, i, mask);
        std::fprintf(out, "%zu %.3f\n", i, v);
        sum += v;
        sq += v * v;
    }
    std::fclose(out);
    const double n = archive.size(), mean = sum / n;
    std::printf("%zu spectra, mean velocity %.3f km/s, scatter %.3f km/s\n", archive.size(), mean,
                std::sqrt(sq / n - mean * mean));
}
