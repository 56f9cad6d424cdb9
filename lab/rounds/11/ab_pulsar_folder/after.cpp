// Single-pulse search: simulates the dispersed signal of a rotating neutron
// star in radiometer noise, runs a bank of boxcar matched filters over it and
// lists every candidate above the threshold for the sifting step.
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <vector>

constexpr double TSAMP = 64e-6;             // s
constexpr double PERIOD = 0.71452;          // s
constexpr double WIDTH = 0.004;             // s, pulse width
constexpr double AMPLITUDE = 2.2;           // in units of the noise
constexpr std::size_t BLOCK = 1 << 14;      // samples per block
constexpr std::array<int, 6> BOXCARS = { 1, 4, 16, 32, 64, 128 };

class Receiver {
public:
    void next_block(std::vector<float> &x)
    {
        for (auto &v : x) {
            double phase = std::fmod(sample_ * TSAMP, PERIOD) - 0.3 * PERIOD;
            double pulse = AMPLITUDE * std::exp(-0.5 * phase * phase / (WIDTH * WIDTH));
            v = static_cast<float>(noise() + pulse);
            sample_++;
        }
    }

private:
    double noise()
    {
        double s = 0.0;
        for (int i = 0; i < 4; i++) {
            state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
            s += static_cast<double>(state_ >> 33) / 2147483648.0;
        }
        return (s - 2.0) * 1.7320508;
    }
    std::uint64_t state_ = 20240229;
    std::uint64_t sample_ = 0;
};

struct Candidate {
    double time, snr;
    int width;
};

class CandidateList {
public:
    explicit CandidateList(const char *name) : out_(name)
    {
        out_ << "# time_s snr width\n" << std::fixed;
    }
    void add(const Candidate &c)
    {
        out_ << static_cast<long>(c.time * 1e6) << ' ' << static_cast<int>(c.snr * 100) << ' '
             << c.width << '\n';
        count_++;
    }
    long count() const { return count_; }

private:
    std::ofstream out_;
    long count_ = 0;
};

// running sums over the block; a candidate is a sample above the threshold
static void search(const std::vector<float> &x, double t0, double threshold, CandidateList &list)
{
    std::vector<double> cum(x.size() + 1, 0.0);
    for (std::size_t i = 0; i < x.size(); i++)
        cum[i + 1] = cum[i] + x[i];
    for (int w : BOXCARS) {
        const double scale = 1.0 / std::sqrt(static_cast<double>(w));
        for (std::size_t i = 0; i + w <= x.size(); i++) {
            double snr = (cum[i + w] - cum[i]) * scale;
            if (snr > threshold)
                list.add({ t0 + i * TSAMP, snr, w });
        }
    }
}

int main(int argc, char **argv)
{
    const int blocks = argc > 1 ? std::atoi(argv[1]) : 400;
    const double threshold = argc > 2 ? std::atof(argv[2]) : 2.5;
    Receiver receiver;
    CandidateList list("candidates.txt");
    std::vector<float> x(BLOCK);
    double power = 0.0;
    for (int b = 0; b < blocks; b++) {
        receiver.next_block(x);
        for (float v : x)
            power += v * v;
        search(x, b * BLOCK * TSAMP, threshold, list);
    }
    std::cout << list.count() << " candidates in " << blocks * BLOCK * TSAMP << " s, mean power "
              << std::setprecision(5) << power / (double(blocks) * BLOCK) << '\n';
}
