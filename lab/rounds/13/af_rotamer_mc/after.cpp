// Metropolis sampling of a peptide backbone in torsion space.
// Every proposed conformation goes into the conformer history (binary frames);
// the history holds the accepted conformers when the run ends.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <random>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>

constexpr int NRES = 40;          // residues
constexpr double KT = 0.593;      // kcal/mol at 298 K

struct Frame {
    double energy;
    double phi[NRES], psi[NRES];
};

// ---------------------------------------------------------------- energies
class Term {
public:
    virtual ~Term() = default;
    virtual double local(const Frame &f, int r) const = 0;
};

class Ramachandran : public Term {
public:
    double local(const Frame &f, int r) const override {
        double a = f.phi[r] + 1.10, b = f.psi[r] + 0.75;      // alpha basin
        double c = f.phi[r] + 2.10, d = f.psi[r] - 2.30;      // beta basin
        return -3.0 * std::exp(-(a * a + b * b)) - 2.4 * std::exp(-0.8 * (c * c + d * d));
    }
};

class Cooperativity : public Term {
public:
    double local(const Frame &f, int r) const override {
        double e = 0;
        if (r > 0) e -= 0.5 * std::cos(f.phi[r] - f.phi[r - 1]);
        if (r < NRES - 1) e -= 0.5 * std::cos(f.phi[r] - f.phi[r + 1]);
        return e;
    }
};

// ----------------------------------------------------------------- history
class History {
public:
    explicit History(const std::string &name) {
        fd_ = ::open(name.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0644);
        if (fd_ < 0) throw std::runtime_error("cannot open " + name);
    }
    virtual ~History() { ::close(fd_); }
    virtual void propose(const Frame &f) = 0;
    virtual void keep() = 0;
    virtual void withdraw() = 0;
    long size() const { return n_; }

protected:
    int fd_;
    long n_ = 0;
};

class ConformerHistory : public History {
public:
    using History::History;
    ~ConformerHistory() override {
        if (::ftruncate(fd_, n_ * (off_t)sizeof(Frame)) != 0) std::perror("history");
    }
    void propose(const Frame &f) override {
        if (::pwrite(fd_, &f, sizeof f, n_ * (off_t)sizeof f) != (ssize_t)sizeof f)
            throw std::runtime_error("history: write failed");
    }
    void keep() override { n_++; }
    void withdraw() override {}       // the next proposal takes the place
};

// ----------------------------------------------------------------- sampler
class Sampler {
public:
    explicit Sampler(unsigned seed) : gen_(seed) {
        for (int r = 0; r < NRES; r++) { now_.phi[r] = -2.0; now_.psi[r] = 2.0; }
        now_.energy = 0;
        terms_.push_back(new Ramachandran);
        terms_.push_back(new Cooperativity);
    }
    ~Sampler() { for (auto *t : terms_) delete t; }

    void step(History &h) {
        int r = (int)(uni_(gen_) * NRES);
        Frame trial = now_;
        trial.phi[r] = 6.2831853 * (uni_(gen_) - 0.5);
        trial.psi[r] = 6.2831853 * (uni_(gen_) - 0.5);
        double de = 0;
        for (auto *t : terms_) de += t->local(trial, r) - t->local(now_, r);
        trial.energy = now_.energy + de;
        h.propose(trial);
        if (de <= 0 || uni_(gen_) < std::exp(-de / KT)) { now_ = trial; h.keep(); }
        else h.withdraw();
        sum_ += now_.energy;
        helix_ += now_.psi[r] < 0;
    }
    double sum() const { return sum_; }
    long helix() const { return helix_; }

private:
    std::mt19937 gen_;
    std::uniform_real_distribution<double> uni_{0, 1};
    std::vector<Term *> terms_;
    Frame now_{};
    double sum_ = 0;
    long helix_ = 0;
};

int main(int argc, char **argv) {
    long steps = argc > 1 ? std::atol(argv[1]) : 200000;
    ConformerHistory history("conformers.bin");
    Sampler s(4711);
    for (long i = 0; i < steps; i++) s.step(history);
    std::printf("accepted %ld of %ld, <E> = %.4f kcal/mol, helical %.3f\n", history.size(), steps,
                s.sum() / steps, (double)s.helix() / steps);
    return 0;
}
