// Fits a seasonal cycle to the series of each weather station by a search over
// amplitude, phase and trend, and writes one result file per station.
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <random>
#include <string>
#include <vector>

struct Fit {
    double amplitude = 0, phase = 0, trend = 0, chi2 = 1e300;
};

static std::vector<double> make_series(int station, int days)
{
    std::mt19937 rng(1000 + station);
    std::normal_distribution<double> noise(0.0, 2.0);
    std::vector<double> t(days);
    for (int d = 0; d < days; d++)
        t[d] = (8.0 + station % 5) * std::sin(2 * M_PI * d / 365.25 - 1.9)
             + 0.0004 * d + noise(rng);
    return t;
}

static Fit fit_series(const std::vector<double> &t)
{
    Fit best;
    int days = static_cast<int>(t.size());
    std::vector<double> s(days), c(days);
    for (int d = 0; d < days; d++) {
        s[d] = std::sin(2 * M_PI * d / 365.25);
        c[d] = std::cos(2 * M_PI * d / 365.25);
    }
    for (double a = 6.0; a < 14.0; a += 0.5)
        for (double p = -2.5; p < -1.3; p += 0.1)
            for (double b = 0.0; b < 0.0008; b += 0.0001) {
                double chi2 = 0.0, ca = a * std::cos(p), sa = a * std::sin(p);
                for (int d = 0; d < days; d++) {
                    double r = t[d] - ca * s[d] - sa * c[d] - b * d;
                    chi2 += r * r;
                }
                if (chi2 < best.chi2)
                    best = {a, p, b, chi2};
            }
    return best;
}

static void write_result(int station, const Fit &f)
{
    std::ofstream out("fits/station_" + std::to_string(station) + ".txt");
    out << std::setprecision(10);
    out << "station   " << station << '\n';
    out << "amplitude " << f.amplitude << '\n';
    out << "phase     " << f.phase << '\n';
    out << "trend     " << f.trend << '\n';
    out << "chi2      " << f.chi2 << '\n';
}

int main(int argc, char **argv)
{
    int stations = argc > 1 ? std::atoi(argv[1]) : 70;
    int days = argc > 2 ? std::atoi(argv[2]) : 1100;
    std::filesystem::create_directories("fits");
    double sum = 0.0;
    for (int s = 0; s < stations; s++) {
        auto series = make_series(s, days);
        Fit f = fit_series(series);
        write_result(s, f);
        sum += f.amplitude;
    }
    std::cout << "mean amplitude " << sum / stations << "\n";
    return 0;
}
