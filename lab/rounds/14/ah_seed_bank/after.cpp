/*
  Soil seed bank of a heath.

  Annual cycle per plot: part of the dormant seeds germinates, seedlings survive
  according to the rain of the year, adults shed new seeds, old seeds rot.
  The inventory plots.rec holds the present state of all plots and is brought up
  to date year by year.
*/
#include <cmath>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <random>
#include <string>
#include <vector>

struct Plot {
    std::int32_t id;
    std::int32_t habitat;     // 0 wet ... 6 dry
    double seeds;             // per square metre
    double cover;             // fraction covered by adults
    double age;               // mean age of the seeds, years
};
static_assert(sizeof(Plot) == 32, "record of 32 bytes");

struct Year {
    int number;
    double rain;              // relative to the mean
    double seeds = 0, cover = 0, extinct = 0;
    long plots = 0;
};

void one_year(Plot& p, const Year& y)
{
    const double wetness = y.rain * (1.3 - 0.1 * p.habitat);
    const double germination = 0.25 / (1.0 + std::exp(-4.0 * (wetness - 0.8)));
    const double seedlings = p.seeds * germination;
    const double survival = 0.02 * (1.0 - p.cover) * std::exp(-0.15 * p.age);
    const double mortality = 0.18 + 0.12 * std::fabs(wetness - 1.0);

    p.cover += 0.01 * seedlings * survival - mortality * p.cover * 0.5;
    p.cover += 0.12 * p.cover * (1.0 - p.cover) * wetness;
    if (p.cover < 0.0) p.cover = 0.0;
    if (p.cover > 1.0) p.cover = 1.0;

    const double shed = 240.0 * p.cover * wetness;
    const double left = (p.seeds - seedlings) * 0.86;
    p.age = left + shed > 0 ? (p.age + 1.0) * left / (left + shed) : 0.0;
    p.seeds = left + shed;
}

void tally(const Plot& p, Year& y)
{
    y.seeds += p.seeds;
    y.cover += p.cover;
    y.extinct += p.seeds < 1.0;
    ++y.plots;
}

// go once through the inventory
void census(std::fstream& inventory, Year& year)
{
    inventory.seekg(0, std::ios::end);
    const long n = static_cast<long>(inventory.tellg()) / sizeof(Plot);
    std::vector<Plot> plots(n);
    inventory.seekg(0);
    inventory.read(reinterpret_cast<char*>(plots.data()), n * sizeof(Plot));
    for (Plot& p : plots) {
        one_year(p, year);
        tally(p, year);
    }
    inventory.seekp(0);
    inventory.write(reinterpret_cast<const char*>(plots.data()), n * sizeof(Plot));
}

int main(int argc, char** argv)
{
    const int years = argc > 1 ? std::stoi(argv[1]) : 5;
    std::fstream inventory("plots.rec", std::ios::in | std::ios::out | std::ios::binary);
    if (!inventory) {
        std::cerr << "no inventory\n";
        return 1;
    }
    std::mt19937 gen(2718);
    std::gamma_distribution<double> rain(9.0, 1.0 / 9.0);
    for (int t = 1; t <= years; ++t) {
        Year y;
        y.number = t;
        y.rain = rain(gen);
        census(inventory, y);
        std::cout << "year " << y.number << "  rain " << y.rain << "  seeds/m2 " << y.seeds / y.plots
                  << "  cover " << y.cover / y.plots << "  extinct plots " << y.extinct << "\n";
    }
}
