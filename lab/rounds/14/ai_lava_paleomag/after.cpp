// Palaeomagnetic pole from lava specimens (Fisher statistics).
//   pass 1: resultant vector and mean direction
//   pass 2: angular dispersion about the mean, cut at the Vandamme angle,
//   repeated until no specimen is thrown out any more
#include <array>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <stdexcept>
#include <string>

namespace pmag {

using Vec = std::array<double, 3>;
constexpr double kDeg = 180.0 / M_PI;

#pragma pack(push, 1)
struct Header { char magic[8]; int32_t count, size; char spare[48]; };
struct Moment {
    int32_t site, step;             // step: alternating field in units of 0.1 mT
    float x, y, z;
    float inc, dec;                 // of the bedding
    double lat, lon;
    float strength;
};
#pragma pack(pop)
static_assert(sizeof(Header) == 64 && sizeof(Moment) == 48, "file format 3");

class Collection {
public:
    explicit Collection(const std::string &name) : in_(name, std::ios::binary) {
        if (!in_.read(reinterpret_cast<char *>(&head_), sizeof head_))
            throw std::runtime_error("cannot read " + name);
    }
    int size() const { return head_.count; }
    void rewind() { in_.clear(); in_.seekg(sizeof(Header)); }
    Moment next() {                                     // records follow one another
        Moment m;
        in_.read(reinterpret_cast<char *>(&m), sizeof m);
        return m;
    }
private:
    std::ifstream in_;
    Header head_;
};

double length(const Vec &v) { return std::sqrt(v[0]*v[0] + v[1]*v[1] + v[2]*v[2]); }

// unit vector of a specimen after a tilt correction
Vec direction(const Moment &m) {
    double t = (90.0 - m.inc) / kDeg * 0.1, d = m.dec / kDeg;
    Vec v{m.x * std::cos(d) + m.y * std::sin(d), -m.x * std::sin(d) + m.y * std::cos(d), m.z};
    Vec w{v[0] * std::cos(t) + v[2] * std::sin(t), v[1], -v[0] * std::sin(t) + v[2] * std::cos(t)};
    double l = length(w) + 1e-12;
    for (double &c : w) c /= l;
    return w;
}

double angle(const Vec &a, const Vec &b) {
    double c = a[0]*b[0] + a[1]*b[1] + a[2]*b[2];
    return std::acos(std::max(-1.0, std::min(1.0, c))) * kDeg;
}

struct Fisher { Vec mean{}; long n = 0; double r = 0, kappa = 0, a95 = 0, disp = 0; };

Fisher analyse(Collection &all, const Vec *about, double cut) {
    Fisher f;
    double s2 = 0;
    all.rewind();
    for (int i = 0; i < all.size(); ++i) {
        Moment m = all.next();
        if (m.step < 100) continue;                     // viscous overprint
        Vec u = direction(m);
        if (about) {
            double a = angle(u, *about);
            if (a > cut) continue;
            s2 += a * a;
        }
        for (int k = 0; k < 3; ++k) f.mean[k] += u[k];
        f.n++;
    }
    f.r = length(f.mean);
    for (double &c : f.mean) c /= f.r;
    f.kappa = (f.n - 1) / (f.n - f.r);
    f.a95 = 140.0 / std::sqrt(f.kappa * f.n);
    f.disp = f.n > 1 ? std::sqrt(s2 / (f.n - 1)) : 0;
    return f;
}

} // namespace pmag

int main(int argc, char **argv) {
    int rounds = argc > 1 ? std::stoi(argv[1]) : 4;
    pmag::Collection lavas("moments.dat");
    pmag::Fisher f = pmag::analyse(lavas, nullptr, 0);
    double cut = 60.0;
    for (int k = 0; k < rounds; ++k) {
        pmag::Vec mean = f.mean;
        f = pmag::analyse(lavas, &mean, cut);
        cut = 1.8 * f.disp + 5.0;                       // Vandamme (1994)
    }
    std::ofstream out("pole.txt");
    out << std::fixed << std::setprecision(5) << "n " << f.n << "\nR " << f.r << "\nkappa " << f.kappa
        << "\na95 " << f.a95 << "\ncut " << cut << "\nmean " << f.mean[0] << ' ' << f.mean[1] << ' '
        << f.mean[2] << '\n';
    std::cout << f.n << " specimens, kappa " << f.kappa << '\n';
}
