// Flat-fielded photometry of a survey: each exposure is corrected CCD by CCD with the most
// specific flat that exists (same exposure, same night, nearby nights, default).
//
// usage: survey nights exposures_per_night
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace {

constexpr int kCcds = 24;
constexpr int kPixels = 256;      // pixels of one collapsed column profile
constexpr int kNearby = 5;        // nights before that are still acceptable

using Flat = std::vector<float>;

struct Random {
    std::uint64_t s;
    double next() {
        s ^= s << 13; s ^= s >> 7; s ^= s << 17;
        return (s >> 11) / 9007199254740992.0;
    }
};

std::string flatName(const std::string& folder, int ccd) {
    char buf[160];
    std::snprintf(buf, sizeof buf, "calib/%s/flat_%02d.bin", folder.c_str(), ccd);
    return buf;
}

std::string nightName(int night) {
    char buf[32];
    std::snprintf(buf, sizeof buf, "night_%04d", night);
    return buf;
}

class FlatLibrary {
public:
    FlatLibrary() {
        for (const auto& entry : std::filesystem::recursive_directory_iterator("calib"))
            if (entry.is_regular_file()) present_.insert(entry.path().string());
    }

    // the flat for one CCD of one exposure
    const Flat& find(int night, int exposure, int ccd) {
        std::vector<std::string> folders;
        folders.push_back(nightName(night) + "/exp_" + std::to_string(exposure));
        for (int back = 0; back < kNearby; ++back)
            if (night - back >= 0) folders.push_back(nightName(night - back));
        folders.push_back("default");
        for (const auto& folder : folders) {
            const std::string name = flatName(folder, ccd);
            if (!present_.count(name)) continue;
            auto known = loaded_.find(name);
            if (known != loaded_.end()) return known->second;
            Flat flat;
            if (load(name, flat)) return loaded_.emplace(name, flat).first->second;
        }
        std::fprintf(stderr, "no flat for ccd %d\n", ccd);
        std::exit(1);
    }

private:
    bool load(const std::string& name, Flat& flat) {
        std::ifstream in(name, std::ios::binary);
        if (!in) return false;
        flat.resize(kPixels);
        in.read(reinterpret_cast<char*>(flat.data()), kPixels * sizeof(float));
        return bool(in);
    }

    std::map<std::string, Flat> loaded_;
    std::set<std::string> present_;
};

// background and brightest source of one profile
void measure(const std::vector<float>& profile, const Flat& flat, double& sky, double& peak) {
    double sum = 0, top = 0;
    for (int p = 0; p < kPixels; ++p) {
        const double value = profile[p] / flat[p];
        sum += value;
        if (value > top) top = value;
    }
    sky = sum / kPixels;
    peak = top - sky;
}

}  // namespace

int main(int argc, char** argv) {
    const int nights = argc > 1 ? std::atoi(argv[1]) : 100;
    const int exposures = argc > 2 ? std::atoi(argv[2]) : 20;
    FlatLibrary library;
    Random rng{88172645463325252ULL};
    std::vector<double> skyOfCcd(kCcds, 0.0);
    std::vector<float> profile(kPixels);
    double brightest = 0;

    for (int night = 0; night < nights; ++night) {
        const double moon = 1.0 + 0.5 * std::cos(2 * M_PI * night / 29.5);
        for (int e = 0; e < exposures; ++e) {
            for (int ccd = 0; ccd < kCcds; ++ccd) {
                for (auto& v : profile) v = float(200 * moon + 15 * (rng.next() + rng.next() - 1));
                profile[int(rng.next() * kPixels)] += float(1000 * std::pow(rng.next(), 3));
                double sky, peak;
                measure(profile, library.find(night, e, ccd), sky, peak);
                skyOfCcd[ccd] += sky;
                if (peak > brightest) brightest = peak;
            }
        }
    }

    std::ofstream out("sky.txt");
    for (int ccd = 0; ccd < kCcds; ++ccd)
        out << ccd << ' ' << skyOfCcd[ccd] / (double(nights) * exposures) << '\n';
    std::printf("%d exposures, brightest source %.2f\n", nights * exposures, brightest);
    return 0;
}
