// Spectrum of canonical k-mers of a set of short reads, and an estimate of
// the genome size from its main peak.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

class CountTable {
    std::vector<std::uint64_t> key;
    std::vector<std::uint32_t> val;
    std::size_t mask;
    static std::uint64_t mix(std::uint64_t x) {
        x ^= x >> 33; x *= 0xff51afd7ed558ccdULL;
        x ^= x >> 29; x *= 0xc4ceb9fe1a85ec53ULL;
        return x ^ (x >> 32);
    }
public:
    explicit CountTable(int bits) : key(1ULL << bits, ~0ULL), val(1ULL << bits, 0), mask((1ULL << bits) - 1) {}
    void add(std::uint64_t k) {
        std::size_t p = mix(k) & mask;
        while (key[p] != k && key[p] != ~0ULL) p = (p + 1) & mask;
        key[p] = k;
        ++val[p];
    }
    std::vector<std::uint64_t> histogram(std::size_t top) const {
        std::vector<std::uint64_t> h(top + 1, 0);
        for (auto v : val)
            if (v) ++h[std::min<std::size_t>(v, top)];
        return h;
    }
};

static int code(char c) {
    switch (c) {
    case 'A': return 0;
    case 'C': return 1;
    case 'G': return 2;
    case 'T': return 3;
    }
    return -1;
}

static std::size_t count_read(const std::string &s, int k, CountTable &table) {
    const std::uint64_t m = (1ULL << (2 * k)) - 1;
    std::uint64_t fwd = 0, rev = 0;
    int have = 0;
    std::size_t n = 0;
    for (char ch : s) {
        int c = code(ch);
        if (c < 0) { have = 0; continue; }
        fwd = ((fwd << 2) | c) & m;
        rev = (rev >> 2) | (std::uint64_t(3 - c) << (2 * (k - 1)));
        if (++have >= k) { table.add(std::min(fwd, rev)); ++n; }
    }
    return n;
}

int main(int argc, char **argv) {
    const char *name = argc > 1 ? argv[1] : "reads.fa";
    const int k = argc > 2 ? std::atoi(argv[2]) : 23;
    std::vector<char> buffer(1 << 20);
    std::ifstream in;
    in.rdbuf()->pubsetbuf(buffer.data(), buffer.size());
    in.open(name);
    if (!in) { std::cerr << "cannot read " << name << '\n'; return 1; }

    CountTable table(21);
    std::string line;
    std::size_t reads = 0, kmers = 0;
    while (std::getline(in, line)) {
        if (line.empty() || line[0] == '>') continue;
        ++reads;
        kmers += count_read(line, k, table);
    }
    auto h = table.histogram(200);
    std::size_t peak = std::max_element(h.begin() + 5, h.end() - 1) - h.begin();
    std::ofstream out("spectrum.txt");
    for (std::size_t i = 1; i < h.size(); ++i) out << std::setw(4) << i << ' ' << h[i] << '\n';
    std::cout << "reads " << reads << "  k-mers " << kmers << "  peak " << peak
              << "  genome size about " << kmers / peak << '\n';
    return 0;
}
