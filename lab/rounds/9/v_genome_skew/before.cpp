// GC skew, CpG bias and triplet usage along a genome held in a flat sequence file, and a sample of candidate loci.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <fcntl.h>
#include <fstream>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

class Genome {
public:
    explicit Genome(const std::string &path)
    {
        int fd = ::open(path.c_str(), O_RDONLY);
        struct stat st;
        if (fd < 0 || fstat(fd, &st) != 0)
            throw std::runtime_error("cannot open " + path);
        void *p = mmap(nullptr, st.st_size, PROT_READ, MAP_SHARED, fd, 0);
        ::close(fd);
        if (p == MAP_FAILED)
            throw std::runtime_error("cannot map " + path);
        madvise(p, st.st_size, MADV_SEQUENTIAL);
        seq_ = std::string_view(static_cast<const char *>(p), st.st_size);
    }
    ~Genome() { munmap(const_cast<char *>(seq_.data()), seq_.size()); }
    size_t size() const { return seq_.size(); }
    std::string_view piece(size_t start, size_t n) const { return seq_.substr(start, n); }

private:
    std::string_view seq_;
};

struct Window {
    size_t start;
    double skew, cpg, entropy;
};

static int code(char c)
{
    return c == 'A' ? 0 : c == 'C' ? 1 : c == 'G' ? 2 : 3;
}

static Window analyse(std::string_view w, size_t start, std::array<uint64_t, 64> &codons)
{
    std::array<uint32_t, 4> base{};
    std::array<uint32_t, 64> tri{};
    uint32_t cpg = 0, k = 0, run = 0, longest = 0;
    int last = -1;
    for (size_t i = 0; i < w.size(); i++) {
        int c = code(w[i]);
        base[c]++;
        cpg += (last == 1 && c == 2);
        run = c == last ? run + 1 : 1;
        longest = std::max(longest, run);
        k = ((k << 2) | c) & 63;
        if (i >= 2)
            tri[k]++;
        last = c;
    }
    double h = 0;
    for (int t = 0; t < 64; t++) {
        codons[t] += tri[t];
        h += double(tri[t]) * tri[t];
    }
    double g = base[2], c = base[1];
    return {start, (g - c) / (g + c), cpg * double(w.size()) / (g * c), longest + h / (double(w.size()) * w.size())};
}

static size_t occurrences(std::string_view text, std::string_view motif)
{
    size_t n = 0;
    for (size_t p = text.find(motif); p != text.npos; p = text.find(motif, p + 1))
        n++;
    return n;
}

static size_t sampleLoci(const Genome &g, std::vector<Window> w, size_t size, int n)
{
    std::sort(w.begin(), w.end(), [](const Window &a, const Window &b) { return a.skew > b.skew; });
    std::mt19937 rng(4);
    size_t score = 0;
    for (int k = 0; k < n; k++) {
        size_t pos = w[rng() % 200].start + rng() % (size - 300);
        std::string_view text = g.piece(pos, 300);
        score += occurrences(text, "TATAA") + 2 * occurrences(text, "CACGTG");
    }
    return score;
}

int main(int argc, char **argv)
{
    Genome genome(argc > 1 ? argv[1] : "genome.seq");
    const size_t size = 20000;
    std::vector<Window> windows;
    std::array<uint64_t, 64> codons{};
    for (size_t s = 0; s + size <= genome.size(); s += size)
        windows.push_back(analyse(genome.piece(s, size), s, codons));

    std::ofstream out("skew.txt");
    double cumulative = 0, lowest = 0;
    size_t origin = 0;
    for (const Window &w : windows) {
        cumulative += w.skew;
        if (cumulative < lowest) {
            lowest = cumulative;
            origin = w.start;
        }
        out << w.start << ' ' << cumulative << ' ' << w.cpg << ' ' << w.entropy << '\n';
    }
    std::printf("%zu bases, origin near %zu, loci score %zu, commonest triplet %d\n", genome.size(), origin,
                sampleLoci(genome, windows, size, 1500),
                int(std::max_element(codons.begin(), codons.end()) - codons.begin()));
    return 0;
}
