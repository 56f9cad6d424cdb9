// Sorts a stream of detector hits into one list-mode file per readout channel.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

namespace daq {

struct Hit {
    std::uint64_t timestamp;
    std::uint16_t channel;
    std::uint16_t amplitude;
    float baseline;
};

class HitSource {
public:
    explicit HitSource(std::uint64_t seed) : state_(seed) {}

    Hit next()
    {
        Hit h;
        clock_ += 20 + bits() % 400;
        h.timestamp = clock_;
        h.channel = static_cast<std::uint16_t>(bits() % kChannels);
        h.amplitude = static_cast<std::uint16_t>(bits() % 4096);
        h.baseline = 200.0f + static_cast<float>(bits() % 100) * 0.01f;
        return h;
    }

    static constexpr int kChannels = 48;

private:
    std::uint64_t bits()
    {
        state_ ^= state_ << 13;
        state_ ^= state_ >> 7;
        state_ ^= state_ << 17;
        return state_ >> 11;
    }

    std::uint64_t state_;
    std::uint64_t clock_ = 0;
};

class ChannelWriter {
public:
    explicit ChannelWriter(int channels) : written_(channels, 0)
    {
        for (int c = 0; c < channels; ++c)
            std::ofstream(path(c), std::ios::binary | std::ios::trunc);
    }

    void store(const Hit &hit)
    {
        std::ofstream out(path(hit.channel), std::ios::binary | std::ios::app);
        out.write(reinterpret_cast<const char *>(&hit), sizeof hit);
        ++written_[hit.channel];
    }

    long written(int channel) const { return written_[channel]; }

private:
    static std::string path(int channel)
    {
        char name[32];
        std::snprintf(name, sizeof name, "channel_%02d.lmd", channel);
        return name;
    }

    std::vector<long> written_;
};

} // namespace daq

int main(int argc, char **argv)
{
    long hits = argc > 1 ? std::atol(argv[1]) : 50000;
    daq::HitSource source(88172645463325252ull);
    daq::ChannelWriter writer(daq::HitSource::kChannels);
    double charge = 0.0;
    long kept = 0;
    for (long i = 0; i < hits; ++i) {
        daq::Hit hit = source.next();
        if (hit.amplitude < 80)
            continue;
        writer.store(hit);
        charge += hit.amplitude - hit.baseline;
        ++kept;
    }
    long busiest = 0;
    for (int c = 1; c < daq::HitSource::kChannels; ++c)
        if (writer.written(c) > writer.written(static_cast<int>(busiest)))
            busiest = c;
    std::cout << kept << " of " << hits << " hits kept, charge " << charge
              << ", busiest channel " << busiest << '\n';
    return 0;
}
