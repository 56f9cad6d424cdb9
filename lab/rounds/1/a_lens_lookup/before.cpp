// Stacks the shear of source galaxies around lenses; the sources of every lens
// are looked up in the mapped catalogue.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fcntl.h>
#include <iostream>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

struct Source {
    uint32_t word[16];

    double e1() const { return word[3] / 4294967296.0 - 0.5; }
    double e2() const { return word[4] / 4294967296.0 - 0.5; }
    double weight() const { return 0.5 + word[5] / 4294967296.0; }
};

class Catalogue {
public:
    explicit Catalogue(const char *path)
    {
        int fd = ::open(path, O_RDONLY);
        struct stat st;
        if (fd < 0 || ::fstat(fd, &st) != 0)
            throw std::runtime_error("no catalogue");
        bytes = static_cast<size_t>(st.st_size);
        void *p = ::mmap(nullptr, bytes, PROT_READ, MAP_SHARED, fd, 0);
        ::close(fd);
        if (p == MAP_FAILED)
            throw std::runtime_error("cannot map the catalogue");
        ::madvise(p, bytes, MADV_RANDOM);
        rows = static_cast<const Source *>(p);
    }

    ~Catalogue() { ::munmap(const_cast<Source *>(rows), bytes); }

    size_t size() const { return bytes / sizeof(Source); }
    const Source &operator[](size_t i) const { return rows[i]; }

private:
    size_t bytes = 0;
    const Source *rows = nullptr;
};

struct Pair {
    uint32_t source;
    uint32_t bin;
    float angle;
};

static std::vector<Pair> make_pairs(size_t sources, int lenses, int per_lens)
{
    std::vector<Pair> pairs;
    uint64_t s = 4711;
    for (int l = 0; l < lenses; l++)
        for (int k = 0; k < per_lens; k++) {
            s = s * 6364136223846793005ULL + 1442695040888963407ULL;
            Pair p;
            p.source = static_cast<uint32_t>((s >> 20) % sources);
            p.bin = static_cast<uint32_t>(k % 10);
            p.angle = static_cast<float>((s >> 40) % 6283) * 1e-3f;
            pairs.push_back(p);
        }
    return pairs;
}

int main(int argc, char **argv)
{
    int lenses = argc > 1 ? std::atoi(argv[1]) : 600;
    try {
        Catalogue catalogue("catalogue.bin");
        auto pairs = make_pairs(catalogue.size(), lenses, 20);
        double shear[10] = {0}, norm[10] = {0};
        for (const Pair &p : pairs) {
            const Source &g = catalogue[p.source];
            double w = g.weight();
            shear[p.bin] -= w * (g.e1() * std::cos(2 * p.angle) + g.e2() * std::sin(2 * p.angle));
            norm[p.bin] += w;
        }
        std::cout << pairs.size() << " pairs, shear";
        for (int b = 0; b < 10; b += 3)
            std::cout << ' ' << static_cast<float>(shear[b] / norm[b]);
        std::cout << "\n";
    } catch (const std::exception &e) {
        std::cerr << e.what() << "\n";
        return 1;
    }
    return 0;
}
