// Rainfall network: turns the merged telegram stream of all gauges into one
// quality-controlled series per station.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <random>
#include <string>
#include <vector>

struct Telegram {
    int station;
    int minute;
    double rain_mm;
    double battery;
};

class GaugeModel {
public:
    explicit GaugeModel(unsigned seed) : gen_(seed) {}

    Telegram next(int nstations, int serial)
    {
        Telegram t;
        t.station = static_cast<int>(gen_() % nstations);
        t.minute = serial / nstations;
        double wet = std::sin(0.003 * t.minute + 0.2 * t.station);
        t.rain_mm = wet > 0.0 ? wet * unit_(gen_) * 2.0 : 0.0;
        t.battery = 12.0 + 0.5 * unit_(gen_);
        return t;
    }

private:
    std::mt19937 gen_;
    std::uniform_real_distribution<double> unit_{0.0, 1.0};
};

class StationSeries {
public:
    explicit StationSeries(int nstations) : total_(nstations, 0.0), count_(nstations, 0)
    {
        for (int s = 0; s < nstations; ++s) {
            out_.emplace_back(name(s), std::ios::trunc);
            out_.back() << "minute,rain_um\n";
        }
    }

    void add(const Telegram &t)
    {
        long micrometre = std::lround(t.rain_mm * 1000.0);
        out_[t.station] << t.minute << ',' << micrometre << '\n';
        total_[t.station] += t.rain_mm;
        ++count_[t.station];
    }

    double total(int s) const { return total_[s]; }
    long count(int s) const { return count_[s]; }

private:
    static std::string name(int s) { return "gauge_" + std::to_string(s) + ".csv"; }

    std::vector<std::ofstream> out_;
    std::vector<double> total_;
    std::vector<long> count_;
};

static bool plausible(const Telegram &t)
{
    return t.battery > 11.5 && t.rain_mm >= 0.0 && t.rain_mm < 10.0;
}

int main(int argc, char **argv)
{
    const int telegrams = argc > 1 ? std::atoi(argv[1]) : 180000;
    const int nstations = 24;
    GaugeModel model(77);
    StationSeries series(nstations);

    long rejected = 0;
    for (int i = 0; i < telegrams; ++i) {
        Telegram t = model.next(nstations, i);
        if (plausible(t))
            series.add(t);
        else
            ++rejected;
    }
    for (int s = 0; s < nstations; ++s)
        std::printf("station %2d  %7ld telegrams  %10.3f mm\n", s, series.count(s),
                    series.total(s));
    std::printf("rejected %ld\n", rejected);
    return 0;
}
