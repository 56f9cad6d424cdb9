// Searches a filterbank recording for a pulsar: the whole recording is
// dedispersed and folded for many trial dispersion measures.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

constexpr int kChannels = 256;
constexpr int kBins = 64;

class Filterbank {
    std::vector<std::uint8_t> data_;

public:
    explicit Filterbank(const std::string &path)
    {
        FILE *f = std::fopen(path.c_str(), "rb");
        if (!f)
            throw std::runtime_error("cannot open " + path);
        std::vector<std::uint8_t> block(1 << 20);
        std::size_t got;
        while ((got = std::fread(block.data(), 1, block.size(), f)) > 0)
            data_.insert(data_.end(), block.begin(), block.begin() + std::ptrdiff_t(got));
        std::fclose(f);
    }
    long samples() const { return long(data_.size() / kChannels); }
    const std::uint8_t *row(long t) const { return data_.data() + t * kChannels; }
};

static std::vector<long> delays(double dm)
{
    std::vector<long> d(kChannels);
    for (int c = 0; c < kChannels; ++c) {
        double nu = 1.5 - 0.3 * c / kChannels;
        d[std::size_t(c)] = long(dm * (1.0 / (nu * nu) - 1.0 / 2.25) * 40.0);
    }
    return d;
}

static double fold(const Filterbank &fb, double dm, double period)
{
    std::vector<long> d = delays(dm);
    std::vector<double> profile(kBins, 0.0);
    std::vector<long> hits(kBins, 0);
    long n = fb.samples() - d.back();
    for (long t = 0; t < n; ++t) {
        long sum = 0;
        for (int c = 0; c < kChannels; ++c)
            sum += fb.row(t + d[std::size_t(c)])[c];
        int b = int(std::fmod(double(t) / period, 1.0) * kBins);
        profile[std::size_t(b)] += double(sum);
        ++hits[std::size_t(b)];
    }
    double mean = 0.0, chi = 0.0;
    for (int b = 0; b < kBins; ++b) {
        profile[std::size_t(b)] /= hits[std::size_t(b)] ? double(hits[std::size_t(b)]) : 1.0;
        mean += profile[std::size_t(b)] / kBins;
    }
    for (double p : profile)
        chi += (p - mean) * (p - mean);
    return chi / mean;
}

int main(int argc, char **argv)
{
    int trials = argc > 1 ? std::atoi(argv[1]) : 20;
    Filterbank fb("beam.fil");
    std::vector<double> score(std::size_t(trials), 0.0);
    auto work = [&](int first) {
        for (int i = first; i < trials; i += 2)
            score[std::size_t(i)] = fold(fb, 5.0 * i, 357.3);
    };
    std::thread a(work, 0), b(work, 1);
    a.join();
    b.join();
    int best = 0;
    for (int i = 1; i < trials; ++i)
        if (score[std::size_t(i)] > score[std::size_t(best)])
            best = i;
    std::printf("%ld samples, best DM %.1f with %.6f\n", fb.samples(), 5.0 * best, score[std::size_t(best)]);
    return 0;
}
