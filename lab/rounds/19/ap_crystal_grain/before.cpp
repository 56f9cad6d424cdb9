// Potts-model grain growth on a square lattice.  Writes a grain table line by
// line, a PGM picture of each stage and a CSV curve of mean grain size.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

class Lattice {
    int n;
    std::vector<int> spin;
    uint64_t s = 0x9E3779B97F4A7C15ULL;

    uint32_t rnd() {
        s ^= s << 13; s ^= s >> 7; s ^= s << 17;
        return (uint32_t)(s >> 32);
    }
    int at(int x, int y) const { return spin[((y + n) % n) * n + (x + n) % n]; }

    int unlike(int x, int y, int q) const {
        int e = 0;
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++)
                if (dx || dy) e += at(x + dx, y + dy) != q;
        return e;
    }

public:
    Lattice(int size, int q) : n(size), spin((size_t)size * size) {
        for (auto &v : spin) v = rnd() % q;
    }

    void sweep(double temperature) {
        for (int k = 0; k < n * n; k++) {
            int x = rnd() % n, y = rnd() % n;
            int old = at(x, y), d = rnd() % 8;
            static const int nx[8] = {-1, 0, 1, -1, 1, -1, 0, 1}, ny[8] = {-1, -1, -1, 0, 0, 1, 1, 1};
            int q = at(x + nx[d], y + ny[d]);
            if (q == old) continue;
            int de = unlike(x, y, q) - unlike(x, y, old);
            if (de <= 0 || rnd() < 4294967295.0 * std::exp(-de / temperature)) spin[y * n + x] = q;
        }
    }

    struct Grain { int orientation; long area; double cx, cy; int boundary; };

    std::vector<Grain> grains() const {
        std::vector<Grain> out;
        std::vector<char> seen(spin.size(), 0);
        std::vector<int> stack;
        for (int start = 0; start < n * n; start++) {
            if (seen[start]) continue;
            Grain g{spin[start], 0, 0, 0, 0};
            stack.push_back(start);
            seen[start] = 1;
            while (!stack.empty()) {
                int c = stack.back(), x = c % n, y = c / n;
                stack.pop_back();
                g.area++; g.cx += x; g.cy += y;
                const int nb[4][2] = {{x + 1, y}, {x - 1, y}, {x, y + 1}, {x, y - 1}};
                for (auto &b : nb) {
                    int j = ((b[1] + n) % n) * n + (b[0] + n) % n;
                    if (spin[j] != g.orientation) { g.boundary++; continue; }
                    if (!seen[j]) { seen[j] = 1; stack.push_back(j); }
                }
            }
            g.cx /= g.area; g.cy /= g.area;
            out.push_back(g);
        }
        return out;
    }

    void picture(const std::string &name) const {
        std::ofstream f(name, std::ios::binary);
        f << "P5\n" << n << ' ' << n << "\n255\n";
        for (int v : spin) f.put((char)(v * 37 % 256));
    }
};

static void table(const std::string &name, const std::vector<Lattice::Grain> &gr) {
    std::ofstream f(name);
    f << "orientation,area,cx,cy,boundary\n" << std::fixed << std::setprecision(3);
    for (auto &g : gr)
        f << g.orientation << ',' << g.area << ',' << g.cx << ',' << g.cy << ',' << g.boundary << '\n';
}

int main(int argc, char **argv) {
    int n = argc > 1 ? std::atoi(argv[1]) : 200, sweeps = argc > 2 ? std::atoi(argv[2]) : 60;
    int every = argc > 3 ? std::atoi(argv[3]) : 10;
    Lattice lat(n, 64);
    std::ofstream curve("growth.csv");
    curve << "sweep,grains,mean_area\n";
    double check = 0;
    for (int s = 1; s <= sweeps; s++) {
        lat.sweep(0.6);
        if (s % every) continue;
        auto gr = lat.grains();
        char name[64];
        std::snprintf(name, sizeof name, "grains_%04d.csv", s);
        table(name, gr);
        std::snprintf(name, sizeof name, "grains_%04d.pgm", s);
        lat.picture(name);
        double mean = (double)n * n / gr.size();
        curve << s << ',' << gr.size() << ',' << mean << std::endl;
        for (auto &g : gr) check += g.boundary * 0.01 + g.area % 13;
    }
    std::cout << "sweeps " << sweeps << " checksum " << std::setprecision(12) << check << "\n";
}
