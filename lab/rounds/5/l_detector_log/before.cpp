// Reconstruct tracks in a toy drift chamber and log every event.
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

constexpr int LAYERS = 24;

class Settings {
public:
    Settings() {
        for (const char *folder : {"./site", "./conf", "/usr/local/share/chamber", "/etc/chamber", "."}) {
            std::ifstream in(std::string(folder) + "/chamber.cfg");
            if (!in) continue;
            std::string key;
            double value;
            while (in >> key >> value) values_[key] = value;
        }
    }
    double get(const std::string &key, double fallback) const {
        auto it = values_.find(key);
        return it == values_.end() ? fallback : it->second;
    }

private:
    std::map<std::string, double> values_;
};

struct Hit {
    double radius, phi, sigma;
};

class Generator {
public:
    explicit Generator(uint64_t seed) : state_(seed) {}
    double uniform() {
        state_ ^= state_ << 13;
        state_ ^= state_ >> 7;
        state_ ^= state_ << 17;
        return (state_ >> 11) * (1.0 / 9007199254740992.0);
    }
    double gauss() {
        double u = 1.0 - uniform(), v = uniform();
        return std::sqrt(-2.0 * std::log(u)) * std::cos(2.0 * M_PI * v);
    }

private:
    uint64_t state_;
};

static std::array<Hit, LAYERS> make_event(Generator &gen, double field, double &curvature) {
    std::array<Hit, LAYERS> hits;
    double phi0 = 2.0 * M_PI * gen.uniform();
    curvature = 0.3 * field * (gen.uniform() - 0.5);
    for (int l = 0; l < LAYERS; l++) {
        double r = 0.2 + 0.04 * l;
        hits[l] = {r, phi0 + std::asin(0.5 * curvature * r) + 0.0004 * gen.gauss(), 0.0004};
    }
    return hits;
}

struct Fit {
    double phi0, curvature, chi2;
    int iterations;
};

static Fit fit_track(const std::array<Hit, LAYERS> &hits) {
    Fit best{0, 0, 1e300, 0};
    for (double start = -0.15; start <= 0.15; start += 0.0025) {
        double phi0 = hits[0].phi, kappa = start, chi2 = 0.0;
        int it = 0;
        for (; it < 8; it++) {
            double a = 0, b = 0, c = 0, u = 0, v = 0;
            chi2 = 0.0;
            for (const Hit &h : hits) {
                double s = 0.5 * kappa * h.radius;
                double res = (h.phi - phi0 - std::asin(s)) / h.sigma;
                double dk = 0.5 * h.radius / std::sqrt(1.0 - s * s) / h.sigma, dp = 1.0 / h.sigma;
                a += dp * dp, b += dp * dk, c += dk * dk, u += dp * res, v += dk * res;
                chi2 += res * res;
            }
            double det = a * c - b * b;
            double step = (a * v - b * u) / det;
            phi0 += (c * u - b * v) / det;
            kappa += step;
            if (std::fabs(step) < 1e-12) break;
        }
        if (chi2 < best.chi2) best = {phi0, kappa, chi2, it};
    }
    return best;
}

int main(int argc, char **argv) {
    int n_events = argc > 1 ? std::atoi(argv[1]) : 12000;
    Settings settings;
    double field = settings.get("field", 1.5);
    Generator gen(4101842887655102017ull);
    std::ofstream log("events.log");
    log << std::fixed;
    double bias = 0.0, chi2 = 0.0;
    for (int e = 0; e < n_events; e++) {
        double truth;
        auto hits = make_event(gen, field, truth);
        Fit fit = fit_track(hits);
        bias += fit.curvature - truth;
        chi2 += fit.chi2;
        log << e << ' ' << std::setprecision(6) << fit.curvature << ' ' << fit.chi2 << '\n';
        if (e % 1000 == 999) log << "# " << e + 1 << " events" << std::endl;
    }
    std::cout << std::setprecision(10) << "bias " << bias / n_events << " chi2 " << chi2 / n_events << "\n";
}
