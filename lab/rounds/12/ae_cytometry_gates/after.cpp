// Gating of flow cytometry events: scatter gate, compensation of the dyes,
// inverse hyperbolic sine scale and a two-colour histogram of the gated cells.
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

constexpr int NPAR = 8;
constexpr int NBIN = 64;
using Event = std::array<float, NPAR>;

// Access to the events of a list-mode file by their number.
class ListMode {
public:
    explicit ListMode(const std::string &path) : in_(path, std::ios::binary)
    {
        char head[64];
        if (!in_.read(head, sizeof head) || std::memcmp(head, "LISTMODE", 8) != 0)
            throw std::runtime_error("not a list-mode file: " + path);
        std::memcpy(&count_, head + 8, sizeof count_);
    }
    std::uint64_t size() const { return count_; }
    Event at(std::uint64_t i)
    {
        Event ev;
        if (i != next_)
            in_.seekg(64 + static_cast<std::streamoff>(i * sizeof(Event)));
        next_ = i + 1;
        in_.read(reinterpret_cast<char *>(ev.data()), sizeof ev);
        return ev;
    }
private:
    std::ifstream in_;
    std::uint64_t count_ = 0, next_ = 0;
};

struct Ellipse {
    double fx, fy, rx, ry;
    bool holds(double x, double y) const
    {
        const double u = (x - fx) / rx, v = (y - fy) / ry;
        return u * u + v * v < 1.0;
    }
};

// Spill-over of each dye into its neighbours.
static void compensate(Event &ev)
{
    static const float spill[6] = {0.12f, 0.08f, 0.15f, 0.05f, 0.1f, 0.07f};
    for (int c = 7; c > 2; --c)
        ev[c] -= spill[c - 2] * ev[c - 1];
}

static int scale_bin(double v)
{
    const double t = std::asinh(v / 150.0) / std::asinh(4000.0 / 150.0);
    const int b = static_cast<int>(t * NBIN);
    return b < 0 ? 0 : (b >= NBIN ? NBIN - 1 : b);
}

class Analysis {
public:
    Analysis() : hist_(NBIN * NBIN, 0) {}
    void add(Event ev)
    {
        ++seen_;
        if (!lymph_.holds(ev[0], ev[1]))
            return;
        compensate(ev);
        ++gated_;
        for (int c = 2; c < NPAR; ++c) {
            const double d = std::asinh(ev[c] / 150.0) - mean_[c];
            mean_[c] += d / gated_;
            m2_[c] += d * d;
        }
        ++hist_[scale_bin(ev[3]) * NBIN + scale_bin(ev[5])];
    }
    void report() const
    {
        std::printf("%ld events, %ld in the lymphocyte gate\n", seen_, gated_);
        for (int c = 2; c < NPAR; ++c)
            std::printf("dye %d: mean %.4f sd %.4f\n", c - 1, mean_[c], std::sqrt(m2_[c] / gated_));
        double h = 0;
        for (long n : hist_)
            if (n) h -= double(n) / gated_ * std::log(double(n) / gated_);
        std::printf("entropy of the two-colour plot %.5f\n", h);
    }
private:
    Ellipse lymph_{300, 150, 150, 120};
    long seen_ = 0, gated_ = 0;
    double mean_[NPAR] = {}, m2_[NPAR] = {};
    std::vector<long> hist_;
};

int main(int argc, char **argv)
{
    const std::string path = argc > 1 ? argv[1] : "run.lmd";
    ListMode run(path);
    Analysis ana;
    for (std::uint64_t i = 0; i < run.size(); ++i)
        ana.add(run.at(i));
    ana.report();
    return 0;
}
