// Convert amplitude picks to physical units with the calibration of the station;
// the operators may exchange a calibration file while we run.
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

namespace fs = std::filesystem;

struct Pick {
    std::int32_t station;
    std::int32_t counts;
};

struct Calibration {
    fs::path file;
    fs::file_time_type stamp;
    double gain = 1, offset = 0;
    long loads = 0;

    void load() {
        std::ifstream in(file);
        std::string key;
        double v;
        while (in >> key >> v) {
            if (key == "gain") gain = v;
            if (key == "offset") offset = v;
        }
        loads++;
    }
};

class CalibrationStore {
public:
    explicit CalibrationStore(const fs::path &dir) {
        for (std::size_t s = 0; s < table_.size(); s++) {
            table_[s].file = dir / ("STA" + std::to_string(s) + ".cal");
            table_[s].stamp = fs::last_write_time(table_[s].file);
            table_[s].load();
        }
    }

    const Calibration &get(int station) {
        return table_[static_cast<std::size_t>(station) % table_.size()];
    }

    void refresh() {
        for (Calibration &c : table_) {
            auto now = fs::last_write_time(c.file);
            if (now != c.stamp) {
                c.stamp = now;
                c.load();
            }
        }
    }

    long loads() const {
        long n = 0;
        for (const auto &c : table_) n += c.loads;
        return n;
    }

private:
    std::array<Calibration, 8> table_;
};

class PickReader {
public:
    explicit PickReader(const std::string &path) : in_(path, std::ios::binary), block_(8192) {
        if (!in_) {
            std::cerr << path << ": cannot open\n";
            std::exit(1);
        }
    }
    bool next(const Pick *&first, std::size_t &n) {
        in_.read(reinterpret_cast<char *>(block_.data()), static_cast<std::streamsize>(block_.size() * sizeof(Pick)));
        n = static_cast<std::size_t>(in_.gcount()) / sizeof(Pick);
        first = block_.data();
        return n > 0;
    }

private:
    std::ifstream in_;
    std::vector<Pick> block_;
};

int main(int argc, char **argv) {
    std::string path = argc > 1 ? argv[1] : "amplitudes.bin";
    CalibrationStore store(argc > 2 ? argv[2] : "calib/NZ");
    PickReader reader(path);
    std::array<double, 8> sum{}, sq{};
    std::array<long, 8> count{};
    const Pick *p = nullptr;
    std::size_t n = 0;
    std::ofstream out("amplitudes.f32", std::ios::binary);
    std::vector<float> converted;

    while (reader.next(p, n)) {
        converted.clear();
        store.refresh();
        for (std::size_t i = 0; i < n; i++) {
            const Calibration &c = store.get(p[i].station);
            double v = c.gain * p[i].counts + c.offset;
            auto s = static_cast<std::size_t>(p[i].station) % sum.size();
            sum[s] += v;
            sq[s] += v * v;
            count[s]++;
            converted.push_back(static_cast<float>(v));
        }
        out.write(reinterpret_cast<const char *>(converted.data()),
                  static_cast<std::streamsize>(converted.size() * sizeof(float)));
    }
    for (std::size_t s = 0; s < sum.size(); s++) {
        double m = count[s] ? sum[s] / static_cast<double>(count[s]) : 0;
        double r = count[s] ? std::sqrt(sq[s] / static_cast<double>(count[s])) : 0;
        std::printf("STA%zu %ld mean %.4f rms %.3f\n", s, count[s], m, r);
    }
    std::printf("calibrations loaded %ld\n", store.loads());
    return 0;
}
