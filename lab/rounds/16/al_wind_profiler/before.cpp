// Consensus average of a radar wind profiler: per range gate the Doppler velocities of a
// window of scans are averaged over the largest group of values that agree.
//
// usage: consensus file window width
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <vector>

struct FileHeader {
    char magic[8];
    std::uint32_t gates, scans;
};

struct GateRecord {
    std::uint32_t scan;
    std::uint16_t gate, quality;
    double radial, vertical, width, snr;
    char spare[8];
};
static_assert(sizeof(GateRecord) == 48, "record layout");

constexpr std::streamoff kHeaderBytes = 64;

class ProfilerFile {
public:
    explicit ProfilerFile(const char* name) : in_(name, std::ios::binary) {
        if (!in_.read(reinterpret_cast<char*>(&head_), sizeof head_) ||
            std::strncmp(head_.magic, "WPROF01", 7) != 0) {
            std::cerr << name << ": not a profiler file\n";
            std::exit(1);
        }
        in_.seekg(kHeaderBytes);
    }
    const FileHeader& header() const { return head_; }

    GateRecord record(std::uint32_t scan, std::uint32_t gate) {
        GateRecord r;
        const std::streamoff index = std::streamoff(scan) * head_.gates + gate;
        in_.seekg(kHeaderBytes + index * std::streamoff(sizeof r));
        in_.read(reinterpret_cast<char*>(&r), sizeof r);
        return r;
    }

private:
    std::ifstream in_;
    FileHeader head_{};
};

// mean of the largest subset whose members lie within `width`; needs 60 % of the values
bool consensus(std::vector<double>& v, double width, double& mean) {
    std::sort(v.begin(), v.end());
    std::size_t bestLo = 0, best = 0;
    for (std::size_t lo = 0, hi = 0; lo < v.size(); ++lo) {
        while (hi < v.size() && v[hi] - v[lo] <= width) ++hi;
        if (hi - lo > best) { best = hi - lo; bestLo = lo; }
    }
    if (best == 0 || best * 10 < v.size() * 6) return false;
    double sum = 0;
    for (std::size_t i = bestLo; i < bestLo + best; ++i) sum += v[i];
    mean = sum / best;
    return true;
}

int main(int argc, char** argv) {
    const char* name = argc > 1 ? argv[1] : "profiler.dat";
    const std::uint32_t window = argc > 2 ? std::atoi(argv[2]) : 50;
    const double width = argc > 3 ? std::atof(argv[3]) : 2.0;

    ProfilerFile file(name);
    const auto gates = file.header().gates, scans = file.header().scans;
    std::vector<std::vector<double>> values(gates);
    std::vector<double> profile(gates, 0.0);
    std::vector<long> accepted(gates, 0);

    for (std::uint32_t first = 0; first + window <= scans; first += window) {
        for (auto& v : values) v.clear();
        for (std::uint32_t s = first; s < first + window; ++s)
            for (std::uint32_t g = 0; g < gates; ++g) {
                const GateRecord r = file.record(s, g);
                if (r.snr < 4.0 || r.quality == 7) continue;
                values[g].push_back(r.radial - r.vertical);
            }
        for (std::uint32_t g = 0; g < gates; ++g) {
            double mean;
            if (consensus(values[g], width, mean)) {
                profile[g] += mean;
                ++accepted[g];
            }
        }
    }

    std::ofstream out("winds.txt");
    long total = 0;
    for (std::uint32_t g = 0; g < gates; ++g) {
        out << 100 + 60 * g << ' ' << (accepted[g] ? profile[g] / accepted[g] : NAN) << ' '
            << accepted[g] << '\n';
        total += accepted[g];
    }
    std::cout << total << " consensus values from " << scans << " scans\n";
    return 0;
}
