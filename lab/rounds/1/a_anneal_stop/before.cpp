// Simulated annealing of a spin chain. The user may stop the run or change
// the cooling while it goes on.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <vector>

namespace fs = std::filesystem;

struct Schedule {
    fs::path file = "cooling.par";
    fs::file_time_type seen{};
    double start = 3.0;
    double factor = 0.99998;

    void refresh()
    {
        auto stamp = fs::last_write_time(file);
        if (stamp == seen)
            return;
        seen = stamp;
        std::ifstream in(file);
        in >> start >> factor;
    }
};

class Chain {
public:
    explicit Chain(int n) : spin(n, 1), bond(n)
    {
        for (int i = 0; i < n; i++)
            bond[i] = next() - 0.5;
    }

    void sweep(double temperature)
    {
        int n = static_cast<int>(spin.size());
        for (int i = 0; i < n; i++) {
            int l = i ? i - 1 : n - 1, r = i + 1 < n ? i + 1 : 0;
            double d = 2.0 * spin[i] * (bond[l] * spin[l] + bond[i] * spin[r]);
            if (d <= 0.0 || next() < 1.0 - d / temperature)
                spin[i] = -spin[i];
        }
    }

    double energy() const
    {
        double e = 0.0;
        int n = static_cast<int>(spin.size());
        for (int i = 0; i < n; i++)
            e -= bond[i] * spin[i] * spin[(i + 1) % n];
        return e;
    }

private:
    double next()
    {
        seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
        return static_cast<double>(seed >> 11) / 9007199254740992.0;
    }

    std::vector<int> spin;
    std::vector<double> bond;
    uint64_t seed = 42;
};

static bool stop_requested()
{
    static const fs::path flag = fs::current_path() / "STOP";
    return fs::exists(flag);
}

int main(int argc, char **argv)
{
    long sweeps = argc > 1 ? std::atol(argv[1]) : 300000;
    {
        std::ofstream par("cooling.par");
        par << "3.0 0.99998\n";
    }
    Schedule schedule;
    schedule.refresh();
    Chain chain(32);
    double temperature = schedule.start;
    long done = 0;
    for (; done < sweeps; done++) {
        if (stop_requested())
            break;
        schedule.refresh();
        chain.sweep(temperature);
        temperature *= schedule.factor;
    }
    std::cout << done << " sweeps, energy " << chain.energy() << "\n";
    return 0;
}
