// Calibration of a stratigraphic sequence of radiocarbon dates by a
// Metropolis chain (layers must keep their order; wiggly calibration curve).
//
//   usage: seq14c <sweeps> <layers>
#include <sys/stat.h>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <random>
#include <vector>

class Curve {                       // calendar age -> 14C age
public:
    Curve() : age_(9000) {
        for (int t = 0; t < 9000; ++t)
            age_[t] = 0.93 * t + 120.0 * std::sin(t / 410.0)
                    + 35.0 * std::sin(t / 67.0) + 14.0 * std::cos(t / 21.0);
    }
    double operator()(double cal) const {
        const int i = static_cast<int>(cal);
        const double f = cal - i;
        return (1 - f) * age_[i] + f * age_[i + 1];
    }
private:
    std::vector<double> age_;
};

struct Sample { double age, sigma; };

class Model {
public:
    virtual ~Model() = default;
    virtual double logLike(int layer, double cal) const = 0;
};

class Outlier : public Model {      // normal plus a broad component
public:
    Outlier(const Curve& c, std::vector<Sample> s) : curve_(c), samples_(std::move(s)) {}
    double logLike(int layer, double cal) const override {
        const double d = (samples_[layer].age - curve_(cal)) / samples_[layer].sigma;
        return std::log(0.95 * std::exp(-0.5 * d * d)
                        + 0.05 / 10.0 * std::exp(-0.005 * d * d) + 1e-300);
    }
private:
    const Curve& curve_;
    std::vector<Sample> samples_;
};

// the night operator may create this file to end a chain early
static bool stopRequested() {
    struct stat st;
    return ::stat("STOP", &st) == 0;
}

class Trace {
public:
    explicit Trace(const char* name) : out_(name, std::ios::binary) {}
    void state(const std::vector<double>& cal) {
        for (double c : cal) {
            const float f = static_cast<float>(c);
            out_.write(reinterpret_cast<const char*>(&f), sizeof f);
        }
    }
private:
    std::ofstream out_;
};

int main(int argc, char** argv) {
    const long sweeps = argc > 1 ? std::atol(argv[1]) : 100000;
    const int layers  = argc > 2 ? std::atoi(argv[2]) : 24;

    std::mt19937 rng(1950);
    std::normal_distribution<double> gauss(0, 1);
    std::uniform_real_distribution<double> uni(0, 1);

    const Curve curve;
    std::vector<Sample> samples;
    std::vector<double> cal(layers), mean(layers, 0.0);
    for (int k = 0; k < layers; ++k) {
        cal[k] = 2200.0 + 4000.0 * (k + 0.5) / layers;
        samples.push_back({curve(cal[k]) + 30.0 * gauss(rng), 25.0 + 20.0 * uni(rng)});
    }
    std::unique_ptr<Model> model = std::make_unique<Outlier>(curve, samples);

    Trace trace("chain.f32");
    long accepted = 0, done = 0;
    for (long s = 0; s < sweeps; ++s) {
        for (int k = 0; k < layers; ++k) {
            const double prop = cal[k] + 40.0 * gauss(rng);
            const double low  = k ? cal[k - 1] : 50.0;
            const double high = k + 1 < layers ? cal[k + 1] : 8900.0;
            if (prop <= low || prop >= high) continue;
            const double dl = model->logLike(k, prop) - model->logLike(k, cal[k]);
            if (dl > 0 || uni(rng) < std::exp(dl)) { cal[k] = prop; ++accepted; }
        }
        for (int k = 0; k < layers; ++k) mean[k] += cal[k];
        ++done;
        if (s % 20 == 0) trace.state(cal);
        if (s % 500 == 0 && stopRequested()) break;
    }

    std::cout << "acceptance " << double(accepted) / (done * layers) << '\n';
    for (int k = 0; k < layers; k += 6)
        std::cout << "layer " << k << "  cal BP " << mean[k] / done << '\n';
}
