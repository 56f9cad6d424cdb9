// Photon packets in a stellar atmosphere: opacity comes from a tabulated line list on disk.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <random>
#include <stdexcept>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

struct OpacityCell {
    double absorption;
    double scattering;
    double width;
    double strength;
};

class OpacityTable {
public:
    explicit OpacityTable(const std::string &path) : fd_(open(path.c_str(), O_RDONLY))
    {
        struct stat info {};
        if (fd_ < 0 || fstat(fd_, &info) != 0)
            throw std::runtime_error("no opacity table " + path);
        cells_ = info.st_size / sizeof(OpacityCell);
    }
    ~OpacityTable() { close(fd_); }

    OpacityCell at(uint64_t index) const
    {
        OpacityCell cell;
        if (pread(fd_, &cell, sizeof cell, index * sizeof cell) != sizeof cell)
            throw std::runtime_error("opacity table ends early");
        return cell;
    }
    uint64_t cells() const { return cells_; }

private:
    int fd_;
    uint64_t cells_ = 0;
};

struct Packet {
    double energy;
    double frequency;
    int layer;
};

class Atmosphere {
public:
    Atmosphere(const OpacityTable &table, unsigned seed) : table_(table), gen_(seed) {}

    double propagate(Packet p, long &events)
    {
        const uint64_t lines = table_.cells() / kLayers;
        while (p.layer < kLayers && p.energy > 1e-3) {
            uint64_t line = uint64_t(p.frequency * lines) % lines;
            OpacityCell cell = table_.at(p.layer * lines + line);
            double albedo = cell.scattering / (cell.scattering + cell.absorption + 1e-12);
            p.energy *= 0.6 + 0.4 * albedo;
            double shift = (unit_(gen_) - 0.5) * cell.width;
            p.frequency = std::fabs(p.frequency + shift);
            p.frequency -= std::floor(p.frequency);
            if (unit_(gen_) > 0.4 * cell.strength)
                p.layer++;
            events++;
        }
        return p.energy;
    }

private:
    static constexpr int kLayers = 12;
    const OpacityTable &table_;
    std::mt19937_64 gen_;
    std::uniform_real_distribution<double> unit_{0.0, 1.0};
};

int main(int argc, char **argv)
{
    long npackets = argc > 1 ? std::atol(argv[1]) : 20000;
    OpacityTable table("opacity.tab");
    Atmosphere atmosphere(table, 31);
    double escaped = 0.0;
    long events = 0;
    for (long k = 0; k < npackets; k++) {
        double frequency = (k + 0.5) * 0.6180339887498949;
        escaped += atmosphere.propagate({1.0, frequency - std::floor(frequency), 0}, events);
    }
    std::printf("packets %ld events %ld escaped energy %.8f\n", npackets, events, escaped / npackets);
    return 0;
}
