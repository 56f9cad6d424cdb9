// Synthetic echoes of a side scan sonar: every rank steers one transducer
// (port / starboard) over a rough seabed and keeps the raw pings of its side
// in a file of its own, pings_<side>.raw, for the beam forming course.
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

struct Sonar {
    double c = 1490.0;             // m/s
    double f0 = 120e3;             // Hz
    double band = 12e3;            // Hz, chirp
    double fs = 48e3;              // complex sampling rate after mixing
    double pulse = 2.0e-3;         // s
    double height = 18.0;          // m above ground
    int samples = 8192;            // per ping
};

class Seabed {
public:
    explicit Seabed(unsigned seed) : rng_(seed), texture_(1 << 16) {
        std::normal_distribution<double> g;
        double slow = 0;
        for (auto &t : texture_) {
            slow = 0.995 * slow + 0.1 * g(rng_);
            t = float(std::exp(0.6 * slow) * (1 + 0.3 * g(rng_)));
        }
    }
    // backscatter at ground range y (m) on line x (m); Lambert's law
    double strength(double x, double y, double grazing) const {
        unsigned k = unsigned(x * 13.0) * 2654435761u + unsigned(y * 40.0);
        double ripple = 1 + 0.4 * std::sin(2.1 * y + 0.6 * x);
        return texture_[k & 0xffff] * ripple * std::pow(std::sin(grazing), 2);
    }
private:
    std::mt19937 rng_;
    std::vector<float> texture_;
};

using Ping = std::vector<std::complex<float>>;

// echo of one ping: scatterers of the ground convolved with the chirp
void echo(const Sonar &s, const Seabed &bed, double x, Ping &out, std::mt19937 &rng) {
    std::fill(out.begin(), out.end(), std::complex<float>());
    const int chirp = int(s.pulse * s.fs);
    static std::vector<std::complex<float>> replica;
    if (replica.empty())
        for (int k = 0; k < chirp; ++k) {
            double t = k / s.fs - 0.5 * s.pulse;
            double w = 0.5 - 0.5 * std::cos(2 * M_PI * (k + 0.5) / chirp);
            replica.push_back(std::polar(float(w), float(M_PI * s.band / s.pulse * t * t)));
        }
    std::uniform_real_distribution<double> phase(0, 2 * M_PI);
    for (int n = 0; n + chirp < s.samples; ++n) {
        double range = 0.5 * s.c * n / s.fs;
        if (range <= s.height) continue;
        double y = std::sqrt(range * range - s.height * s.height);
        double a = bed.strength(x, y, std::asin(s.height / range)) / range;
        std::complex<float> z = std::polar(float(a), float(phase(rng)));
        for (int k = 0; k < chirp; ++k) out[n + k] += z * replica[k];
    }
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int pings = argc > 1 ? std::stoi(argv[1]) : 1200;
    const int kTogether = 64;                         // pings per block on disk

    Sonar sonar;
    Seabed bed(100 + rank);
    std::mt19937 rng(7 * rank + 1);
    Ping ping(sonar.samples);
    std::vector<std::complex<float>> block;
    block.reserve(size_t(kTogether) * sonar.samples);

    std::string name = "pings_" + std::to_string(rank) + ".raw";
    std::FILE *f = std::fopen(name.c_str(), "wb");
    if (!f) MPI_Abort(MPI_COMM_WORLD, 1);
    double energy = 0;
    for (int p = 0; p < pings; ++p) {
        echo(sonar, bed, 0.12 * p, ping, rng);
        for (auto &z : ping) energy += std::norm(z);
        block.insert(block.end(), ping.begin(), ping.end());
        if (int(block.size()) == kTogether * sonar.samples || p + 1 == pings) {
            std::fwrite(block.data(), sizeof block[0], block.size(), f);
            block.clear();
        }
    }
    std::fclose(f);

    double total = 0;
    MPI_Reduce(&energy, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) std::printf("%d sides, mean ping energy %.5g\n", size, total / pings / size);
    MPI_Finalize();
}
