// Search for protein-coding regions by the period-3 signal of codon usage.
// A window slides over the genome; in each window the composition of the three
// codon positions is compared (chi-square), and windows above the threshold
// are joined to candidate genes.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

constexpr long kWindow = 3 * 700;
constexpr double kThreshold = 120.0;

class Genome {
public:
    // A stretch of the sequence, valid as long as the object lives.
    class Stretch {
    public:
        explicit Stretch(const char *seq) : seq_(seq) {}
        char operator[](long i) const { return seq_[i]; }

    private:
        const char *seq_;
    };

    explicit Genome(const std::string &path) : fd_(open(path.c_str(), O_RDONLY))
    {
        struct stat st;
        if (fd_ < 0 || fstat(fd_, &st)) throw std::runtime_error("no genome " + path);
        length_ = st.st_size;
        map_ = mmap(nullptr, length_, PROT_READ, MAP_SHARED, fd_, 0);
        if (map_ == MAP_FAILED) throw std::runtime_error("cannot view genome");
    }
    ~Genome() { munmap(map_, length_); close(fd_); }
    long length() const { return length_; }
    Stretch stretch(long begin, long) const { return Stretch(static_cast<const char *>(map_) + begin); }

private:
    int fd_;
    long length_;
    void *map_;
};

struct Candidate {
    long begin, end;
    double score;
};

static std::array<unsigned char, 256> base_codes()
{
    std::array<unsigned char, 256> c{};
    c['A'] = 0; c['C'] = 1; c['G'] = 2; c['T'] = 3;
    return c;
}

// chi-square of base composition against codon position
template <class Sequence>
double period3(const Sequence &s, long n)
{
    static const auto code = base_codes();
    int table[3][4] = {};
    for (long i = 0; i + 2 < n; i += 3) {
        table[0][code[static_cast<unsigned char>(s[i])]]++;
        table[1][code[static_cast<unsigned char>(s[i + 1])]]++;
        table[2][code[static_cast<unsigned char>(s[i + 2])]]++;
    }
    double chi = 0;
    for (int b = 0; b < 4; b++) {
        const double expect = (table[0][b] + table[1][b] + table[2][b]) / 3.0;
        for (int p = 0; p < 3 && expect > 0; p++)
            chi += (table[p][b] - expect) * (table[p][b] - expect) / expect;
    }
    return chi;
}

static std::vector<Candidate> scan(const Genome &genome, long step)
{
    std::vector<Candidate> found;
    for (long at = 0; at + kWindow <= genome.length(); at += step) {
        const Genome::Stretch window = genome.stretch(at, kWindow);
        const double score = period3(window, kWindow);
        if (score < kThreshold) continue;
        if (!found.empty() && found.back().end >= at) {
            found.back().end = at + kWindow;
            found.back().score = std::max(found.back().score, score);
        } else {
            found.push_back({at, at + kWindow, score});
        }
    }
    return found;
}

int main(int argc, char **argv)
{
    const std::string path = argc > 1 ? argv[1] : "genome.seq";
    const long step = argc > 2 ? std::atol(argv[2]) : 210;
    Genome genome(path);
    const auto genes = scan(genome, step);
    std::ofstream out("candidates.bed");
    long covered = 0;
    for (const auto &g : genes) {
        out << "chr1\t" << g.begin << '\t' << g.end << '\t' << g.score << '\n';
        covered += g.end - g.begin;
    }
    std::printf("%zu candidate genes, %.1f %% of %ld bases\n", genes.size(),
                100.0 * covered / genome.length(), genome.length());
    return 0;
}
