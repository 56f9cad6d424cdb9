// Parameter study of a double pendulum.  New parameter sets may be put into
// the inbox while the study runs; it is looked through between the cases.
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

namespace fs = std::filesystem;

struct Case {
    std::string name;
    double a1 = 0, a2 = 0, ratio = 1;
};

using State = std::array<double, 4>;

static State slope(const State &s, double m)
{
    const double g = 9.81;
    double d = s[0] - s[1], den = 2.0 + m - m * std::cos(2.0 * d);
    double c = std::cos(d), sn = std::sin(d);
    double w1 = (-g * (2.0 + m) * std::sin(s[0]) - m * g * std::sin(s[0] - 2.0 * s[1]) -
                 2.0 * sn * m * (s[3] * s[3] + s[2] * s[2] * c)) / den;
    double w2 = (2.0 * sn * (s[2] * s[2] * (1.0 + m) + g * (1.0 + m) * std::cos(s[0]) +
                 s[3] * s[3] * m * c)) / den;
    return {s[2], s[3], w1, w2};
}

static State rk4(const State &s, double m, double dt)
{
    auto mix = [](const State &a, const State &b, double f) {
        State r;
        for (int i = 0; i < 4; ++i)
            r[i] = a[i] + f * b[i];
        return r;
    };
    State k1 = slope(s, m), k2 = slope(mix(s, k1, dt / 2), m);
    State k3 = slope(mix(s, k2, dt / 2), m), k4 = slope(mix(s, k3, dt), m), r;
    for (int i = 0; i < 4; ++i)
        r[i] = s[i] + dt / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
    return r;
}

static void fill_inbox(const fs::path &box, int n)
{
    fs::create_directories(box);
    for (int i = 0; i < n; ++i) {
        std::ofstream f(box / ("case_" + std::to_string(i) + ".par"));
        f << 0.5 + 0.08 * i << ' ' << 1.2 - 0.05 * i << ' ' << 0.5 + 0.04 * i << '\n';
    }
}

static std::vector<Case> new_cases(const fs::path &box, std::set<std::string> &seen)
{
    std::vector<Case> found;
    for (const auto &e : fs::directory_iterator(box)) {
        if (!e.is_regular_file() || !seen.insert(e.path().filename().string()).second)
            continue;
        Case c;
        c.name = e.path().stem().string();
        std::ifstream in(e.path());
        if (in >> c.a1 >> c.a2 >> c.ratio)
            found.push_back(c);
    }
    return found;
}

int main(int argc, char **argv)
{
    int steps = argc > 1 ? std::atoi(argv[1]) : 100000;
    fs::path box = "inbox";
    fill_inbox(box, 24);
    std::set<std::string> seen;
    std::vector<Case> queue = new_cases(box, seen);
    double flips = 0;
    std::size_t done = 0;
    for (; done < queue.size(); ++done) {
        const Case &c = queue[done];
        State s{c.a1 * 2.0, c.a2 * 2.0, 0.0, 0.0};
        for (int i = 0; i < steps; ++i) {
            s = rk4(s, c.ratio, 1e-3);
            if (std::fabs(s[1]) > 3.141592653589793) {
                s[1] -= std::copysign(6.283185307179586, s[1]);
                ++flips;
            }
        }
        std::vector<Case> more = new_cases(box, seen);
        queue.insert(queue.end(), more.begin(), more.end());
    }
    std::printf("%zu cases, %.2f flips per case\n", done, flips / double(done));
    return 0;
}
