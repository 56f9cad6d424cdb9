// Groups the coins of a hoard by the die that struck their obverse.
//
// The outline of the portrait of each coin was traced from a photograph as radii about the
// centre of the flan. Outlines of one die agree up to a rotation and to noise. A coin joins
// the group with the closest outline, or founds a group.
//
// usage: dies catalogue.txt folder tolerance
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace fs = std::filesystem;

using Outline = std::vector<float>;

struct Coin {
    std::string number;
    double grams;
    int die = -1;
};

struct Die {
    Outline mean;
    int coins = 0;
    double grams = 0;
};

// The photographs of a hoard. The names begin with the catalogue number and the side; the
// photographer and the day that follow differ from coin to coin.
class Photographs {
public:
    explicit Photographs(const fs::path& folder) {
        for (const auto& entry : fs::directory_iterator(folder)) paths_.push_back(entry.path());
        std::sort(paths_.begin(), paths_.end());
    }

    fs::path find(const std::string& number, const std::string& side) const {
        const std::string begin = number + "_" + side + "_";
        // the last photograph by day counts
        const auto name = [](const fs::path& p) { return p.native().substr(p.native().rfind('/') + 1); };
        auto at = std::lower_bound(paths_.begin(), paths_.end(), begin + "~",
                                   [&](const fs::path& p, const std::string& s) { return name(p) < s; });
        if (at == paths_.begin()) return fs::path();
        --at;
        return name(*at).compare(0, begin.size(), begin) == 0 ? *at : fs::path();
    }

private:
    std::vector<fs::path> paths_;
};

static Outline readOutline(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    char magic[4];
    std::uint32_t points = 0;
    in.read(magic, 4);
    in.read(reinterpret_cast<char*>(&points), sizeof points);
    Outline outline(points);
    in.read(reinterpret_cast<char*>(outline.data()), std::streamsize(points * sizeof(float)));
    if (!in) {
        std::fprintf(stderr, "%s: no outline\n", path.c_str());
        std::exit(1);
    }
    return outline;
}

// Smallest mean square difference over all rotations, and that rotation.
static std::pair<double, std::size_t> difference(const Outline& a, const Outline& b) {
    const std::size_t n = a.size();
    std::pair<double, std::size_t> best(1e30, 0);
    for (std::size_t shift = 0; shift < n; ++shift) {
        float sum = 0;
        for (std::size_t i = 0; i < n; ++i) {
            const float d = a[i] - b[i + shift < n ? i + shift : i + shift - n];
            sum += d * d;
        }
        if (sum / n < best.first) best = {sum / n, shift};
    }
    return best;
}

static void join(Die& die, const Outline& outline, std::size_t shift, double grams) {
    const std::size_t n = outline.size();
    if (die.mean.empty()) die.mean.assign(n, 0);
    for (std::size_t i = 0; i < n; ++i)
        die.mean[i] = (die.mean[i] * die.coins + outline[(i + shift) % n]) / (die.coins + 1);
    ++die.coins;
    die.grams += grams;
}

int main(int argc, char** argv) {
    const char* catalogue = argc > 1 ? argv[1] : "catalogue.txt";
    const Photographs photographs(argc > 2 ? argv[2] : "hoard");
    const double tolerance = argc > 3 ? std::atof(argv[3]) : 0.002;

    std::vector<Coin> coins;
    std::ifstream in(catalogue);
    for (Coin c; in >> c.number >> c.grams;) coins.push_back(c);

    std::vector<Die> dies;
    for (Coin& coin : coins) {
        const fs::path path = photographs.find(coin.number, "obv");
        if (path.empty()) continue;
        const Outline outline = readOutline(path);
        std::pair<double, std::size_t> best(1e30, 0);
        for (std::size_t d = 0; d < dies.size(); ++d) {
            const auto value = difference(dies[d].mean, outline);
            if (value.first < best.first) {
                best = value;
                coin.die = int(d);
            }
        }
        if (best.first > tolerance) {
            coin.die = int(dies.size());
            dies.emplace_back();
            best.second = 0;
        }
        join(dies[coin.die], outline, best.second, coin.grams);
    }

    std::FILE* out = std::fopen("dies.txt", "w");
    for (std::size_t d = 0; d < dies.size(); ++d)
        std::fprintf(out, "die %3zu: %4d coins, mean %.3f g\n", d, dies[d].coins,
                     dies[d].grams / dies[d].coins);
    for (const Coin& c : coins) std::fprintf(out, "%s %d\n", c.number.c_str(), c.die);
    std::fclose(out);
    std::printf("%zu coins, %zu dies\n", coins.size(), dies.size());
    return 0;
}
