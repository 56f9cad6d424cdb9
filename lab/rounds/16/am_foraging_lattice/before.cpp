// Ants on a pheromone lattice: foraging trails between nest and food.
//
// Agents walk on a torus, follow and lay pheromone that diffuses and decays.
// Every few hundred steps a density map is written and a line goes to the log;
// the run can be ended early by creating a file "halt".
#include <sys/stat.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

constexpr int N = 256;
constexpr int FOOD = 5;
constexpr float DECAY = 0.985f, DIFF = 0.12f, DROP = 1.0f;

struct Ant {
    int x, y, dir;
    bool loaded;
};

static uint32_t state = 2463534242u;
static inline uint32_t rnd() {
    state ^= state << 13; state ^= state >> 17; state ^= state << 5;
    return state;
}
static inline int wrap(int v) { return (v + N) & (N - 1); }

static const int DX[8] = {1, 1, 0, -1, -1, -1, 0, 1};
static const int DY[8] = {0, 1, 1, 1, 0, -1, -1, -1};

class Field {
  public:
    Field() : a_(N * N, 0.0f), b_(N * N, 0.0f) {}
    float &at(int x, int y) { return a_[wrap(y) * N + wrap(x)]; }
    void relax() {
        for (int y = 0; y < N; y++) {
            const float *c = &a_[y * N], *u = &a_[wrap(y - 1) * N], *d = &a_[wrap(y + 1) * N];
            for (int x = 0; x < N; x++) {
                float nb = c[wrap(x - 1)] + c[wrap(x + 1)] + u[x] + d[x];
                b_[y * N + x] = DECAY * (c[x] + DIFF * (nb - 4 * c[x]) * 0.25f);
            }
        }
        a_.swap(b_);
    }
    void save(std::ofstream &f) const {
        f.write(reinterpret_cast<const char *>(a_.data()), a_.size() * sizeof(float));
    }

  private:
    std::vector<float> a_, b_;
};

static bool near(int x, int y, int cx, int cy) {
    return std::abs(x - cx) < FOOD && std::abs(y - cy) < FOOD;
}

static int step(Ant &a, Field &home, Field &food) {
    Field &follow = a.loaded ? home : food;
    float w[3];
    float sum = 0;
    for (int k = -1; k <= 1; k++) {
        int d = (a.dir + k + 8) & 7;
        w[k + 1] = 0.05f + follow.at(a.x + DX[d], a.y + DY[d]);
        sum += w[k + 1];
    }
    float r = (rnd() >> 8) * (1.0f / 16777216.0f) * sum;
    int turn = r < w[0] ? -1 : r < w[0] + w[1] ? 0 : 1;
    a.dir = (a.dir + turn + 8) & 7;
    a.x = wrap(a.x + DX[a.dir]);
    a.y = wrap(a.y + DY[a.dir]);
    (a.loaded ? food : home).at(a.x, a.y) += DROP;
    if (!a.loaded && near(a.x, a.y, 192, 128)) { a.loaded = true; a.dir ^= 4; }
    if (a.loaded && near(a.x, a.y, 64, 128)) { a.loaded = false; a.dir ^= 4; return 1; }
    return 0;
}

static bool halted() {
    struct stat st;
    return stat("halt", &st) == 0;
}

int main(int argc, char **argv) {
    int nsteps = argc > 1 ? std::atoi(argv[1]) : 8000;
    int every = argc > 2 ? std::atoi(argv[2]) : 320;
    std::vector<Ant> ants(3000);
    for (Ant &a : ants) a = {64, 128, int(rnd() & 7), false};
    Field home, food;
    std::ofstream maps("trails.f32", std::ios::binary), log("colony.log");
    long delivered = 0;
    for (int t = 1; t <= nsteps; t++) {
        for (Ant &a : ants) delivered += step(a, home, food);
        home.relax();
        food.relax();
        if (t % every == 0) {
            food.save(maps);
            log << "step " << t << " delivered " << delivered << std::endl;
            if (halted()) break;
        }
    }
    std::printf("steps %d  delivered %ld\n", nsteps, delivered);
    return 0;
}
