// low_complexity: mask low complexity stretches (DUST-like triplet score) of the
// contigs of an assembly. The masker is the class from the probe design tool; it
// works from stream to stream.
//
//   low_complexity contigs.fa masked.fa
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

// masks one FASTA stream into another
class Masker {
public:
    Masker(int window, double limit) : window_(window), limit_(limit) {}

    long run(std::istream &in, std::ostream &out) const
    {
        std::string line;
        long masked = 0;
        while (std::getline(in, line)) {
            if (line.empty() || line[0] != '>') masked += mask(line);
            out << line << '\n';
        }
        return masked;
    }

private:
    long mask(std::string &s) const
    {
        long n = 0;
        std::string m = s;
        for (size_t at = 0; at + window_ <= s.size(); at += window_ / 2) {
            int count[64] = {0};
            double score = 0;
            for (size_t i = at; i + 2 < at + window_; i++)
                score += count[code(s[i]) << 4 | code(s[i + 1]) << 2 | code(s[i + 2])]++;
            if (score / (window_ - 3) > limit_)
                for (size_t i = at; i < at + window_; i++) m[i] = 'N';
        }
        for (char c : m) n += c == 'N';
        s.swap(m);
        return n;
    }

    static int code(char c) { return c >> 1 & 3; }

    int window_;
    double limit_;
};

// one sequence through the masker
static long mask_sequence(const Masker &masker, const std::string &name, std::string &seq)
{
    std::istringstream from(">" + name + "\n" + seq + "\n");
    std::ostringstream to;
    long masked = masker.run(from, to);
    std::istringstream f(to.str());
    std::string head;
    std::getline(f, head);
    std::getline(f, seq);
    return masked;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        std::cerr << "usage: low_complexity contigs.fa masked.fa\n";
        return 2;
    }
    std::ifstream in(argv[1]);
    std::ofstream out(argv[2]);
    if (!in || !out) {
        std::cerr << "cannot open\n";
        return 1;
    }
    const Masker masker(32, 2.0);
    std::string head, seq;
    long n = 0, touched = 0, masked = 0, bases = 0;
    while (std::getline(in, head) && std::getline(in, seq)) {
        long m = mask_sequence(masker, head.substr(1), seq);
        out << head << '\n' << seq << '\n';
        bases += seq.size();
        masked += m;
        touched += m > 0;
        n++;
    }
    out.close();
    std::printf("contigs %ld bases %ld with masked bases %ld masked %ld (%.3f%%)\n",
                n, bases, touched, masked, 100.0 * masked / bases);
    return 0;
}
