// Monte Carlo price of a basket option; every batch is reported to a run log.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <random>
#include <vector>

struct Asset {
    double spot, vol, weight;
};

class RunLog {
public:
    explicit RunLog(const char *path)
    {
        out_.rdbuf()->pubsetbuf(nullptr, 0);
        out_.open(path);
        out_ << std::setprecision(12);
    }
    void batch(int number, double mean, double error)
    {
        out_ << "batch " << number << " price " << mean << " +- " << error << std::endl;
    }

private:
    std::ofstream out_;
};

static double basket_payoff(const std::vector<Asset> &basket, double maturity, double rate,
                            double strike, std::mt19937_64 &gen)
{
    std::normal_distribution<double> gauss;
    const int nstep = 12;
    double dt = maturity / nstep, market = 0, value = 0;
    std::vector<double> logs(basket.size(), 0.0);
    for (int s = 0; s < nstep; s++) {
        market = gauss(gen);
        for (std::size_t a = 0; a < basket.size(); a++) {
            double z = 0.6 * market + 0.8 * gauss(gen);
            logs[a] += (rate - 0.5 * basket[a].vol * basket[a].vol) * dt
                       + basket[a].vol * std::sqrt(dt) * z;
        }
    }
    for (std::size_t a = 0; a < basket.size(); a++)
        value += basket[a].weight * basket[a].spot * std::exp(logs[a]);
    return std::exp(-rate * maturity) * std::max(value - strike, 0.0);
}

int main(int argc, char **argv)
{
    int nbatch = argc > 1 ? std::atoi(argv[1]) : 250;
    const int per_batch = 4000;
    std::vector<Asset> basket = {{100, 0.20, 0.3}, {80, 0.35, 0.3}, {120, 0.15, 0.2}, {60, 0.5, 0.2}};
    std::mt19937_64 gen(7);
    RunLog log("pricing.log");
    double sum = 0, sum2 = 0;
    long n = 0;
    for (int b = 0; b < nbatch; b++) {
        for (int p = 0; p < per_batch; p++) {
            double x = basket_payoff(basket, 1.0, 0.02, 90.0, gen);
            sum += x;
            sum2 += x * x;
            n++;
        }
        double mean = sum / n;
        log.batch(b, mean, std::sqrt((sum2 / n - mean * mean) / n));
    }
    std::printf("price %.6f after %ld paths\n", sum / n, n);
    return 0;
}
