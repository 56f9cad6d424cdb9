// Hough search for straight tracks in detector events.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <sys/stat.h>
#include <vector>

struct Hit {
    float x, y, z;
};

struct Track {
    int votes;
    double sx, sy;
};

class EventFile {
public:
    explicit EventFile(const std::string &path) : in_(path, std::ios::binary)
    {
        in_.read(reinterpret_cast<char *>(&events_), 4);
        in_.read(reinterpret_cast<char *>(&hits_), 4);
    }
    int events() const { return events_; }

    std::vector<Hit> event(int e)
    {
        std::vector<Hit> hits(hits_);
        in_.seekg(8 + (std::streamoff)e * hits_ * sizeof(Hit));
        in_.read(reinterpret_cast<char *>(hits.data()), hits_ * sizeof(Hit));
        return hits;
    }

private:
    std::ifstream in_;
    int32_t events_ = 0, hits_ = 0;
};

static bool stop_requested()
{
    struct stat st;
    return stat("stop.now", &st) == 0;
}

static Track search(const std::vector<Hit> &hits, int bins)
{
    std::vector<int> votes((size_t)bins * bins, 0);
    double half = 0.8, cell = 2 * half / bins;
    for (size_t a = 0; a < hits.size(); a++) {
        for (size_t b = 0; b < hits.size(); b++) {
            double dz = hits[a].z - hits[b].z;
            if (std::fabs(dz) < 1.0)
                continue;
            double sx = (hits[a].x - hits[b].x) / dz, sy = (hits[a].y - hits[b].y) / dz;
            double r = std::sqrt(sx * sx + sy * sy);
            if (r > half)
                continue;
            int i = (int)((sx + half) / cell), j = (int)((sy + half) / cell);
            votes[(size_t)j * bins + i]++;
        }
    }
    Track best = {0, 0, 0};
    for (int j = 0; j < bins; j++)
        for (int i = 0; i < bins; i++)
            if (votes[(size_t)j * bins + i] > best.votes)
                best = {votes[(size_t)j * bins + i], (i + 0.5) * cell - half, (j + 0.5) * cell - half};
    return best;
}

int main(int argc, char **argv)
{
    int bins = argc > 1 ? std::atoi(argv[1]) : 400;
    int passes = argc > 2 ? std::atoi(argv[2]) : 3;
    EventFile file("events.bin");
    std::ofstream table("tracks.txt");
    long found = 0;
    for (int e = 0; e < file.events(); e++) {
        if (e % 4 == 0 && stop_requested())
            break;
        std::vector<Hit> hits = file.event(e);
        Track best = {0, 0, 0};
        for (int p = 0; p < passes; p++) {
            Track t = search(hits, bins + 40 * p);
            if (t.votes > best.votes)
                best = t;
        }
        table << e << ' ' << best.votes << ' ' << best.sx << ' ' << best.sy << std::endl;
        found += best.votes > 20;
    }
    std::printf("events %d  with track %ld\n", file.events(), found);
    return 0;
}
