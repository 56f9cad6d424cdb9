// Importance of papers in a citation graph by random walks with restart
// (Monte Carlo PageRank).  usage: citation_walks LINKFILE NWALKS
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>

class Rng {
public:
    explicit Rng(uint64_t seed) : s(seed) {}
    uint64_t next()
    {
        s ^= s << 13;
        s ^= s >> 7;
        s ^= s << 17;
        return s;
    }
    double uniform() { return (next() >> 11) * (1.0 / 9007199254740992.0); }

private:
    uint64_t s;
};

class CitationGraph {
public:
    explicit CitationGraph(const std::string &name)
    {
        uint32_t head[2];
        fd = open(name.c_str(), O_RDONLY);
        if (fd < 0 || read(fd, head, sizeof head) != sizeof head)
            throw std::runtime_error("cannot read " + name);
        papers = head[0];
        degree = head[1];
        row.resize(degree);
    }
    ~CitationGraph() { close(fd); }

    uint32_t size() const { return papers; }

    const uint32_t *references(uint32_t paper)
    {
        size_t bytes = degree * sizeof(uint32_t);
        off_t at = 2 * sizeof(uint32_t) + (off_t)paper * bytes;
        if (pread(fd, row.data(), bytes, at) != (ssize_t)bytes)
            throw std::runtime_error("short link file");
        return row.data();
    }

    uint32_t outDegree() const { return degree; }

private:
    int fd;
    uint32_t papers, degree;
    std::vector<uint32_t> row;
};

static std::vector<uint32_t> walkCounts(CitationGraph &g, long nwalks, double damping, uint64_t seed)
{
    std::vector<uint32_t> visits(g.size(), 0);
    Rng rng(seed);
    for (long w = 0; w < nwalks; w++) {
        uint32_t at = rng.next() % g.size();
        visits[at]++;
        while (rng.uniform() < damping) {
            const uint32_t *refs = g.references(at);
            at = refs[rng.next() % g.outDegree()];
            visits[at]++;
        }
    }
    return visits;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        std::fprintf(stderr, "usage: %s LINKFILE NWALKS\n", argv[0]);
        return 2;
    }
    CitationGraph graph(argv[1]);
    std::vector<uint32_t> visits = walkCounts(graph, std::atol(argv[2]), 0.85, 88172645463325252ull);

    std::vector<uint32_t> order(visits.size());
    for (size_t i = 0; i < order.size(); i++)
        order[i] = i;
    std::partial_sort(order.begin(), order.begin() + 20, order.end(), [&](uint32_t a, uint32_t b) {
        return visits[a] != visits[b] ? visits[a] > visits[b] : a < b;
    });
    double total = 0;
    for (uint32_t v : visits)
        total += v;
    for (int i = 0; i < 20; i++)
        std::printf("%2d paper %7u  rank %.6e\n", i + 1, order[i], visits[order[i]] / total);
    return 0;
}
