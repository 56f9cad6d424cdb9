// Mean base quality and low-quality fraction per exon, grouped by chromosome.
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

struct Exon {
    std::int64_t start;
    std::int32_t length;
    std::int32_t chromosome;
};

struct ChromosomeSummary {
    double quality = 0.0;
    double quality_sq = 0.0;
    long bases = 0;
    long low = 0;
    long exons = 0;
};

static std::vector<Exon> load_exons(const std::string &path, std::size_t limit)
{
    std::ifstream in(path, std::ios::binary | std::ios::ate);
    if (!in) {
        std::cerr << "cannot open " << path << "\n";
        std::exit(1);
    }
    std::size_t n = static_cast<std::size_t>(in.tellg()) / sizeof(Exon);
    if (limit < n)
        n = limit;
    std::vector<Exon> exons(n);
    in.seekg(0);
    in.read(reinterpret_cast<char *>(exons.data()),
            static_cast<std::streamsize>(n * sizeof(Exon)));
    return exons;
}

class QualityTrack {
public:
    explicit QualityTrack(const std::string &path) : in_(path, std::ios::binary)
    {
        if (!in_) {
            std::cerr << "cannot open " << path << "\n";
            std::exit(1);
        }
    }

    void fetch(const Exon &exon, std::vector<unsigned char> &bases)
    {
        bases.resize(static_cast<std::size_t>(exon.length));
        in_.seekg(exon.start);
        in_.read(reinterpret_cast<char *>(bases.data()), exon.length);
    }

private:
    std::ifstream in_;
};

static void accumulate(ChromosomeSummary &s, const std::vector<unsigned char> &bases)
{
    double sum = 0.0;
    for (unsigned char q : bases) {
        sum += q;
        s.low += q < 10;
    }
    double mean = sum / static_cast<double>(bases.size());
    s.quality += mean;
    s.quality_sq += mean * mean;
    s.bases += static_cast<long>(bases.size());
    s.exons++;
}

int main(int argc, char **argv)
{
    std::size_t limit = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 5000000;
    std::vector<Exon> exons = load_exons("exons.idx", limit);
    QualityTrack track("quality.track");
    std::array<ChromosomeSummary, 24> summary;
    std::vector<unsigned char> bases;

    for (const Exon &exon : exons) {
        track.fetch(exon, bases);
        accumulate(summary[static_cast<std::size_t>(exon.chromosome)], bases);
    }

    std::cout << std::fixed << std::setprecision(4);
    for (std::size_t c = 0; c < summary.size(); ++c) {
        const ChromosomeSummary &s = summary[c];
        if (s.exons == 0)
            continue;
        double mean = s.quality / s.exons;
        double sd = std::sqrt(std::max(0.0, s.quality_sq / s.exons - mean * mean));
        std::cout << "chr" << c + 1 << '\t' << s.exons << '\t' << s.bases << '\t' << mean
                  << '\t' << sd << '\t' << static_cast<double>(s.low) / s.bases << '\n';
    }
    return 0;
}
