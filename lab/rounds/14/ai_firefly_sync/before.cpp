// fireflysync: synchrony of flash bursts in a Photinus carolinus display
//
// The photometer stations along the creek write one 24 byte record per
// flash. For every night we want the Kuramoto order parameter of the flash
// phase relative to the burst period, per station, and the spread of peaks.
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>
#include <vector>

#pragma pack(push, 1)
struct Flash {
    double t;            // s since sunset
    float x, y;          // m, creek coordinates
    uint16_t station;
    uint16_t quality;    // 0 = rejected by the operator
    float peak;          // relative intensity
};
#pragma pack(pop)
static_assert(sizeof(Flash) == 24, "log format");

class FlashLog {
public:
    explicit FlashLog(const char *name) : fd_(::open(name, O_RDONLY)) {
        if (fd_ < 0) { std::perror(name); std::exit(1); }
    }
    ~FlashLog() { ::close(fd_); }
    bool next(Flash &f) {
        return ::read(fd_, &f, sizeof f) == (ssize_t)sizeof f;
    }
private:
    int fd_;
};

constexpr int kStations = 12;
constexpr double kFlashPeriod = 0.5;      // s, inter-flash interval in a burst

struct NightSummary {
    std::vector<std::complex<double>> z = std::vector<std::complex<double>>(kStations);
    std::vector<long> n = std::vector<long>(kStations, 0);
    double sumPeak = 0, sumPeak2 = 0, cx = 0, cy = 0;
    long used = 0;

    void add(const Flash &f) {
        if (f.quality == 0) return;
        double phase = 2 * M_PI * std::fmod(f.t, kFlashPeriod) / kFlashPeriod;
        double w = 1.0 - std::exp(-f.peak);
        z[f.station] += std::polar(w, phase);
        n[f.station]++;
        sumPeak += f.peak;
        sumPeak2 += double(f.peak) * f.peak;
        cx += f.x; cy += f.y;
        used++;
    }
    double order() const {
        double r = 0; int m = 0;
        for (int s = 0; s < kStations; ++s)
            if (n[s]) { r += std::abs(z[s]) / n[s]; ++m; }
        return m ? r / m : 0;
    }
    double spread() const {
        double mean = sumPeak / used;
        return std::sqrt(sumPeak2 / used - mean * mean);
    }
};

int main(int argc, char **argv) {
    long perNight = argc > 1 ? std::atol(argv[1]) : 50000;
    FlashLog log("nights.log");
    std::FILE *out = std::fopen("synchrony.txt", "w");
    std::fprintf(out, "# night  R  spread  x  y\n");

    int night = 0;
    long i = 0;
    NightSummary s;
    Flash f;
    while (log.next(f)) {
        s.add(f);
        if (++i == perNight) {
            std::fprintf(out, "%3d %.6f %.6f %.3f %.3f\n", night++, s.order(),
                         s.spread(), s.cx / s.used, s.cy / s.used);
            s = NightSummary();
            i = 0;
        }
    }
    std::fclose(out);
    std::printf("%d nights\n", night);
    return 0;
}
