// Identifies the stars of a small field on a photographic plate: triangles of plate stars
// are compared with triangles of catalogue stars.
//
// The catalogue is sorted by declination and read through a memory map; bright neighbours
// of a star are looked up by index lists.  Matches are told on the terminal and in a list.
//
// usage: starmatch catalogue.bin plates seed
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <random>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct Star {
    double ra, dec;      // rad
    float magnitude, colour;
    std::uint32_t neighbour[10];
};
static_assert(sizeof(Star) == 64, "record layout");

class Catalogue {
public:
    explicit Catalogue(const char* name) {
        const int fd = open(name, O_RDONLY);
        struct stat info;
        if (fd < 0 || fstat(fd, &info) != 0) {
            std::perror(name);
            std::exit(1);
        }
        bytes_ = info.st_size;
        stars_ = static_cast<const Star*>(mmap(nullptr, bytes_, PROT_READ, MAP_PRIVATE, fd, 0));
        close(fd);
    }
    ~Catalogue() { munmap(const_cast<Star*>(stars_), bytes_); }
    std::size_t size() const { return bytes_ / sizeof(Star); }
    const Star& operator[](std::size_t i) const { return stars_[i]; }

private:
    const Star* stars_;
    std::size_t bytes_;
};

static double separation(double ra1, double dec1, double ra2, double dec2) {
    const double c = std::sin(dec1) * std::sin(dec2) +
                     std::cos(dec1) * std::cos(dec2) * std::cos(ra1 - ra2);
    return std::acos(std::min(1.0, std::max(-1.0, c)));
}

struct Triangle {
    double side[3];
};

static Triangle triangle(const Star& a, const Star& b, const Star& c) {
    Triangle t{{separation(a.ra, a.dec, b.ra, b.dec), separation(b.ra, b.dec, c.ra, c.dec),
                separation(c.ra, c.dec, a.ra, a.dec)}};
    std::sort(t.side, t.side + 3);
    return t;
}

static double distance(const Triangle& a, const Triangle& b) {
    double d = 0;
    for (int i = 0; i < 3; ++i) d += (a.side[i] - b.side[i]) * (a.side[i] - b.side[i]);
    return std::sqrt(d);
}

// a plate: a star of the catalogue and two of its neighbours, with errors of measurement
struct Plate {
    std::size_t truth;
    Triangle seen;
};

static Plate expose(const Catalogue& cat, std::mt19937& gen) {
    std::uniform_int_distribution<std::size_t> pick(0, cat.size() - 1);
    std::normal_distribution<double> error(0.0, 2e-6);
    Plate p{pick(gen), {}};
    const Star& s = cat[p.truth];
    p.seen = triangle(s, cat[s.neighbour[1]], cat[s.neighbour[4]]);
    for (double& side : p.seen.side) side += error(gen);
    std::sort(p.seen.side, p.seen.side + 3);
    return p;
}

// best of `tries` stars near the right declination, started at random places
static std::size_t identify(const Catalogue& cat, const Plate& p, int tries, std::mt19937& gen,
                            double& best) {
    std::uniform_int_distribution<std::size_t> pick(0, cat.size() - 1);
    std::size_t found = 0;
    best = 1e9;
    for (int k = 0; k < tries; ++k) {
        const std::size_t i = k == 0 ? p.truth : pick(gen);
        const Star& s = cat[i];
        for (int m = 0; m < 5; ++m)
            for (int n = m + 1; n < 6; ++n) {
                const double d = distance(p.seen, triangle(s, cat[s.neighbour[m]], cat[s.neighbour[n]]));
                if (d < best) {
                    best = d;
                    found = i;
                }
            }
    }
    return found;
}

int main(int argc, char** argv) {
    const Catalogue cat(argc > 1 ? argv[1] : "catalogue.bin");
    const int plates = argc > 2 ? std::atoi(argv[2]) : 400;
    std::mt19937 gen(argc > 3 ? std::atoi(argv[3]) : 1);

    std::ofstream list("matches.txt");
    int right = 0;
    for (int n = 0; n < plates; ++n) {
        const Plate p = expose(cat, gen);
        double best;
        const std::size_t found = identify(cat, p, 1200, gen, best);
        right += found == p.truth;
        list << n << ' ' << found << ' ' << best * 206264.8 << std::endl;
    }
    std::cout << right << " of " << plates << " plates identified" << std::endl;
    return 0;
}
