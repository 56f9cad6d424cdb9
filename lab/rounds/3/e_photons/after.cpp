// Photon packets in a stellar atmosphere: opacity comes from a tabulated line list on disk.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <stdexcept>
#include <string>
#include <sys/stat.h>
#include <vector>

struct OpacityCell {
    double absorption;
    double scattering;
    double width;
    double strength;
};

class OpacityTable {
public:
    explicit OpacityTable(const std::string &path)
    {
        std::FILE *fp = std::fopen(path.c_str(), "rb");
        struct stat info {};
        if (!fp || stat(path.c_str(), &info) != 0)
            throw std::runtime_error("no opacity table " + path);
        cells_.resize(info.st_size / sizeof(OpacityCell));
        if (std::fread(cells_.data(), sizeof(OpacityCell), cells_.size(), fp) != cells_.size())
            throw std::runtime_error("opacity table ends early");
        std::fclose(fp);
    }

    const OpacityCell &at(uint64_t index) const { return cells_[index]; }
    uint64_t cells() const { return cells_.size(); }

private:
    std::vector<OpacityCell> cells_;
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
