// bx_gffblocks - gene models of a GFF3: for each gene the union length of its exons, number of exons, longest intron.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

struct Feature { std::string chrom, type, attr; long beg = 0, end = 0; };
struct Gene { std::string id, chrom; std::vector<std::pair<long, long>> exons; };

static bool parse(const std::string &line, Feature &f) {
    size_t p[9], at = 0; int n = 0;
    while (n < 8 && (at = line.find('\t', at)) != std::string::npos) p[n++] = at++;
    if (n < 8) return false;
    f.chrom.assign(line, 0, p[0]);
    f.type.assign(line, p[1] + 1, p[2] - p[1] - 1);
    f.beg = std::atol(line.c_str() + p[2] + 1);
    f.end = std::atol(line.c_str() + p[3] + 1);
    f.attr.assign(line, p[7] + 1, std::string::npos);
    return true;
}

static std::string attribute(const std::string &attr, const char *key) {
    std::string k = std::string(key) + "=";
    size_t a = attr.compare(0, k.size(), k) == 0 ? 0 : attr.find(";" + k);
    if (a == std::string::npos) return "";
    a = attr.find('=', a) + 1;
    return attr.substr(a, attr.find(';', a) - a);
}

class GffReader {
    std::vector<char> buf_; std::ifstream in_; std::string line_; long lines_ = 0;
    Feature ahead_; bool have_ = false;
public:
    explicit GffReader(const char *path) : buf_(1 << 16) {
        in_.rdbuf()->pubsetbuf(buf_.data(), buf_.size());
        in_.open(path);
        if (!in_) throw std::runtime_error(std::string("cannot open ") + path);
    }
    bool next(Feature &f) {
        if (have_) { have_ = false; f = ahead_; return true; }
        while (std::getline(in_, line_)) {
            lines_++;
            if (line_.empty() || line_[0] == '#') continue;
            if (!parse(line_, f)) throw std::runtime_error("line " + std::to_string(lines_) + ": 9 columns expected");
            return true;
        }
        return false;
    }
    // looks at the next feature without consuming it
    bool peek(Feature &f) {
        bool ok = have_ || next(ahead_);
        if ((have_ = ok)) f = ahead_;
        return ok;
    }
    long lines() const { return lines_; }
};

static bool nextGene(GffReader &r, Gene &g) {
    Feature f;
    do { if (!r.next(f)) return false; } while (f.type != "gene");
    g.id = attribute(f.attr, "ID"); g.chrom = f.chrom; g.exons.clear();
    while (r.peek(f) && f.type != "gene") {
        r.next(f);
        if (f.type == "exon" && attribute(f.attr, "Parent") == g.id) g.exons.emplace_back(f.beg, f.end);
    }
    return true;
}

static void model(Gene &g, long &covered, long &intron) {
    std::sort(g.exons.begin(), g.exons.end());
    covered = intron = 0; long end = -1;
    for (auto &e : g.exons) {
        if (end >= 0 && e.first > end + 1) intron = std::max(intron, e.first - end - 1);
        long from = std::max(e.first, end + 1);
        if (e.second >= from) covered += e.second - from + 1;
        end = std::max(end, e.second);
    }
}

int main(int argc, char **argv) try {
    if (argc < 3) { std::cerr << "usage: " << argv[0] << " in.gff3 out.tsv\n"; return 2; }
    GffReader r(argv[1]);
    std::ofstream out(argv[2]);
    out << "#gene\tchrom\texons\tcovered\tlongest_intron\n";
    Gene g; long genes = 0, exons = 0, total = 0;
    while (nextGene(r, g)) {
        long covered, intron;
        model(g, covered, intron);
        out << g.id << '\t' << g.chrom << '\t' << g.exons.size() << '\t' << covered << '\t' << intron << '\n';
        genes++; exons += g.exons.size(); total += covered;
    }
    out.close();
    if (!out) throw std::runtime_error("write failed");
    std::cout << genes << " genes, " << exons << " exons, " << total << " bases covered\n";
} catch (const std::exception &e) { std::cerr << e.what() << '\n'; return 1; }
