// Propagation of a catalogue of satellites: the secular drift by J2 and drag
// is applied to the elements of each object in the catalogue file.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

struct Elements {
    std::uint32_t id;
    std::uint32_t epoch;
    double a, e, i, node, argp, mean;
    double ballistic;
    double spare;
};

constexpr double MU = 398600.4418, RE = 6378.137, J2 = 1.08262668e-3;

class Catalogue {
public:
    explicit Catalogue(const std::string &path)
        : file_(path, std::ios::in | std::ios::out | std::ios::binary)
    {
        if (!file_) throw std::runtime_error("cannot open " + path);
        file_.seekg(0, std::ios::end);
        count_ = static_cast<std::size_t>(file_.tellg()) / sizeof(Elements);
        all_.resize(count_);
        file_.seekg(0);
        file_.read(reinterpret_cast<char *>(all_.data()), bytes());
    }

    std::size_t size() const { return count_; }

    Elements get(std::size_t k)
    {
        return all_[k];
    }

    void put(std::size_t k, const Elements &el)
    {
        all_[k] = el;
    }

    void finish()
    {
        file_.seekp(0);
        file_.write(reinterpret_cast<const char *>(all_.data()), bytes());
        file_.flush();
    }

private:
    std::streamsize bytes() const { return static_cast<std::streamsize>(count_ * sizeof(Elements)); }
    std::vector<Elements> all_;
    std::fstream file_;
    std::size_t count_ = 0;
};

static void make_catalogue(const std::string &path, std::size_t n)
{
    std::vector<Elements> all(n);
    std::uint64_t s = 12345;
    auto uni = [&s]() {
        s = s * 6364136223846793005ULL + 1442695040888963407ULL;
        return static_cast<double>(s >> 33) / 2147483648.0;
    };
    for (std::size_t k = 0; k < n; ++k) {
        Elements &el = all[k];
        el = Elements{};
        el.id = static_cast<std::uint32_t>(10000 + k);
        el.a = RE + 300 + 1500 * uni();
        el.e = 0.02 * uni();
        el.i = 3.1 * uni();
        el.node = 6.28 * uni();
        el.argp = 6.28 * uni();
        el.mean = 6.28 * uni();
        el.ballistic = 1e-3 + 0.02 * uni();
    }
    std::ofstream out(path, std::ios::binary);
    out.write(reinterpret_cast<const char *>(all.data()),
              static_cast<std::streamsize>(n * sizeof(Elements)));
}

static void propagate(Elements &el, double days, int substeps)
{
    const double dt = days * 86400.0 / substeps;
    for (int k = 0; k < substeps; ++k) {
        const double n = std::sqrt(MU / (el.a * el.a * el.a));
        const double p = el.a * (1 - el.e * el.e);
        const double f = 1.5 * J2 * (RE / p) * (RE / p) * n;
        const double c = std::cos(el.i);
        el.node = std::fmod(el.node - f * c * dt, 2 * M_PI);
        el.argp = std::fmod(el.argp + f * (2 - 2.5 * (1 - c * c)) * dt, 2 * M_PI);
        el.mean = std::fmod(el.mean + n * dt, 2 * M_PI);
        const double rho = 4e-4 * std::exp(-(el.a - RE - 300) / 60.0);
        el.a -= el.ballistic * rho * el.a * 1e-6 * dt;
    }
    el.epoch += static_cast<std::uint32_t>(days);
}

int main(int argc, char **argv)
{
    const std::size_t n = argc > 1 ? std::stoul(argv[1]) : 100000;
    make_catalogue("catalogue.bin", n);
    double sum = 0;
    {
        Catalogue cat("catalogue.bin");
        for (std::size_t k = 0; k < cat.size(); ++k) {
            Elements el = cat.get(k);
            propagate(el, 1.0, 8);
            cat.put(k, el);
            sum += el.a + el.node;
        }
        cat.finish();
    }
    std::printf("objects %zu checksum %.6f\n", n, sum);
}
