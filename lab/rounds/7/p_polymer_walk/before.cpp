// Self-avoiding polymer chains grown with the Rosenbluth method; keeps a log
// line per batch and a small state file from which a run can be continued.
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <random>
#include <vector>

struct Estimate {
    double weight = 0.0;
    double weighted_r2 = 0.0;
    long grown = 0;
    long trapped = 0;
};

class ChainGrower {
public:
    ChainGrower(int length, unsigned seed)
        : length_(length), side_(2 * length + 3),
          stamp_(static_cast<std::size_t>(side_) * side_, 0), rng_(seed) {}

    void grow(Estimate &e)
    {
        ++serial_;
        int x = length_ + 1, y = length_ + 1;
        stamp_[index(x, y)] = serial_;
        double w = 1.0;
        for (int k = 0; k < length_; ++k) {
            std::array<int, 4> open{};
            int nopen = 0;
            for (int d = 0; d < 4; ++d)
                if (stamp_[index(x + dx[d], y + dy[d])] != serial_)
                    open[nopen++] = d;
            if (nopen == 0) {
                ++e.trapped;
                return;
            }
            int d = open[rng_() % nopen];
            w *= nopen / 3.0;
            x += dx[d];
            y += dy[d];
            stamp_[index(x, y)] = serial_;
        }
        double rx = x - length_ - 1, ry = y - length_ - 1;
        e.weight += w;
        e.weighted_r2 += w * (rx * rx + ry * ry);
        ++e.grown;
    }

private:
    static constexpr int dx[4] = {1, -1, 0, 0};
    static constexpr int dy[4] = {0, 0, 1, -1};
    std::size_t index(int x, int y) const
    {
        return static_cast<std::size_t>(y) * side_ + x;
    }
    int length_, side_;
    long serial_ = 0;
    std::vector<long> stamp_;
    std::mt19937 rng_;
};

static void save_state(const Estimate &e, int batch)
{
    {
        std::ofstream out("state.tmp", std::ios::binary | std::ios::trunc);
        out.write(reinterpret_cast<const char *>(&batch), sizeof batch);
        out.write(reinterpret_cast<const char *>(&e), sizeof e);
    }
    std::rename("state.tmp", "state.bin");
}

int main(int argc, char **argv)
{
    int batches = argc > 1 ? std::atoi(argv[1]) : 300;
    int per_batch = argc > 2 ? std::atoi(argv[2]) : 3000;
    ChainGrower grower(60, 20240u);
    Estimate e;
    std::ofstream log("walk.log");
    log << std::setprecision(10);
    for (int b = 0; b < batches; ++b) {
        for (int c = 0; c < per_batch; ++c)
            grower.grow(e);
        log << b << ' ' << e.grown << ' ' << e.trapped << ' '
            << e.weighted_r2 / e.weight << std::endl;
        if (b % 5 == 4)
            save_state(e, b);
    }
    std::cout << "mean squared end-to-end distance " << std::setprecision(8)
              << e.weighted_r2 / e.weight << " from " << e.grown << " chains\n";
    return 0;
}
