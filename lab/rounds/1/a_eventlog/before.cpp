// Gillespie simulation of a small reaction network, with a log of all events.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <random>
#include <string>
#include <vector>

struct Reaction {
    std::string name;
    double rate;
    std::vector<int> consumes;
    std::vector<int> makes;
};

class EventLog {
public:
    explicit EventLog(const std::string &path) : out(path)
    {
        out << std::unitbuf;
    }

    void event(long index, const std::string &name, const std::vector<int> &count)
    {
        out << index << ' ' << name;
        for (int c : count)
            out << ' ' << c;
        out << '\n';
    }

private:
    std::ofstream out;
};

static double propensity(const Reaction &r, const std::vector<int> &count)
{
    double a = r.rate;
    for (int s : r.consumes)
        a *= count[s];
    return a;
}

int main(int argc, char **argv)
{
    long events = argc > 1 ? std::atol(argv[1]) : 100000;
    std::vector<Reaction> network = {
        {"bind", 0.002, {0, 1}, {2}},
        {"unbind", 0.3, {2}, {0, 1}},
        {"make", 20.0, {}, {0}},
        {"decay", 0.1, {0}, {}},
        {"turn", 0.2, {2}, {1, 3}},
        {"lose", 0.05, {3}, {}},
    };
    std::vector<int> count = {100, 200, 0, 0};
    std::mt19937_64 rng(2024);
    std::uniform_real_distribution<double> uniform(0.0, 1.0);
    EventLog log("events.log");

    double time = 0.0;
    std::vector<double> a(network.size());
    for (long e = 0; e < events; e++) {
        double total = 0.0;
        for (size_t i = 0; i < network.size(); i++) {
            a[i] = propensity(network[i], count);
            total += a[i];
        }
        time -= std::log(1.0 - uniform(rng)) / total;
        double pick = uniform(rng) * total;
        size_t i = 0;
        while (i + 1 < network.size() && pick >= a[i]) {
            pick -= a[i];
            i++;
        }
        for (int s : network[i].consumes)
            count[s]--;
        for (int s : network[i].makes)
            count[s]++;
        log.event(e, network[i].name, count);
    }
    std::cout << "time " << time << ", product " << count[3] << "\n";
    return 0;
}
