// Bead-spring melt; every rank owns whole chains.  Each rank keeps its own
// restart piece ("melt.restart.<rank>"), two generations deep, plus one small
// thermo log on rank 0.
#include <mpi.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

struct Vec { double x, y, z; };

struct Chain {
    std::vector<Vec> r, v, f;
    explicit Chain(int n) : r(n), v(n), f(n) {}
};

class Rng {
    unsigned long long s;
public:
    explicit Rng(unsigned long long seed) : s(seed * 6364136223846793005ULL + 1442695040888963407ULL) {}
    double operator()() {
        s = s * 6364136223846793005ULL + 1442695040888963407ULL;
        return (s >> 33) / 2147483648.0;
    }
};

class Melt {
    std::vector<Chain> chains;
    int me, np, generation = 0;
    double dt = 0.002;
public:
    Melt(int total, int beads, int rank, int size) : me(rank), np(size) {
        for (int c = rank; c < total; c += size) {
            Chain ch(beads);
            Rng rnd(c + 1);
            Vec p{20 * rnd(), 20 * rnd(), 20 * rnd()};
            for (int i = 0; i < beads; i++) {
                p.x += rnd() - 0.5; p.y += rnd() - 0.5; p.z += rnd() - 0.5;
                ch.r[i] = p;
                ch.v[i] = {rnd() - 0.5, rnd() - 0.5, rnd() - 0.5};
            }
            chains.push_back(ch);
        }
    }

    void bonds(Chain &c) {
        for (auto &f : c.f) f = {0, 0, 0};
        for (size_t i = 0; i + 1 < c.r.size(); i++) {
            Vec d{c.r[i + 1].x - c.r[i].x, c.r[i + 1].y - c.r[i].y, c.r[i + 1].z - c.r[i].z};
            double r = std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z) + 1e-9;
            double k = -30.0 * (r - 0.97) / r;
            c.f[i].x -= k * d.x; c.f[i].y -= k * d.y; c.f[i].z -= k * d.z;
            c.f[i + 1].x += k * d.x; c.f[i + 1].y += k * d.y; c.f[i + 1].z += k * d.z;
        }
    }

    void excluded(Chain &c) {
        for (size_t i = 0; i < c.r.size(); i++)
            for (size_t j = i + 2; j < c.r.size(); j++) {
                double dx = c.r[i].x - c.r[j].x, dy = c.r[i].y - c.r[j].y, dz = c.r[i].z - c.r[j].z;
                double r2 = dx * dx + dy * dy + dz * dz;
                if (r2 > 1.25) continue;
                double k = 8.0 * (1.25 - r2);
                c.f[i].x += k * dx; c.f[i].y += k * dy; c.f[i].z += k * dz;
                c.f[j].x -= k * dx; c.f[j].y -= k * dy; c.f[j].z -= k * dz;
            }
    }

    double step() {
        double ke = 0;
        for (auto &c : chains) {
            bonds(c);
            excluded(c);
            for (size_t i = 0; i < c.r.size(); i++) {
                c.v[i].x = 0.999 * c.v[i].x + dt * c.f[i].x;
                c.v[i].y = 0.999 * c.v[i].y + dt * c.f[i].y;
                c.v[i].z = 0.999 * c.v[i].z + dt * c.f[i].z;
                c.r[i].x += dt * c.v[i].x; c.r[i].y += dt * c.v[i].y; c.r[i].z += dt * c.v[i].z;
                ke += c.v[i].x * c.v[i].x + c.v[i].y * c.v[i].y + c.v[i].z * c.v[i].z;
            }
        }
        return ke;
    }

    void restart() {
        std::string name = "melt.restart." + std::string(generation++ % 2 ? "B." : "A.") + std::to_string(me);
        std::string tmp = name + ".tmp";
        FILE *fp = std::fopen(tmp.c_str(), "wb");
        if (!fp) MPI_Abort(MPI_COMM_WORLD, 3);
        int n = (int)chains.size();
        std::fwrite(&n, sizeof n, 1, fp);
        for (auto &c : chains) {
            int b = (int)c.r.size();
            std::fwrite(&b, sizeof b, 1, fp);
            std::fwrite(c.r.data(), sizeof(Vec), b, fp);
            std::fwrite(c.v.data(), sizeof(Vec), b, fp);
        }
        std::fclose(fp);
        std::rename(tmp.c_str(), name.c_str());
    }
};

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int me, np;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    int total = std::atoi(argv[1]), beads = std::atoi(argv[2]), steps = std::atoi(argv[3]), every = std::atoi(argv[4]);
    Melt melt(total, beads, me, np);
    FILE *log = me == 0 ? std::fopen("log.melt", "w") : nullptr;
    double ke = 0, all = 0;
    for (int s = 1; s <= steps; s++) {
        ke = melt.step();
        if (s % every == 0) {
            MPI_Reduce(&ke, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
            if (log) std::fprintf(log, "%d %.8g\n", s, all / (3.0 * total * beads));
            melt.restart();
        }
    }
    if (log) {
        std::fclose(log);
        std::printf("chains %d steps %d temperature %.8g\n", total, steps, all / (3.0 * total * beads));
    }
    MPI_Finalize();
}
