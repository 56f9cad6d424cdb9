// hp_fold: Monte Carlo folding of a hydrophobic-polar chain on the square lattice.
//
// Pivot moves, simulated annealing,
// several replicas.  The state is saved now and then in a way that survives a
// crash of the queue: new file, fsync, rename.
//
//   hp_fold SWEEPS REPLICAS
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

struct Site {
    int x, y;
    bool operator==(const Site& o) const { return x == o.x && y == o.y; }
};

class Chain {
public:
    Chain(const std::string& sequence, unsigned seed) : seq_(sequence), gen_(seed) {
        for (std::size_t i = 0; i < seq_.size(); ++i)
            pos_.push_back({static_cast<int>(i), 0});
        grid_.assign(kBox * kBox, -1);
        place();
        energy_ = energy();
    }

    void sweep(double temperature) {
        for (std::size_t n = 0; n < seq_.size(); ++n)
            pivot(temperature);
    }

    int energy_now() const { return energy_; }
    int best() const { return best_; }
    const std::vector<Site>& sites() const { return pos_; }

private:
    static constexpr int kBox = 256;

    int& cell(const Site& s) {
        return grid_[static_cast<std::size_t>((s.y & (kBox - 1)) * kBox + (s.x & (kBox - 1)))];
    }
    bool place() {
        bool ok = true;
        for (std::size_t i = 0; i < pos_.size(); ++i) {
            ok = ok && cell(pos_[i]) < 0;
            cell(pos_[i]) = static_cast<int>(i);
        }
        return ok;
    }
    void lift() {
        for (const Site& s : pos_)
            cell(s) = -1;
    }
    int energy() {
        int e = 0;
        static const std::array<Site, 2> half = {{{1, 0}, {0, 1}}};
        for (std::size_t i = 0; i < pos_.size(); ++i)
            for (const Site& d : half) {
                int j = cell({pos_[i].x + d.x, pos_[i].y + d.y});
                if (j >= 0 && std::abs(j - static_cast<int>(i)) > 1 && seq_[i] == 'H' && seq_[j] == 'H')
                    --e;
            }
        return e;
    }
    // turn the tail behind a random monomer by 90 or 180 degrees
    void pivot(double temperature) {
        const std::size_t k = gen_() % (pos_.size() - 1);
        const int turn = 1 + static_cast<int>(gen_() % 3);
        const std::vector<Site> old = pos_;
        lift();
        for (std::size_t i = k + 1; i < pos_.size(); ++i) {
            int dx = pos_[i].x - pos_[k].x, dy = pos_[i].y - pos_[k].y;
            for (int r = 0; r < turn; ++r) {
                int t = dx;
                dx = -dy;
                dy = t;
            }
            pos_[i] = {pos_[k].x + dx, pos_[k].y + dy};
        }
        const bool free = place();
        const int e = free ? energy() : 0;
        const double u = std::uniform_real_distribution<double>()(gen_);
        if (free && u < std::exp((energy_ - e) / temperature)) {
            energy_ = e;
            best_ = std::min(best_, e);
            return;
        }
        lift();
        pos_ = old;
        place();
    }

    std::string seq_;
    std::vector<Site> pos_;
    std::vector<int> grid_;
    std::mt19937 gen_;
    int energy_ = 0, best_ = 0;
};

void save(const std::vector<Chain>& chains, int sweep) {
    std::FILE* f = std::fopen("fold.state.new", "w");
    std::fprintf(f, "sweep %d\n", sweep);
    for (const Chain& c : chains) {
        std::fprintf(f, "%d", c.energy_now());
        for (const Site& s : c.sites())
            std::fprintf(f, " %d,%d", s.x, s.y);
        std::fputc('\n', f);
    }
    std::fflush(f);
    fsync(fileno(f));
    std::fclose(f);
    std::rename("fold.state.new", "fold.state");
}

int main(int argc, char** argv) {
    const int sweeps = argc > 1 ? std::atoi(argv[1]) : 1500;
    const int replicas = argc > 2 ? std::atoi(argv[2]) : 12;
    const std::string sequence =
        "PPHPPHHPPHHPPPPPHHHHHHHHHHPPPPPPHHPPHHPPHPPHHHHHPPHHHPHHPPHPHHHP";

    std::vector<Chain> chains;
    for (int r = 0; r < replicas; ++r)
        chains.emplace_back(sequence, 1000u + r);
    for (int s = 0; s < sweeps; ++s) {
        const double temperature = 0.3 + 1.7 * std::exp(-4.0 * s / sweeps);
        for (Chain& c : chains)
            c.sweep(temperature);
        if ((s + 1) % (sweeps / 5) == 0)
            save(chains, s + 1);
    }
    int best = 0;
    for (const Chain& c : chains)
        best = std::min(best, c.best());
    std::printf("%d replicas, lowest energy %d\n", replicas, best);
}
