// Period search of many light curves by two threads; the curves come from one
// file in order, the best periods go into one table.
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

struct Curve {
    long star = -1;
    std::vector<double> t, m;
};

struct Best {
    double frequency = 0, power = 0;
};

class Source {
public:
    Source(const std::string &path, std::size_t points) : in_(path, std::ios::binary), raw_(2 * points) {
        if (!in_) {
            std::cerr << path << ": cannot open\n";
            std::exit(1);
        }
    }
    bool next(Curve &c) {
        in_.read(reinterpret_cast<char *>(raw_.data()), static_cast<std::streamsize>(raw_.size() * sizeof(double)));
        if (static_cast<std::size_t>(in_.gcount()) != raw_.size() * sizeof(double)) return false;
        c.star = star_++;
        c.t.resize(raw_.size() / 2);
        c.m.resize(raw_.size() / 2);
        for (std::size_t i = 0; i < c.t.size(); i++) {
            c.t[i] = raw_[2 * i];
            c.m[i] = raw_[2 * i + 1];
        }
        return true;
    }

private:
    std::ifstream in_;
    std::vector<double> raw_;
    long star_ = 0;
};

struct Shared {
    std::mutex lock;
    Source source;
    std::vector<Best> best;
    std::vector<double> cosines, sines;

    Shared(const std::string &path, std::size_t points) : source(path, points), cosines(points), sines(points) {}
};

static double power(Shared &s, const Curve &c, double f) {
    double a = 0, b = 0;
    for (std::size_t i = 0; i < c.t.size(); i++) {
        double w = 2 * M_PI * f * c.t[i];
        s.cosines[i] = std::cos(w);
        s.sines[i] = std::sin(w);
    }
    for (std::size_t i = 0; i < c.t.size(); i++) {
        a += c.m[i] * s.cosines[i];
        b += c.m[i] * s.sines[i];
    }
    return (a * a + b * b) / static_cast<double>(c.t.size());
}

static void worker(Shared &s, int steps) {
    Curve c;
    for (;;) {
        std::lock_guard<std::mutex> guard(s.lock);
        if (!s.source.next(c)) return;
        Best b;
        for (int k = 1; k <= steps; k++) {
            double f = 0.02 + 2.0 * k / steps;
            double p = power(s, c, f);
            if (p > b.power) {
                b.power = p;
                b.frequency = f;
            }
        }
        if (s.best.size() <= static_cast<std::size_t>(c.star)) s.best.resize(static_cast<std::size_t>(c.star) + 1);
        s.best[static_cast<std::size_t>(c.star)] = b;
    }
}

static void write_table(const std::string &path, const std::vector<Best> &best) {
    std::ofstream out(path);
    for (std::size_t i = 0; i < best.size(); i++)
        out << i << ' ' << best[i].frequency << ' ' << best[i].power << '\n';
}

int main(int argc, char **argv) {
    std::string path = argc > 1 ? argv[1] : "curves.bin";
    std::size_t points = argc > 2 ? std::stoul(argv[2]) : 400;
    int steps = argc > 3 ? std::stoi(argv[3]) : 300;
    int threads = argc > 4 ? std::stoi(argv[4]) : 2;
    Shared shared(path, points);
    std::vector<std::thread> pool;

    for (int i = 0; i < threads; i++) pool.emplace_back(worker, std::ref(shared), steps);
    for (auto &t : pool) t.join();
    write_table("periods.txt", shared.best);

    double f = 0, p = 0;
    for (const Best &b : shared.best) {
        f += b.frequency;
        p += b.power;
    }
    std::printf("stars %zu mean frequency %.5f mean power %.4f\n", shared.best.size(),
                f / static_cast<double>(shared.best.size()), p / static_cast<double>(shared.best.size()));
    return 0;
}
