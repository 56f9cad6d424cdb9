// Two-dimensional Ising model near the critical point.  The run can be steered
// from outside: a file "STOP" ends it, and a newer "steer.txt" changes the
// temperature.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

namespace fs = std::filesystem;

constexpr int L = 128;

struct Random {
    uint64_t s = 0x9E3779B97F4A7C15ull;
    uint64_t next() { s ^= s << 13; s ^= s >> 7; s ^= s << 17; return s; }
    double uniform() { return (next() >> 11) * (1.0 / 9007199254740992.0); }
};

class Steering {
public:
    explicit Steering(double t) : temperature_(t) {
        std::ofstream(file_) << t << "\n";
        seen_ = fs::last_write_time(file_);
    }
    bool stop() const { return fs::exists(stop_); }
    bool changed() {
        auto now = fs::last_write_time(file_);
        if (now == seen_)
            return false;
        seen_ = now;
        std::ifstream(file_) >> temperature_;
        return true;
    }
    double temperature() const { return temperature_; }

private:
    fs::path stop_ = "STOP", file_ = "steer.txt";
    fs::file_time_type seen_;
    double temperature_;
};

class Ising {
public:
    explicit Ising(double t) : spin_(L * L, 1) { set_temperature(t); }
    void set_temperature(double t) {
        for (int h = 0; h < 5; h++)
            accept_[h] = std::exp(-2.0 * (2 * h - 4) / t);
    }
    // Metropolis update of one row
    void row(int i) {
        const int up = ((i + L - 1) % L) * L, down = ((i + 1) % L) * L;
        for (int j = 0; j < L; j++) {
            const int left = (j + L - 1) % L, right = (j + 1) % L;
            int8_t &s = spin_[i * L + j];
            int h = s * (spin_[up + j] + spin_[down + j] + spin_[i * L + left] + spin_[i * L + right]);
            if (h <= 0 || rng_.uniform() < accept_[(h + 4) / 2])
                s = -s;
        }
    }
    double magnetisation() const {
        long m = 0;
        for (int8_t s : spin_)
            m += s;
        return double(m) / (L * L);
    }

private:
    std::vector<int8_t> spin_;
    double accept_[5];
    Random rng_;
};

int main(int argc, char **argv)
{
    const int sweeps = argc > 1 ? std::atoi(argv[1]) : 4000;
    Steering steering(2.269);
    Ising model(steering.temperature());
    std::vector<double> trace;
    bool stopped = false;
    for (int n = 0; n < sweeps && !stopped; n++) {
        if (n % 100 == 0) {
            stopped = steering.stop();
            if (steering.changed())
                model.set_temperature(steering.temperature());
        }
        for (int i = 0; i < L && !stopped; i++)
            model.row(i);
        trace.push_back(model.magnetisation());
    }
    double m = 0, m2 = 0;
    for (double x : trace) {
        m += std::fabs(x);
        m2 += x * x;
    }
    m /= trace.size();
    m2 /= trace.size();
    std::ofstream out("magnetisation.txt");
    for (size_t n = 0; n < trace.size(); n += 10)
        out << n << " " << trace[n] << "\n";
    std::printf("sweeps %zu  |m| = %.5f  chi = %.3f\n", trace.size(), m, (m2 - m * m) * L * L / 2.269);
    return 0;
}
