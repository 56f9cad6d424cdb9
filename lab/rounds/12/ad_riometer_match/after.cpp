// Riometer absorption against auroral brightness.
// For each riometer absorption event the closest all-sky camera frame is
// looked up; the exposure code in the frame's name and the zenith pixels give
// the brightness, which is correlated with the absorption.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace fs = std::filesystem;

struct Frame {
    fs::path path;
    long second = 0;
    int exposure = 0;
};

struct Event {
    long second;
    double absorption;      // dB
};

static std::optional<Frame> parse_frame(const fs::path &p)
{
    Frame f;
    const std::string name = p.filename().string();
    if (std::sscanf(name.c_str(), "asc_%6ld_%3d.pgm", &f.second, &f.exposure) != 2)
        return std::nullopt;
    f.path = p;
    return f;
}

class FrameArchive {
public:
    explicit FrameArchive(fs::path root) : root_(std::move(root))
    {
        for (const auto &entry : fs::directory_iterator(root_))
            if (auto f = parse_frame(entry.path())) frames_.push_back(*f);
    }

    // calls visit(frame) for each frame of the night
    template <class Visitor>
    void for_each(Visitor visit) const
    {
        for (const auto &f : frames_) visit(f);
    }

    Frame nearest(long second) const
    {
        Frame best;
        long gap = 1L << 40;
        for_each([&](const Frame &f) {
            const long g = std::labs(f.second - second);
            if (g < gap || (g == gap && f.path < best.path)) {
                gap = g;
                best = f;
            }
        });
        return best;
    }

private:
    fs::path root_;
    std::vector<Frame> frames_;
};

// mean of the four zenith pixels, corrected for exposure
static double zenith_brightness(const Frame &f)
{
    std::ifstream in(f.path, std::ios::binary);
    std::string head;
    std::getline(in, head);
    unsigned char px[64] = {};
    in.read(reinterpret_cast<char *>(px), sizeof px);
    const double mean = (px[27] + px[28] + px[35] + px[36]) / 4.0;
    return mean / (1.0 + f.exposure / 64.0);
}

// absorption events of the night: substorm onsets with exponential recovery
static std::vector<Event> absorption_events(int n)
{
    std::mt19937 gen(1957);
    std::uniform_int_distribution<long> when(64800, 64800 + 2400 * 12);
    std::exponential_distribution<double> size(0.8);
    std::vector<Event> ev;
    for (int i = 0; i < n; i++) {
        double a = 0;
        const long t = when(gen);
        for (int k = 0; k < 4; k++) a += size(gen) * std::exp(-(t % 5400) / 1800.0);
        ev.push_back({t, a});
    }
    return ev;
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? std::atoi(argv[1]) : 400;
    const std::string root = argc > 2 ? argv[2] : "frames";
    FrameArchive archive(root);
    double sx = 0, sy = 0, sxx = 0, syy = 0, sxy = 0;
    std::FILE *out = std::fopen("pairs.txt", "w");
    for (const Event &e : absorption_events(n)) {
        const Frame f = archive.nearest(e.second);
        const double b = zenith_brightness(f);
        std::fprintf(out, "%ld %ld %.3f %.3f\n", e.second, f.second, e.absorption, b);
        sx += e.absorption; sy += b;
        sxx += e.absorption * e.absorption; syy += b * b; sxy += e.absorption * b;
    }
    std::fclose(out);
    const double r = (n * sxy - sx * sy) / std::sqrt((n * sxx - sx * sx) * (n * syy - sy * sy));
    std::printf("%d events, correlation of absorption and brightness %.4f\n", n, r);
    return 0;
}
