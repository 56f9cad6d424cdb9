// cell_calling: assign observed cell barcodes to the whitelist by edit distance
// (at most two, unique best). Two workers share the list of barcodes; a log line
// is written for every batch, and the log is flushed so that it can be followed.
//
//   cell_calling whitelist.txt observed.txt assigned.tsv
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

struct Obs {
    std::string bc;
    long reads = 0;
    int best = -1, dist = 99;
};

// Hamming first, then banded edit distance
static int distance(const std::string &a, const std::string &b, int limit)
{
    int ham = 0;
    const int n = a.size();
    for (int i = 0; i < n; i++) ham += a[i] != b[i];
    if (ham <= 1) return ham;
    if (a[0] != b[0] && a[1] != b[1] && a[0] != b[1] && a[1] != b[0]) return limit + 1;
    int prev[33], cur[33];
    for (int j = 0; j <= n; j++) prev[j] = j;
    for (int i = 1; i <= n; i++) {
        for (int j = 0; j <= n; j++) cur[j] = 99;
        const int lo = i - limit < 1 ? 1 : i - limit, hi = i + limit > n ? n : i + limit;
        if (i <= limit) cur[0] = i;
        int row = 99;
        for (int j = lo; j <= hi; j++) {
            int v = prev[j - 1] + (a[i - 1] != b[j - 1]);
            if (prev[j] + 1 < v) v = prev[j] + 1;
            if (cur[j - 1] + 1 < v) v = cur[j - 1] + 1;
            cur[j] = v;
            if (v < row) row = v;
        }
        if (row > limit) return limit + 1;
        std::swap(prev, cur);
    }
    return prev[n];
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        std::cerr << "usage: cell_calling whitelist.txt observed.txt assigned.tsv\n";
        return 2;
    }
    std::vector<std::string> white;
    std::vector<Obs> obs;
    {
        std::ifstream w(argv[1]), o(argv[2]);
        std::string s;
        while (std::getline(w, s)) white.push_back(s);
        Obs x;
        while (o >> x.bc >> x.reads) obs.push_back(x);
    }

    std::ofstream log(std::string(argv[3]) + ".log");
    std::mutex lock;
    size_t next = 0;
    const size_t batch = 100;
    auto work = [&] {
        for (;;) {
            size_t from, to;
            {
                std::lock_guard<std::mutex> g(lock);
                from = next;
                to = next = std::min(next + batch, obs.size());
                if (from < to) log << "batch " << from << '-' << to << std::endl;
            }
            if (from >= to) return;
            for (size_t i = from; i < to; i++) {
                bool tie = false;
                for (size_t k = 0; k < white.size(); k++) {
                    const int d = distance(obs[i].bc, white[k], 2);
                    if (d > 2 || d > obs[i].dist) continue;
                    tie = d == obs[i].dist;
                    obs[i].dist = d;
                    obs[i].best = k;
                }
                if (tie) obs[i].best = -1;
            }
        }
    };
    std::thread a(work), b(work);
    a.join();
    b.join();

    std::ofstream out(argv[3]);
    long assigned = 0, reads = 0;
    std::map<int, long> by_dist;
    for (const auto &o : obs) {
        if (o.best < 0) continue;
        out << o.bc << '\t' << white[o.best] << '\t' << o.dist << '\t' << o.reads << '\n';
        assigned++;
        reads += o.reads;
        by_dist[o.dist]++;
    }
    std::printf("observed %zu assigned %ld reads %ld\n", obs.size(), assigned, reads);
    for (const auto &d : by_dist) std::printf("distance %d: %ld\n", d.first, d.second);
    return 0;
}
