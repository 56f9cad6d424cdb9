// Shower reconstruction for the test beam calorimeter: reads a raw run,
// builds longitudinal and lateral shower moments per event, and writes
// a summary together with the energy spectrum.
#include <fcntl.h>
#include <unistd.h>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

struct EventHeader {
    uint32_t id;
    uint16_t nhits;
    uint16_t trigger;
};

struct Hit {
    uint16_t layer;
    uint16_t cell;
    float energy;
    float time;
};

class RawRun {
public:
    explicit RawRun(const std::string &path) : fd_(::open(path.c_str(), O_RDONLY)) {
        if (fd_ < 0) {
            std::perror(path.c_str());
            std::exit(1);
        }
    }
    ~RawRun() { ::close(fd_); }

    bool next(EventHeader &header, std::vector<Hit> &hits) {
        if (!fetch(&header, sizeof header)) return false;
        hits.resize(header.nhits);
        for (Hit &h : hits)
            if (!fetch(&h, sizeof h)) return false;
        return true;
    }

private:
    bool fetch(void *target, size_t n) {
        char *to = static_cast<char *>(target);
        while (n > 0) {
            if (pos_ == filled_) {
                ssize_t got = ::read(fd_, buffer_.data(), buffer_.size());
                if (got <= 0) return false;
                filled_ = static_cast<size_t>(got);
                pos_ = 0;
            }
            size_t part = std::min(n, filled_ - pos_);
            std::memcpy(to, buffer_.data() + pos_, part);
            pos_ += part;
            to += part;
            n -= part;
        }
        return true;
    }

    int fd_;
    std::vector<char> buffer_ = std::vector<char>(1 << 20);
    size_t pos_ = 0, filled_ = 0;
};

struct Shower {
    double energy = 0, depth = 0, width = 0, time = 0;
};

static Shower reconstruct(const std::vector<Hit> &hits) {
    Shower s;
    double cx = 0, cx2 = 0, wsum = 0;
    for (const Hit &h : hits) {
        s.energy += h.energy;
        s.depth += h.energy * h.layer;
        s.time += h.energy * h.time;
        // logarithmic weights for the transverse position
        double w = std::log1p(static_cast<double>(h.energy));
        wsum += w;
        cx += w * h.cell;
        cx2 += w * h.cell * h.cell;
    }
    if (s.energy > 0) {
        s.depth /= s.energy;
        s.time /= s.energy;
    }
    if (wsum > 0) {
        double mean = cx / wsum;
        s.width = std::sqrt(std::fabs(cx2 / wsum - mean * mean));
    }
    return s;
}

int main(int argc, char **argv) {
    std::string path = argc > 1 ? argv[1] : "run0421.raw";
    RawRun run(path);
    EventHeader header;
    std::vector<Hit> hits;
    std::vector<long> spectrum(120, 0);
    double sumE = 0, sumE2 = 0, sumDepth = 0, sumWidth = 0, sumTime = 0;
    long n = 0, byTrigger[3] = {0, 0, 0};

    while (run.next(header, hits)) {
        Shower s = reconstruct(hits);
        size_t bin = static_cast<size_t>(s.energy / 3.0);
        if (bin < spectrum.size()) spectrum[bin]++;
        sumE += s.energy;
        sumE2 += s.energy * s.energy;
        sumDepth += s.depth;
        sumWidth += s.width;
        sumTime += s.time;
        byTrigger[header.trigger % 3]++;
        n++;
    }

    std::FILE *out = std::fopen("showers.txt", "w");
    if (!out) return 1;
    double mean = sumE / n;
    std::fprintf(out, "events %ld triggers %ld %ld %ld\n", n, byTrigger[0], byTrigger[1], byTrigger[2]);
    std::fprintf(out, "energy %.8g resolution %.8g\n", mean, std::sqrt(sumE2 / n - mean * mean) / mean);
    std::fprintf(out, "depth %.8g width %.8g time %.8g\n", sumDepth / n, sumWidth / n, sumTime / n);
    for (size_t b = 0; b < spectrum.size(); b++)
        std::fprintf(out, "%.1f %ld\n", 3.0 * b, spectrum[b]);
    std::fclose(out);
    return 0;
}
