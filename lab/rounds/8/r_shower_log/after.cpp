// Electromagnetic cascade in a sampling calorimeter (Heitler-like Monte Carlo).
// Energy deposits are listed for the reconstruction group.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

struct Particle {
    double energy, depth, x, y;
    int kind; // 0 photon, -1/+1 electron, positron
};

class Random {
public:
    explicit Random(uint64_t seed) : s_(seed) {}
    double flat()
    {
        s_ ^= s_ << 13;
        s_ ^= s_ >> 7;
        s_ ^= s_ << 17;
        return ((s_ >> 11) + 0.5) / 9007199254740992.0;
    }
    double exponential(double mean) { return -mean * std::log(flat()); }
    double gauss() { return std::sqrt(-2 * std::log(flat())) * std::cos(2 * M_PI * flat()); }

private:
    uint64_t s_;
};

// Writes deposits in the number format of the run's console messages.
class DepositWriter {
public:
    DepositWriter(const std::string &path, const std::ostream &console) : out_(path)
    {
        out_.copyfmt(console);
        out_.unsetf(std::ios_base::unitbuf);
        out_ << "event,layer,x,y,energy\n";
    }

    void add(long event, int layer, double x, double y, double energy)
    {
        out_ << event << ',' << layer << ',' << x << ',' << y << ',' << energy << '\n';
        count_++;
    }

    long count() const { return count_; }

private:
    std::ofstream out_;
    long count_ = 0;
};

class Calorimeter {
public:
    Calorimeter(double critical, int layers) : critical_(critical), layers_(layers), sum_(layers) {}

    void shower(long event, double energy, Random &rnd, DepositWriter &writer)
    {
        std::vector<Particle> stack{ { energy, 0, 0, 0, 0 } };
        while (!stack.empty()) {
            Particle p = stack.back();
            stack.pop_back();
            step(p, rnd);
            if (p.depth >= layers_)
                continue;
            if (p.energy < critical_) {
                deposit(event, p, rnd, writer);
                continue;
            }
            split(p, rnd, stack);
        }
    }

    int maximum() const
    {
        int best = 0;
        for (int i = 1; i < layers_; i++)
            if (sum_[i] > sum_[best])
                best = i;
        return best;
    }

    double total() const
    {
        double t = 0;
        for (double e : sum_)
            t += e;
        return t;
    }

private:
    void step(Particle &p, Random &rnd) const
    {
        double length = rnd.exponential(p.kind == 0 ? 9.0 / 7.0 : 1.0);
        double scatter = 0.015 / std::sqrt(p.energy + 1e-3) * std::sqrt(length);
        p.depth += length;
        p.x += scatter * length * rnd.gauss();
        p.y += scatter * length * rnd.gauss();
    }

    void split(const Particle &p, Random &rnd, std::vector<Particle> &stack) const
    {
        double f = p.kind == 0 ? rnd.flat() : 1.0 - std::pow(0.05, rnd.flat());
        Particle a = p, b = p;
        a.energy *= f;
        b.energy *= 1.0 - f;
        a.kind = p.kind == 0 ? 1 : p.kind;
        b.kind = p.kind == 0 ? -1 : 0;
        stack.push_back(a);
        stack.push_back(b);
    }

    void deposit(long event, const Particle &p, Random &rnd, DepositWriter &writer)
    {
        int layer = (int)p.depth;
        double seen = p.energy * (1.0 + 0.1 * rnd.gauss());
        sum_[layer] += seen;
        if (seen > 0.002)
            writer.add(event, layer, p.x, p.y, seen);
    }

    double critical_;
    int layers_;
    std::vector<double> sum_;
};

int main(int argc, char **argv)
{
    long events = argc > 1 ? std::atol(argv[1]) : 300;
    std::cerr << std::setprecision(5);
    Random rnd(314159265);
    Calorimeter calo(0.010, 40);
    DepositWriter writer("deposits.csv", std::cerr);
    for (long e = 0; e < events; e++)
        calo.shower(e, 5.0 + 20.0 * rnd.flat(), rnd, writer);
    std::cout << "events " << events << " deposits " << writer.count() << " maximum in layer "
              << calo.maximum() << " energy " << std::setprecision(10) << calo.total() << "\n";
    return 0;
}
