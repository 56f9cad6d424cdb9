// Independent Ising chains, one per thread, which can be stopped or retuned while they run.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <functional>
#include <thread>
#include <unistd.h>
#include <vector>

constexpr int SIDE = 32;
constexpr int CHAINS = 2;

// Orders are lines such as "beta 0.43" or "stop" that a user appends to the file.
class OrderFile {
public:
    explicit OrderFile(const char *path) : fd_(open(path, O_RDONLY | O_CREAT, 0644)) {}
    ~OrderFile() { close(fd_); }

    // True if a new order has arrived since the last call.
    bool next(char *line, size_t size) {
        ssize_t n = read(fd_, line, size - 1);
        if (n <= 0) return false;
        line[n] = '\0';
        return true;
    }

private:
    int fd_;
};

struct Chain {
    std::vector<int8_t> spin = std::vector<int8_t>(SIDE * SIDE, 1);
    uint64_t seed = 1;
    double beta = 0.42;
    bool stop = false;
    double magnetisation = 0.0;

    double uniform() {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        return (seed >> 11) * (1.0 / 9007199254740992.0);
    }

    void flip_trial() {
        int site = int(uniform() * SIDE * SIDE);
        int x = site % SIDE, y = site / SIDE;
        int sum = spin[y * SIDE + (x + 1) % SIDE] + spin[y * SIDE + (x + SIDE - 1) % SIDE] +
                  spin[((y + 1) % SIDE) * SIDE + x] + spin[((y + SIDE - 1) % SIDE) * SIDE + x];
        double cost = 2.0 * spin[site] * sum;
        if (cost <= 0.0 || uniform() < std::exp(-beta * cost)) spin[site] = -spin[site];
    }

    double mean_spin() const {
        long total = 0;
        for (int8_t s : spin) total += s;
        return double(total) / spin.size();
    }

    void obey(const char *line) {
        if (std::strncmp(line, "stop", 4) == 0) stop = true;
        if (std::strncmp(line, "beta ", 5) == 0) beta = std::atof(line + 5);
    }
};

static void run_chain(Chain &chain, long sweeps) {
    OrderFile orders("orders.txt");
    char line[128];
    for (long sweep = 0; sweep < sweeps && !chain.stop; sweep++) {
        if (sweep % 20 == 0 && orders.next(line, sizeof line)) chain.obey(line);
        for (int trial = 0; trial < SIDE * SIDE; trial++) chain.flip_trial();
        chain.magnetisation += std::fabs(chain.mean_spin());
    }
    chain.magnetisation /= sweeps;
}

int main(int argc, char **argv) {
    long sweeps = argc > 1 ? std::atol(argv[1]) : 1800;
    std::vector<Chain> chains(CHAINS);
    std::vector<std::thread> threads;
    for (int c = 0; c < CHAINS; c++) {
        chains[c].seed = 88172645463325252ull + 977 * c;
        threads.emplace_back(run_chain, std::ref(chains[c]), sweeps);
    }
    for (auto &t : threads) t.join();
    for (int c = 0; c < CHAINS; c++)
        std::printf("chain %d <|m|> = %.8f final %.6f\n", c, chains[c].magnetisation,
                    chains[c].mean_spin());
}
