// stopping_power: energy loss of ion beams in layered targets.
//
// For every ion / target-element pair of the beam plan the stopping cross
// section is taken from a measured table, if one of the table collections of
// the group has it, otherwise from the Bethe formula with an effective charge.
//
//   stopping_power NSHOTS
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace {

const std::vector<std::string> kCollections = {
    "tables/local",          "tables/beamtime_2019", "tables/beamtime_2021",
    "tables/beamtime_2023",  "tables/paul_db",       "tables/icru49",
    "tables/icru73",         "tables/astar",         "tables/pstar",
    "tables/ziegler",        "tables/munich",        "tables/lyon",
};

struct Table {
    std::vector<double> energy, value;   // MeV/u, 1e-15 eV cm2/atom

    double at(double e) const {
        std::size_t k = 1;
        while (k + 1 < energy.size() && energy[k] < e) ++k;
        double w = (std::log(e) - std::log(energy[k - 1])) /
                   (std::log(energy[k]) - std::log(energy[k - 1]));
        return value[k - 1] + w * (value[k] - value[k - 1]);
    }
};

struct Layer {
    int z;              // element
    double areal;       // 1e15 atoms/cm2
};

std::optional<Table> find_table(int z_ion, int z_target) {
    char name[48];
    std::snprintf(name, sizeof name, "S_%02d_in_%02d.dat", z_ion, z_target);
    for (const auto& dir : kCollections) {
        std::ifstream in(dir + "/" + name);
        if (!in)
            continue;
        Table t;
        double e, s;
        while (in >> e >> s) {
            t.energy.push_back(e);
            t.value.push_back(s);
        }
        return t;
    }
    return std::nullopt;
}

double bethe(int z_ion, int z_target, double mev_u) {
    double beta2 = 2.0 * mev_u / 931.494;
    double zeff = z_ion * (1.0 - std::exp(-125.0 * std::sqrt(beta2) *
                                          std::pow(z_ion, -2.0 / 3.0)));
    double mean_i = 10.0e-6 * z_target;           // mean excitation energy, MeV
    double l = std::log(1.0 + 1.022 * beta2 / mean_i);
    return 0.51 * zeff * zeff * z_target * l / beta2 * 1e-3;
}

class Target {
public:
    explicit Target(std::vector<Layer> layers) : layers_(std::move(layers)) {}

    // energy after all layers, MeV/u
    double transmit(int z_ion, double mass, double mev_u) const {
        for (const Layer& layer : layers_) {
            const auto table = find_table(z_ion, layer.z);
            const int steps = 64;
            for (int i = 0; i < steps && mev_u > 0.05; ++i) {
                double s = table ? table->at(mev_u) : bethe(z_ion, layer.z, mev_u);
                mev_u -= s * layer.areal / steps * 1e-6 / mass;
            }
        }
        return mev_u > 0.05 ? mev_u : 0.0;
    }

private:
    std::vector<Layer> layers_;
};

}  // namespace

int main(int argc, char** argv) {
    const int shots = argc > 1 ? std::atoi(argv[1]) : 5000;
    std::mt19937_64 gen(20110311);
    std::uniform_int_distribution<int> ion(2, 54), element(4, 82);
    std::uniform_real_distribution<double> energy(1.0, 8.0), thick(50.0, 900.0);

    double sum = 0.0, sum2 = 0.0;
    int stopped = 0;
    std::ofstream out("transmission.txt");
    for (int n = 0; n < shots; ++n) {
        std::vector<Layer> layers;
        for (int k = 0; k < 6; ++k)
            layers.push_back({element(gen), thick(gen)});
        const int z = ion(gen);
        const double e0 = energy(gen);
        const double e1 = Target(layers).transmit(z, 2.1 * z, e0);
        out << z << ' ' << e0 << ' ' << e1 << '\n';
        sum += e0 - e1;
        sum2 += (e0 - e1) * (e0 - e1);
        stopped += e1 == 0.0;
    }
    const double mean = sum / shots;
    std::printf("%d shots, loss %.4f +- %.4f MeV/u, %d stopped\n", shots, mean,
                std::sqrt(sum2 / shots - mean * mean), stopped);
}
