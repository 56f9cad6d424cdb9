// Straight-line track fit over the events of one run of a drift chamber.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>

struct EventHeader {
    int32_t number;
    int32_t nhits;
    double time;
};

struct Hit {
    int32_t layer;
    float z, x, y, charge;
};

class EventReader {
public:
    explicit EventReader(const std::string &path)
    {
        fd_ = ::open(path.c_str(), O_RDONLY);
        if (fd_ < 0)
            throw std::runtime_error("cannot open " + path);
    }
    ~EventReader() { ::close(fd_); }

    bool next(EventHeader &h, std::vector<Hit> &hits)
    {
        if (!fetch(&h, sizeof h))
            return false;
        hits.resize(h.nhits);
        for (Hit &hit : hits)
            if (!fetch(&hit, sizeof hit))
                throw std::runtime_error("truncated event");
        return true;
    }

private:
    bool fetch(void *p, size_t n)
    {
        if (end_ - pos_ < n && !refill(n))
            return false;
        std::memcpy(p, buf_.data() + pos_, n);
        pos_ += n;
        return true;
    }

    bool refill(size_t n)
    {
        std::memmove(buf_.data(), buf_.data() + pos_, end_ - pos_);
        end_ -= pos_;
        pos_ = 0;
        while (end_ < n) {
            ssize_t got = ::read(fd_, buf_.data() + end_, buf_.size() - end_);
            if (got <= 0)
                return false;
            end_ += got;
        }
        return true;
    }

    int fd_;
    std::vector<char> buf_ = std::vector<char>(1 << 20);
    size_t pos_ = 0, end_ = 0;
};

struct Fit {
    double slope = 0, intercept = 0, chi2 = 0;
};

static Fit fitLine(const std::vector<Hit> &hits, bool useY)
{
    double s = 0, sz = 0, sx = 0, szz = 0, szx = 0;
    for (const Hit &h : hits) {
        double w = 1.0 / (0.01 + 0.05 * h.charge), v = useY ? h.y : h.x;
        s += w;
        sz += w * h.z;
        sx += w * v;
        szz += w * h.z * h.z;
        szx += w * h.z * v;
    }
    Fit f;
    double d = s * szz - sz * sz;
    if (std::fabs(d) < 1e-9)
        return f;
    f.slope = (s * szx - sz * sx) / d;
    f.intercept = (sx - f.slope * sz) / s;
    for (const Hit &h : hits) {
        double v = useY ? h.y : h.x, r = v - f.intercept - f.slope * h.z;
        f.chi2 += r * r / (0.01 + 0.05 * h.charge);
    }
    return f;
}

int main(int argc, char **argv)
{
    std::string path = argc > 1 ? argv[1] : "run042.evt";
    EventReader reader(path);
    EventHeader h;
    std::vector<Hit> hits;
    std::vector<long> hist(100, 0);
    long events = 0, nhits = 0;
    double meanSlope = 0, meanChi2 = 0;
    while (reader.next(h, hits)) {
        Fit fx = fitLine(hits, false), fy = fitLine(hits, true);
        double chi2 = (fx.chi2 + fy.chi2) / (2.0 * hits.size());
        hist[std::min(99, int(chi2 * 2))]++;
        meanSlope += std::hypot(fx.slope, fy.slope);
        meanChi2 += chi2;
        nhits += h.nhits;
        events++;
    }
    std::ofstream out("chi2.txt");
    for (size_t k = 0; k < hist.size(); k++)
        out << 0.5 * k << ' ' << hist[k] << '\n';
    std::printf("%ld events, %ld hits, slope %.8f chi2 %.8f\n", events, nhits, meanSlope / events, meanChi2 / events);
    return 0;
}
