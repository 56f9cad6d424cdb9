// Land surface temperature around flux-tower sites, from gzipped MODIS-like tiles.
// usage: sites LSTDIR SITES.txt OUT.csv [radius]
#include <zlib.h>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

struct Tile {
    int32_t rows = 0, cols = 0;
    std::vector<uint16_t> dn;
    uint16_t at(int r, int c) const { return dn[size_t(r) * cols + c]; }
};

struct Site { std::string name, tile; int row, col; };
struct Stat { int n; double mean, sd, p90; };

static Tile loadTile(const std::string& dir, const std::string& id) {
    std::string path = dir + "/MOD11A1.A2023196." + id + ".lst.gz";
    gzFile f = gzopen(path.c_str(), "rb");
    if (!f) throw std::runtime_error("cannot open " + path);
    gzbuffer(f, 256 * 1024);
    int32_t head[2];
    if (gzread(f, head, sizeof head) != int(sizeof head)) { gzclose(f); throw std::runtime_error("short header " + path); }
    Tile t;
    t.rows = head[0]; t.cols = head[1];
    t.dn.resize(size_t(t.rows) * t.cols);
    size_t want = t.dn.size() * 2, got = 0;
    while (got < want) {
        int n = gzread(f, reinterpret_cast<char*>(t.dn.data()) + got, unsigned(std::min<size_t>(want - got, 1 << 20)));
        if (n <= 0) { gzclose(f); throw std::runtime_error("truncated " + path); }
        got += size_t(n);
    }
    gzclose(f);
    return t;
}

static std::vector<Site> readSites(const std::string& path) {
    std::ifstream in(path);
    if (!in) throw std::runtime_error("cannot open " + path);
    std::vector<Site> v;
    for (std::string line; std::getline(in, line);) {
        if (line.empty() || line[0] == '#') continue;
        std::istringstream s(line);
        Site x;
        if (s >> x.name >> x.tile >> x.row >> x.col) v.push_back(x);
        else fprintf(stderr, "skipping: %s\n", line.c_str());
    }
    return v;
}

static Stat window(const Tile& t, int row, int col, int radius) {
    std::vector<double> k;
    for (int r = std::max(0, row - radius); r <= std::min(t.rows - 1, row + radius); r++)
        for (int c = std::max(0, col - radius); c <= std::min(t.cols - 1, col + radius); c++)
            if (t.at(r, c)) k.push_back(t.at(r, c) * 0.02 - 273.15);
    Stat s{int(k.size()), 0, 0, 0};
    if (k.empty()) return s;
    for (double x : k) s.mean += x;
    s.mean /= k.size();
    for (double x : k) s.sd += (x - s.mean) * (x - s.mean);
    s.sd = std::sqrt(s.sd / k.size());
    std::sort(k.begin(), k.end());
    s.p90 = k[size_t(0.9 * (k.size() - 1))];
    return s;
}

int main(int argc, char** argv) {
    if (argc < 4) { fprintf(stderr, "usage: %s LSTDIR SITES OUT [radius]\n", argv[0]); return 2; }
    int radius = argc > 4 ? atoi(argv[4]) : 12;
    try {
        std::vector<Site> sites = readSites(argv[2]);
        FILE* out = fopen(argv[3], "w");
        if (!out) throw std::runtime_error("cannot write output");
        fprintf(out, "site,tile,n,mean_c,sd_c,p90_c\n");
        double sum = 0;
        for (const Site& s : sites) {
            Tile t = loadTile(argv[1], s.tile);
            Stat w = window(t, s.row, s.col, radius);
            fprintf(out, "%s,%s,%d,%.3f,%.3f,%.3f\n", s.name.c_str(), s.tile.c_str(), w.n, w.mean, w.sd, w.p90);
            sum += w.mean;
        }
        fclose(out);
        printf("%zu sites, mean %.3f C\n", sites.size(), sum / sites.size());
    } catch (const std::exception& e) {
        fprintf(stderr, "sites: %s\n", e.what());
        return 1;
    }
    return 0;
}
