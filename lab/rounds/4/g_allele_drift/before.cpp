// Wright-Fisher drift with selection: replicates run in forked workers, each
// leaves its trajectory in a file of its own; the parent merges them.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

static const int population = 12000;
static const int generations = 120;

static std::string replicate_name(int r)
{
    std::ostringstream name;
    name << "drift_" << r << ".txt";
    return name.str();
}

static std::vector<double> simulate(int replicate)
{
    std::mt19937 gen(1000 + replicate);
    std::uniform_real_distribution<double> uniform;
    std::vector<double> trajectory;
    double p = 0.1, s = 0.02;
    for (int g = 0; g < generations; g++) {
        double fit = p * (1 + s) / (1 + p * s);
        int copies = 0;
        for (int k = 0; k < 2 * population; k++)
            copies += uniform(gen) < fit;
        p = copies / (2.0 * population);
        trajectory.push_back(p);
    }
    return trajectory;
}

static void worker(int first, int step, int nrep)
{
    for (int r = first; r < nrep; r += step) {
        std::vector<double> trajectory = simulate(r);
        std::ofstream out(replicate_name(r));
        out.precision(10);
        std::copy(trajectory.begin(), trajectory.end(), std::ostream_iterator<double>(out, "\n"));
    }
    _exit(0);
}

int main(int argc, char **argv)
{
    int nrep = argc > 1 ? std::atoi(argv[1]) : 40;
    const int nworker = 2;
    std::vector<pid_t> pids;
    for (int w = 0; w < nworker; w++) {
        pid_t pid = fork();
        if (pid == 0)
            worker(w, nworker, nrep);
        pids.push_back(pid);
    }
    for (pid_t pid : pids)
        waitpid(pid, nullptr, 0);

    std::vector<double> mean(generations, 0.0);
    int lost = 0;
    for (int r = 0; r < nrep; r++) {
        std::ifstream in(replicate_name(r));
        std::vector<double> trajectory{std::istream_iterator<double>(in), std::istream_iterator<double>()};
        if (trajectory.size() != static_cast<std::size_t>(generations)) {
            std::cerr << "replicate " << r << " is not complete\n";
            return 1;
        }
        for (int g = 0; g < generations; g++)
            mean[g] += trajectory[g] / nrep;
        lost += trajectory.back() == 0;
    }
    for (int g = 9; g < generations; g += 10)
        std::printf("generation %d frequency %.6f\n", g + 1, mean[g]);
    std::printf("lost in %d of %d replicates\n", lost, nrep);
    return 0;
}
