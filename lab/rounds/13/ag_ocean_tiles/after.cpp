// Barotropic ocean on tiles: wind-driven gyre, stream function and tracers.
// The state is kept in tiles (for the later MPI version), with restart points
// in between so that a long spin-up can be taken up again.
//
// usage: gyre CHECKPOINTS STEPS_BETWEEN
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

constexpr int TILES = 32, TS = 16, N = TILES * TS;   // 32 x 32 tiles of 16 x 16 cells

class Field {
public:
    Field(std::string name, double start) : name_(std::move(name)), v_(N * N, start) {}
    virtual ~Field() = default;
    virtual void step(const std::vector<double> &psi, double dt) = 0;
    double &at(int j, int i) { return v_[j * N + i]; }
    const std::string &name() const { return name_; }
    const std::vector<double> &values() const { return v_; }
    double mean() const { double s = 0; for (double x : v_) s += x; return s / v_.size(); }
    std::vector<double> tile(int tj, int ti) const {
        std::vector<double> t(TS * TS);
        for (int j = 0; j < TS; j++)
            for (int i = 0; i < TS; i++)
                t[j * TS + i] = v_[(tj * TS + j) * N + ti * TS + i];
        return t;
    }
protected:
    std::string name_;
    std::vector<double> v_;
};

class StreamFunction : public Field {
public:
    StreamFunction() : Field("psi", 0.0) {}
    void step(const std::vector<double> &, double dt) override {
        // Stommel: relaxation towards r lap(psi) + beta dpsi/dx = curl tau
        for (int j = 1; j < N - 1; j++) {
            double curl = -std::sin(M_PI * j / N);
            for (int i = 1; i < N - 1; i++) {
                double lap = at(j, i + 1) + at(j, i - 1) + at(j + 1, i) + at(j - 1, i) - 4 * at(j, i);
                double adv = 0.5 * (at(j, i + 1) - at(j, i - 1));
                at(j, i) += dt * (0.24 * lap + 0.05 * adv - 1e-3 * curl);
            }
        }
    }
};

class Tracer : public Field {
public:
    Tracer(std::string name, double start, double kappa) : Field(std::move(name), start), kappa_(kappa) {
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++) at(j, i) += 10 * std::cos(M_PI * j / N);
    }
    void step(const std::vector<double> &psi, double dt) override {
        std::vector<double> old = v_;
        for (int j = 1; j < N - 1; j++)
            for (int i = 1; i < N - 1; i++) {
                int k = j * N + i;
                double u = -(psi[k + N] - psi[k - N]) / 2, w = (psi[k + 1] - psi[k - 1]) / 2;
                double dx = u > 0 ? old[k] - old[k - 1] : old[k + 1] - old[k];
                double dy = w > 0 ? old[k] - old[k - N] : old[k + N] - old[k];
                v_[k] += dt * (kappa_ * (old[k + 1] + old[k - 1] + old[k + N] + old[k - N] - 4 * old[k])
                               - u * dx - w * dy);
            }
    }
private:
    double kappa_;
};

class RestartWriter {
public:
    explicit RestartWriter(std::string stem) : stem_(std::move(stem)) {}
    void save(int number, const std::vector<std::unique_ptr<Field>> &state) {
        std::ofstream out(stem_ + "_" + std::to_string(number), std::ios::binary);
        for (const auto &f : state)
            for (int tj = 0; tj < TILES; tj++)
                for (int ti = 0; ti < TILES; ti++)
                    save_tile(out, *f, tj, ti);
    }
private:
    // tiles in the order field, tile row, tile column
    void save_tile(std::ofstream &out, const Field &f, int tj, int ti) {
        std::vector<double> t = f.tile(tj, ti);
        out.write(reinterpret_cast<const char *>(t.data()), t.size() * sizeof(double));
    }
    std::string stem_;
};

int main(int argc, char **argv)
{
    int checkpoints = argc > 1 ? std::atoi(argv[1]) : 6;
    int between = argc > 2 ? std::atoi(argv[2]) : 20;
    std::vector<std::unique_ptr<Field>> state;
    state.push_back(std::make_unique<StreamFunction>());
    state.push_back(std::make_unique<Tracer>("temp", 12.0, 0.05));
    state.push_back(std::make_unique<Tracer>("salt", 35.0, 0.04));
    RestartWriter restart("restart");
    for (int c = 0; c < checkpoints; c++) {
        for (int s = 0; s < between; s++)
            for (auto &f : state) f->step(state[0]->values(), 0.5);
        restart.save(c, state);
    }
    for (auto &f : state) std::printf("%s mean %.9f\n", f->name().c_str(), f->mean());
    return 0;
}
