// Slider-block fault model (after Burridge-Knopoff codes): every rank runs one fault segment,
// rank 0 collects the events of a cycle and appends them to the catalogue.
#include <mpi.h>
#include <fcntl.h>
#include <unistd.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

struct Event { double time, mag; int segment, block; };

class Segment {
    std::vector<double> stress, strength;
    int id;
public:
    Segment(int id_, int n) : stress(n), strength(n), id(id_) {
        for (int i = 0; i < n; i++) {
            strength[i] = 1.0 + 0.3 * std::sin(12.9898 * i + id);
            stress[i] = strength[i] * (0.5 + 0.49 * std::fabs(std::cos(78.233 * i + id)));
        }
    }
    void load(double t, double rate, std::vector<Event> &out) {
        const int n = stress.size();
        for (int i = 0; i < n; i++) stress[i] += rate * (1 + 0.1 * std::sin(0.3 * i));
        for (int i = 0; i < n; i++) {
            if (stress[i] < strength[i]) continue;
            double drop = 0.8 * stress[i];
            stress[i] -= drop;
            if (i > 0) stress[i-1] += 0.2 * drop;
            if (i + 1 < n) stress[i+1] += 0.2 * drop;
            out.push_back({t, 2.0 + std::log10(1 + 100 * drop), id, i});
        }
    }
};

class Catalogue {
    int fd = -1;
public:
    long count = 0;
    explicit Catalogue(const std::string &name) {
        fd = open(name.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0644);
        if (fd < 0) throw std::runtime_error("cannot create " + name);
        put("# time mag segment block\n", 25);
    }
    ~Catalogue() { fsync(fd); close(fd); }
    void put(const char *s, int n) {
        if (write(fd, s, n) != n) throw std::runtime_error("catalogue full");
    }
    void add(const Event &e) {
        char line[96];
        int n = std::snprintf(line, sizeof line, "%.4f %.3f %d %d\n", e.time, e.mag, e.segment, e.block);
        put(line, n);
        count++;
    }
};

static void collect(std::vector<Event> &mine, Catalogue *cat, int rank, int size) {
    if (rank) {
        MPI_Send(mine.data(), mine.size() * sizeof(Event), MPI_BYTE, 0, 7, MPI_COMM_WORLD);
        return;
    }
    for (auto &e : mine) cat->add(e);
    for (int r = 1; r < size; r++) {
        MPI_Status st;
        int bytes;
        MPI_Probe(r, 7, MPI_COMM_WORLD, &st);
        MPI_Get_count(&st, MPI_BYTE, &bytes);
        std::vector<Event> theirs(bytes / sizeof(Event));
        MPI_Recv(theirs.data(), bytes, MPI_BYTE, r, 7, MPI_COMM_WORLD, &st);
        for (auto &e : theirs) cat->add(e);
    }
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank, size, blocks = argc > 1 ? std::atoi(argv[1]) : 2000, cycles = argc > 2 ? std::atoi(argv[2]) : 100;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    try {
        Segment seg(rank, blocks);
        Catalogue *cat = rank ? nullptr : new Catalogue("catalogue.txt");
        for (int c = 0; c < cycles; c++) {
            std::vector<Event> ev;
            seg.load(c * 0.25, 2e-4, ev);
            collect(ev, cat, rank, size);
        }
        if (cat) { std::printf("events %ld\n", cat->count); delete cat; }
    } catch (const std::exception &e) {
        std::fprintf(stderr, "%s\n", e.what());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Finalize();
}
