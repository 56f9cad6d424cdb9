// Genetic toggle switch: two repressors, exact stochastic simulation (SSA).
// Dwell times in both states are collected; the run can be ended early from
// another terminal with `touch stop.request`.
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

namespace fs = std::filesystem;

class Random {
public:
    explicit Random(std::uint64_t s) : state_(s) {}
    double operator()()
    {
        state_ ^= state_ >> 12;
        state_ ^= state_ << 25;
        state_ ^= state_ >> 27;
        return ((state_ * 2685821657736338717ULL >> 11) + 0.5) / 9007199254740992.0;
    }
private:
    std::uint64_t state_;
};

struct Rates {
    double synthesis = 18.0;    // proteins per minute, unrepressed
    double decay = 1.0;
    double half = 6.0;          // repressor copies for half repression
    double hill = 2.0;
    double leak = 0.4;
};

class Toggle {
public:
    Toggle(const Rates& r, std::uint64_t seed) : r_(r), rnd_(seed)
    {
        for (std::size_t n = 0; n < hill_.size(); ++n)
            hill_[n] = r_.leak + r_.synthesis / (1.0 + std::pow(n / r_.half, r_.hill));
    }

    // one reaction; returns the waiting time
    double react()
    {
        const double up_a = hill_[b_], up_b = hill_[a_];
        const double down_a = r_.decay * a_, down_b = r_.decay * b_;
        const double total = up_a + up_b + down_a + down_b;
        const double tau = -std::log(rnd_()) / total;
        double pick = rnd_() * total;
        if ((pick -= up_a) < 0) ++a_;
        else if ((pick -= up_b) < 0) ++b_;
        else if ((pick -= down_a) < 0) --a_;
        else --b_;
        return tau;
    }
    int a() const { return a_; }
    int b() const { return b_; }

private:
    Rates r_;
    Random rnd_;
    std::array<double, 512> hill_{};
    int a_ = 5, b_ = 5;
};

struct Census {
    double time = 0.0, since = 0.0, weighted_a = 0.0;
    int state = 0;
    std::vector<double> dwell;

    void update(const Toggle& t, double tau)
    {
        time += tau;
        weighted_a += tau * t.a();
        const int now = t.a() > 3 * t.b() ? 1 : t.b() > 3 * t.a() ? -1 : state;
        if (now != state) {
            dwell.push_back(time - since);
            since = time;
            state = now;
        }
    }
};

bool stop_requested()
{
    return fs::exists("stop.request");
}

int main(int argc, char** argv)
{
    const long reactions = argc > 1 ? std::atol(argv[1]) : 3000000;
    Toggle toggle(Rates{}, 0x9E3779B97F4A7C15ULL);
    Census census;

    long done = 0;
    while (done < reactions) {
        census.update(toggle, toggle.react());
        ++done;
        if (stop_requested())
            break;
    }

    std::ofstream out("dwell.txt");
    double mean = 0;
    for (double d : census.dwell) {
        out << d << '\n';
        mean += d;
    }
    if (!census.dwell.empty()) mean /= census.dwell.size();
    std::printf("reactions %ld  minutes %.2f  switches %zu\n", done, census.time, census.dwell.size());
    std::printf("mean dwell %.3f min  mean copies of A %.3f\n", mean, census.weighted_a / census.time);
    return 0;
}
