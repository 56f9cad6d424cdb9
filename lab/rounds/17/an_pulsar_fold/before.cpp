// Folds a filterbank recording of a radio telescope at a grid of trial periods and keeps
// the pulse profile with the best signal to noise.
//
// The recording holds 8-bit powers, one spectrum of `channels` bytes per sample; it was
// cleared of the dispersion of the interstellar medium when it was taken.
//
// usage: fold file period0 step trials
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct ScanHeader {
    char magic[8];
    std::uint32_t channels, pad;
    std::uint64_t samples;
    double interval;                 // seconds per sample
    double fill[60];
};
static_assert(sizeof(ScanHeader) == 512, "header layout");

constexpr int kBins = 64;            // phase bins of a profile
constexpr std::uint64_t kSubint = 64; // samples of a sub-integration

// The spectra of a sub-integration.
class Spectra {
public:
    Spectra(int fd, std::uint64_t first, std::uint64_t count, std::uint32_t channels) {
        static const std::uint64_t page = sysconf(_SC_PAGESIZE);
        const std::uint64_t begin = sizeof(ScanHeader) + first * channels;
        const std::uint64_t end = begin + count * channels;
        const std::uint64_t start = begin / page * page;
        length_ = end - start;
        base_ = mmap(nullptr, length_, PROT_READ, MAP_SHARED, fd, off_t(start));
        if (base_ == MAP_FAILED) {
            std::perror("mmap");
            std::exit(1);
        }
        data_ = static_cast<const std::uint8_t*>(base_) + (begin - start);
    }
    ~Spectra() { munmap(base_, length_); }
    Spectra(const Spectra&) = delete;
    Spectra& operator=(const Spectra&) = delete;

    const std::uint8_t* data() const { return data_; }

private:
    void* base_;
    std::uint64_t length_;
    const std::uint8_t* data_;
};

class Recording {
public:
    explicit Recording(const char* name) : fd_(open(name, O_RDONLY)) {
        if (fd_ < 0 || read(fd_, &head_, sizeof head_) != ssize_t(sizeof head_) ||
            std::memcmp(head_.magic, "FILTBNK1", 8) != 0) {
            std::fprintf(stderr, "%s: not a filterbank file\n", name);
            std::exit(1);
        }
    }
    ~Recording() { close(fd_); }
    const ScanHeader& header() const { return head_; }
    Spectra spectra(std::uint64_t first, std::uint64_t count) const {
        return Spectra(fd_, first, count, head_.channels);
    }

private:
    int fd_;
    ScanHeader head_{};
};

// Band-averaged power of every fourth sample of the sub-integration; a coarse series is
// enough for the long periods looked for.
static double power(const std::uint8_t* spectrum, std::uint32_t channels) {
    std::uint32_t sum = 0;
    for (std::uint32_t c = 0; c < channels; ++c) sum += spectrum[c];
    return double(sum) / channels;
}

struct Profile {
    double sum[kBins]{};
    long hits[kBins]{};

    double significance() const {
        double mean = 0, top = 0, var = 0;
        for (int b = 0; b < kBins; ++b) mean += sum[b] / (hits[b] ? hits[b] : 1);
        mean /= kBins;
        for (int b = 0; b < kBins; ++b) {
            const double d = sum[b] / (hits[b] ? hits[b] : 1) - mean;
            var += d * d;
            if (d > top) top = d;
        }
        return var > 0 ? top / std::sqrt(var / kBins) : 0;
    }
};

static Profile fold(const Recording& rec, double period) {
    const ScanHeader& h = rec.header();
    Profile p;
    for (std::uint64_t first = 0; first + kSubint <= h.samples; first += kSubint) {
        const Spectra block = rec.spectra(first, kSubint);
        for (std::uint64_t s = 0; s < kSubint; s += 4) {
            const double phase = (first + s) * h.interval / period;
            const int bin = int((phase - std::floor(phase)) * kBins);
            p.sum[bin] += power(block.data() + s * h.channels, h.channels);
            ++p.hits[bin];
        }
    }
    return p;
}

int main(int argc, char** argv) {
    const char* name = argc > 1 ? argv[1] : "scan.fil";
    const double period0 = argc > 2 ? std::atof(argv[2]) : 0.7;
    const double step = argc > 3 ? std::atof(argv[3]) : 1e-4;
    const int trials = argc > 4 ? std::atoi(argv[4]) : 40;

    const Recording rec(name);
    Profile best;
    double bestPeriod = 0, bestValue = -1;
    std::FILE* out = std::fopen("periods.txt", "w");
    for (int t = 0; t < trials; ++t) {
        const double period = period0 + t * step;
        const Profile p = fold(rec, period);
        const double value = p.significance();
        std::fprintf(out, "%.6f %.5f\n", period, value);
        if (value > bestValue) {
            bestValue = value;
            bestPeriod = period;
            best = p;
        }
    }
    for (int b = 0; b < kBins; ++b)
        std::fprintf(out, "# %2d %.6f\n", b, best.sum[b] / (best.hits[b] ? best.hits[b] : 1));
    std::fclose(out);
    std::printf("best period %.6f s, significance %.4f\n", bestPeriod, bestValue);
    return 0;
}
