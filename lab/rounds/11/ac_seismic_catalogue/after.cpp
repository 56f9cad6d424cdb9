// Gutenberg-Richter statistics of an earthquake catalogue: b-value after Aki,
// depth histogram, and waiting times between events above a threshold.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

struct Event {
    double time;                 // s since start of the catalogue
    float lat, lon, depth;       // deg, deg, km
    float magnitude, error;
    int32_t station;
    char spare[16];
};
static_assert(sizeof(Event) == 48, "catalogue record");

class Catalogue {
public:
    explicit Catalogue(const std::string &path) : in(path, std::ios::binary)
    {
        char magic[8];
        in.read(magic, 8);
        if (!in || std::string(magic, 8) != "QUAKECAT")
            throw std::runtime_error("not a catalogue: " + path);
        in.read(reinterpret_cast<char *>(&count), sizeof count);
    }
    int64_t size() const { return count; }

    Event event(int64_t i)
    {
        Event e;
        if (i != next)
            in.seekg(header + i * static_cast<int64_t>(sizeof(Event)));
        in.read(reinterpret_cast<char *>(&e), sizeof e);
        next = i + 1;
        return e;
    }

private:
    std::ifstream in;
    int64_t count = 0, next = 0;
    static constexpr int64_t header = 16;
};

// great-circle distance in km
static double distance(double lat1, double lon1, double lat2, double lon2)
{
    const double rad = M_PI / 180.0;
    double s1 = std::sin(0.5 * (lat2 - lat1) * rad), s2 = std::sin(0.5 * (lon2 - lon1) * rad);
    double a = s1 * s1 + std::cos(lat1 * rad) * std::cos(lat2 * rad) * s2 * s2;
    return 2 * 6371.0 * std::asin(std::sqrt(a));
}

int main(int argc, char **argv)
{
    double mc = argc > 1 ? std::atof(argv[1]) : 2.0;        // completeness
    double strong = argc > 2 ? std::atof(argv[2]) : 4.0;    // for the waiting times
    Catalogue cat("catalogue.bin");

    std::vector<long> by_depth(40, 0), by_distance(60, 0);
    double sum = 0, last = -1, wait_sum = 0, wait_sq = 0;
    long n = 0, waits = 0;
    for (int64_t i = 0; i < cat.size(); i++) {
        Event e = cat.event(i);
        int bin = static_cast<int>(e.depth / 10.0f);
        if (bin < 40)
            by_depth[bin]++;
        double d = distance(e.lat, e.lon, 38.0, 142.0);
        if (d < 600)
            by_distance[static_cast<int>(d / 10.0)]++;
        if (e.magnitude >= mc) {
            sum += e.magnitude - mc;
            n++;
        }
        if (e.magnitude >= strong) {
            if (last >= 0) {
                double w = (e.time - last) / 86400.0;
                wait_sum += w;
                wait_sq += w * w;
                waits++;
            }
            last = e.time;
        }
    }
    double b = n / (sum * std::log(10.0));
    double mean = wait_sum / waits;
    std::cout << "events >= Mc: " << n << "  b = " << b << " +- " << b / std::sqrt(double(n)) << "\n"
              << "waiting time: " << mean << " d, cv = "
              << std::sqrt(wait_sq / waits - mean * mean) / mean << "\n";
    std::ofstream out("histograms.txt");
    for (size_t k = 0; k < by_depth.size(); k++)
        out << "depth " << k * 10 << " " << by_depth[k] << "\n";
    for (size_t k = 0; k < by_distance.size(); k++)
        out << "distance " << k * 10 << " " << by_distance[k] << "\n";
    return 0;
}
