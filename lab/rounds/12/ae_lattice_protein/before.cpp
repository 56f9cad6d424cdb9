// Monte Carlo folding of an HP lattice protein on the cubic lattice with
// pull-like end and crankshaft moves; energies along the way and the best
// conformations are written as text.
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <random>
#include <string>
#include <unordered_set>
#include <vector>

using Site = std::array<int, 3>;

static long key(const Site &s)
{
    return ((s[0] + 512L) << 40) | ((s[1] + 512L) << 20) | (s[2] + 512L);
}

static const int DIR[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};

class Chain {
public:
    explicit Chain(const std::string &seq) : seq_(seq), x_(seq.size())
    {
        for (std::size_t i = 0; i < x_.size(); ++i) {
            x_[i] = {static_cast<int>(i), 0, 0};
            taken_.insert(key(x_[i]));
        }
    }
    std::size_t size() const { return x_.size(); }
    const Site &at(std::size_t i) const { return x_[i]; }
    char kind(std::size_t i) const { return seq_[i]; }
    bool is_free(const Site &s) const { return taken_.find(key(s)) == taken_.end(); }
    void move(std::size_t i, const Site &s)
    {
        taken_.erase(key(x_[i]));
        x_[i] = s;
        taken_.insert(key(s));
    }
    // contacts between hydrophobic residues that are not bonded
    int energy() const
    {
        int e = 0;
        for (std::size_t i = 0; i < x_.size(); ++i)
            for (std::size_t j = i + 3; seq_[i] == 'H' && j < x_.size(); j += 2)
                if (seq_[j] == 'H' && std::abs(x_[i][0] - x_[j][0]) + std::abs(x_[i][1] - x_[j][1]) +
                                              std::abs(x_[i][2] - x_[j][2]) == 1)
                    --e;
        return e;
    }
private:
    std::string seq_;
    std::vector<Site> x_;
    std::unordered_set<long> taken_;
};

// proposes a new place for residue i; false when there is none
static bool propose(const Chain &c, std::size_t i, std::mt19937 &gen, Site &to)
{
    const std::size_t n = c.size();
    if (i == 0 || i == n - 1) {
        const Site &b = c.at(i == 0 ? 1 : n - 2);
        const int *d = DIR[gen() % 6];
        to = {b[0] + d[0], b[1] + d[1], b[2] + d[2]};
    } else {
        const Site &p = c.at(i - 1), &q = c.at(i + 1), &x = c.at(i);
        for (int k = 0; k < 3; ++k)
            to[k] = p[k] + q[k] - x[k];
        if (to == x)
            return false;
    }
    return c.is_free(to);
}

class Trace {
public:
    explicit Trace(const std::string &path) : out_(path) { out_ << std::fixed << std::setprecision(3); }
    void line(long sweep, double temp, int e) { out_ << sweep << ' ' << temp << ' ' << e << '\n'; }
    void conformation(const Chain &c, int e)
    {
        out_ << "# best " << e << '\n';
        for (std::size_t i = 0; i < c.size(); ++i)
            out_ << c.kind(i) << ' ' << c.at(i)[0] << ' ' << c.at(i)[1] << ' ' << c.at(i)[2] << '\n';
    }
private:
    std::ofstream out_;
};

int main(int argc, char **argv)
{
    const long sweeps = argc > 1 ? std::atol(argv[1]) : 160000;
    const std::string seq = "HHHPPHPHPHPPHPHPHPPHHPPHPHHPHPPHHHPPHPHPHPPHPHPH";
    Chain chain(seq);
    Trace trace("fold.trace");
    std::mt19937 gen(8);
    std::uniform_real_distribution<double> u(0, 1);
    int e = chain.energy(), best = 0;
    for (long s = 0; s < sweeps; ++s) {
        const double temp = 0.35 + 1.2 * (1.0 - double(s) / sweeps);
        for (std::size_t k = 0; k < chain.size(); ++k) {
            const std::size_t i = gen() % chain.size();
            Site to, from = chain.at(i);
            if (!propose(chain, i, gen, to))
                continue;
            chain.move(i, to);
            const int ne = chain.energy();
            if (ne <= e || u(gen) < std::exp((e - ne) / temp))
                e = ne;
            else
                chain.move(i, from);
        }
        if (s % 4 == 0)
            trace.line(s, temp, e);
        if (e < best) {
            best = e;
            trace.conformation(chain, e);
        }
    }
    std::printf("lowest energy %d, last %d\n", best, e);
    return 0;
}
