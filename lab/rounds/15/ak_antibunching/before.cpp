// Photon antibunching of a single quantum dot, measured with two detectors
// behind a beam splitter (Hanbury Brown and Twiss).  The emitter is a
// three-level system: ground, excited and a dark state which makes it blink.
//
//   usage: hbt <photons> <seed>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <iostream>
#include <random>
#include <string>

namespace hbt {

struct Rates {             // all in 1/ns
    double pump   = 0.08;
    double decay  = 0.45;
    double toDark = 0.0015;
    double fromDark = 0.004;
};

struct Tag {
    int channel;
    std::int64_t tick;     // units of 64 ps
};

class Emitter {
public:
    Emitter(Rates r, unsigned seed) : rates_(r), rng_(seed) {}

    // advance to the next photon and return its emission time in ns
    double next() {
        for (;;) {
            now_ += wait(rates_.pump);
            const double total = rates_.decay + rates_.toDark;
            now_ += wait(total);
            if (uni_(rng_) * total < rates_.decay) return now_;
            now_ += wait(rates_.fromDark);
        }
    }
    bool transmitted() { return uni_(rng_) < 0.5; }
    double jitter() { return 0.12 * gauss_(rng_); }

private:
    double wait(double rate) { return -std::log1p(-uni_(rng_)) / rate; }
    Rates rates_;
    std::mt19937_64 rng_;
    std::uniform_real_distribution<double> uni_{0.0, 1.0};
    std::normal_distribution<double> gauss_{0.0, 1.0};
    double now_ = 0.0;
};

class TagList {
public:
    explicit TagList(const std::string& name) : out_(name) {
        out_ << "# channel tick(64ps)\n";
    }
    void add(const Tag& t) {
        out_ << t.channel << ' ' << t.tick << std::endl;
    }
private:
    std::ofstream out_;
};

class Correlator {         // coincidences between the two arms
public:
    static constexpr int kBins = 400;
    void feed(const Tag& t) {
        while (!recent_.empty() && t.tick - recent_.front().tick > kBins / 2)
            recent_.pop_front();
        for (const Tag& r : recent_) {
            if (r.channel == t.channel) continue;
            const std::int64_t lag = (t.channel ? 1 : -1) * (t.tick - r.tick);
            const int bin = static_cast<int>(lag) + kBins / 2;
            if (bin >= 0 && bin < kBins) ++hist_[bin];
        }
        recent_.push_back(t);
    }
    void save(const std::string& name) const {
        std::ofstream out(name);
        for (int i = 0; i < kBins; ++i)
            out << 0.064 * (i - kBins / 2) << ' ' << hist_[i] << '\n';
    }
    double dip() const {
        double centre = 0, wings = 0;
        for (int i = kBins / 2 - 5; i < kBins / 2 + 5; ++i) centre += hist_[i];
        for (int i = 0; i < 10; ++i) wings += hist_[i];
        return wings > 0 ? centre / wings : 0.0;
    }
private:
    std::deque<Tag> recent_;
    std::array<long, kBins> hist_{};
};

}  // namespace hbt

int main(int argc, char** argv) {
    const long photons = argc > 1 ? std::atol(argv[1]) : 1000000;
    const unsigned seed = argc > 2 ? std::atoi(argv[2]) : 7;

    hbt::Emitter dot(hbt::Rates{}, seed);
    hbt::TagList list("tags.txt");
    hbt::Correlator g2;

    for (long n = 0; n < photons; ++n) {
        const double t = dot.next() + dot.jitter();
        const hbt::Tag tag{dot.transmitted() ? 1 : 0,
                           static_cast<std::int64_t>(t / 0.064)};
        list.add(tag);
        g2.feed(tag);
    }
    g2.save("g2.txt");
    std::cout << "g2(0)/g2(wing) = " << g2.dip() << '\n';
}
