// Self-interacting random walks on a square lattice; the trajectories are kept for later analysis.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

struct Site {
    int x = 0;
    int y = 0;
};

class Lattice {
public:
    explicit Lattice(int side) : side_(side), visits_(static_cast<size_t>(side) * side, 0) {}

    int &at(const Site &s)
    {
        int i = ((s.x % side_) + side_) % side_;
        int j = ((s.y % side_) + side_) % side_;
        return visits_[static_cast<size_t>(i) * side_ + j];
    }

    void clear() { visits_.assign(visits_.size(), 0); }

private:
    int side_;
    std::vector<int> visits_;
};

class Generator {
public:
    explicit Generator(uint64_t seed) : state_(seed * 2862933555777941757ULL + 3037000493ULL) {}

    double uniform()
    {
        state_ ^= state_ << 13;
        state_ ^= state_ >> 7;
        state_ ^= state_ << 17;
        return static_cast<double>(state_ >> 11) / 9007199254740992.0;
    }

private:
    uint64_t state_;
};

class TrajectoryFile {
public:
    explicit TrajectoryFile(const std::string &name)
    {
        stream_.rdbuf()->pubsetbuf(nullptr, 0);
        stream_.open(name);
        if (!stream_) {
            std::cerr << "cannot write " << name << '\n';
            std::exit(1);
        }
    }

    void put(int walk, int step, const Site &s, int visits)
    {
        stream_ << walk << ' ' << step << ' ' << s.x << ' ' << s.y << ' ' << visits << '\n';
    }

private:
    std::ofstream stream_;
};

static Site advance(Lattice &lattice, const Site &from, Generator &rng, double repulsion)
{
    const Site next[4] = {{from.x + 1, from.y}, {from.x - 1, from.y}, {from.x, from.y + 1}, {from.x, from.y - 1}};
    double weight[4], total = 0.0;
    for (int k = 0; k < 4; k++) {
        weight[k] = std::exp(-repulsion * lattice.at(next[k]));
        total += weight[k];
    }
    double pick = rng.uniform() * total;
    int k = 0;
    while (k < 3 && pick > weight[k])
        pick -= weight[k++];
    return next[k];
}

int main(int argc, char **argv)
{
    const int walks = argc > 1 ? std::atoi(argv[1]) : 60;
    const int steps = argc > 2 ? std::atoi(argv[2]) : 3000;
    Lattice lattice(512);
    TrajectoryFile file("walks.txt");
    double spread = 0.0;
    for (int w = 0; w < walks; w++) {
        Generator rng(1000 + w);
        lattice.clear();
        Site s;
        for (int t = 0; t < steps; t++) {
            int visits = ++lattice.at(s);
            file.put(w, t, s, visits);
            s = advance(lattice, s, rng, 0.4);
        }
        spread += double(s.x) * s.x + double(s.y) * s.y;
    }
    std::cout << "mean square end distance " << spread / walks << '\n';
    return 0;
}
