// Segments simulated nanopore currents into events and files them by channel.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <random>
#include <string>
#include <sys/stat.h>
#include <vector>

struct Event {
    std::int64_t start;
    std::int32_t length;
    float mean;
    float stdv;
    std::int32_t channel;
};

class CurrentSource {
public:
    explicit CurrentSource(unsigned seed) : rng_(seed) {}

    // fills one raw chunk of a randomly active channel, returns the channel
    int next_chunk(std::vector<float> &samples, int nchannel)
    {
        int channel = static_cast<int>(rng_() % static_cast<unsigned>(nchannel));
        float level = 60.0f + static_cast<float>(rng_() % 600u) * 0.1f;
        for (float &s : samples) {
            if (rng_() % 30u == 0)
                level = 60.0f + static_cast<float>(rng_() % 600u) * 0.1f;
            s = level + static_cast<float>(rng_() % 100u) * 0.02f;
        }
        return channel;
    }

private:
    std::mt19937 rng_;
};

static void segment(const std::vector<float> &samples, int channel, std::int64_t start,
                    std::vector<Event> &events)
{
    std::size_t begin = 0;
    events.clear();
    for (std::size_t i = 1; i <= samples.size(); ++i) {
        if (i < samples.size() && std::fabs(samples[i] - samples[i - 1]) < 3.0f)
            continue;
        double sum = 0.0, sq = 0.0;
        for (std::size_t k = begin; k < i; ++k) {
            sum += samples[k];
            sq += static_cast<double>(samples[k]) * samples[k];
        }
        double n = static_cast<double>(i - begin);
        double mean = sum / n;
        events.push_back({start + static_cast<std::int64_t>(begin),
                          static_cast<std::int32_t>(i - begin), static_cast<float>(mean),
                          static_cast<float>(std::sqrt(std::max(0.0, sq / n - mean * mean))),
                          channel});
        begin = i;
    }
}

class ChannelArchive {
public:
    ChannelArchive(const std::string &dir, int nchannel) : dir_(dir)
    {
        mkdir(dir_.c_str(), 0755);
        for (int c = 0; c < nchannel; ++c)
            std::remove((dir_ + "/channel_" + std::to_string(c) + ".evt").c_str());
    }

    void store(int channel, const std::vector<Event> &events)
    {
        std::ofstream out(dir_ + "/channel_" + std::to_string(channel) + ".evt",
                          std::ios::binary | std::ios::app);
        out.write(reinterpret_cast<const char *>(events.data()),
                  static_cast<std::streamsize>(events.size() * sizeof(Event)));
        if (!out) {
            std::cerr << "channel " << channel << ": write failed\n";
            std::exit(1);
        }
    }

private:
    std::string dir_;
};

int main(int argc, char **argv)
{
    long nchunk = argc > 1 ? std::atol(argv[1]) : 240000;
    const int nchannel = 64;
    CurrentSource source(97);
    ChannelArchive archive("events", nchannel);
    std::vector<float> samples(100);
    std::vector<Event> events;
    std::vector<std::int64_t> clock(nchannel, 0);
    long total = 0;
    double dwell = 0.0;

    for (long c = 0; c < nchunk; ++c) {
        int channel = source.next_chunk(samples, nchannel);
        segment(samples, channel, clock[static_cast<std::size_t>(channel)], events);
        clock[static_cast<std::size_t>(channel)] += static_cast<std::int64_t>(samples.size());
        archive.store(channel, events);
        total += static_cast<long>(events.size());
        for (const Event &e : events)
            dwell += e.length;
    }
    std::printf("%ld chunks, %ld events, mean dwell %.3f samples\n", nchunk, total, dwell / total);
    return 0;
}
