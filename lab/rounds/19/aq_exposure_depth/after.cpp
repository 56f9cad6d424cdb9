// Exposure depth of an X-ray survey: event lists (text, one photon a line)
// are read by the ranks, binned on the sky and added up.  The observing log
// names deep pointings and their short calibration exposures in turn.
#include <mpi.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

struct Pointing {
    std::string file;
    double ontime;
};

struct SkyMap {
    static constexpr int N = 128;
    std::vector<double> counts = std::vector<double>(N * N, 0.0);
    double hard = 0, soft = 0;
    long photons = 0;

    void add(double x, double y, double kev)
    {
        int i = std::clamp(int(x * N), 0, N - 1), j = std::clamp(int(y * N), 0, N - 1);
        counts[j * N + i] += 1;
        (kev > 2.0 ? hard : soft) += 1;
        ++photons;
    }
};

static std::vector<Pointing> read_log(const char *path)
{
    std::vector<Pointing> list;
    std::ifstream in(path);
    Pointing p;
    while (in >> p.file >> p.ontime) list.push_back(p);
    return list;
}

static long file_size(const std::string &path)
{
    struct stat st;
    return stat(path.c_str(), &st) ? 0 : long(st.st_size);
}

// which pointings are mine
static std::vector<int> share(const std::vector<Pointing> &list, int rank, int size)
{
    std::vector<int> mine, order(list.size());
    std::vector<long> bytes(list.size()), load(size, 0);
    for (int i = 0; i < int(list.size()); ++i) {
        order[i] = i;
        bytes[i] = file_size(list[i].file);
    }
    // largest first, each to the rank with the least to read
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return bytes[a] > bytes[b]; });
    for (int i : order) {
        int r = int(std::min_element(load.begin(), load.end()) - load.begin());
        load[r] += bytes[i];
        if (r == rank) mine.push_back(i);
    }
    return mine;
}

static long read_events(const Pointing &p, SkyMap &map)
{
    FILE *f = std::fopen(p.file.c_str(), "r");
    if (!f) {
        std::perror(p.file.c_str());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    char line[128];
    long n = 0;
    while (std::fgets(line, sizeof line, f)) {
        double t, x, y, kev;
        if (line[0] == '#') continue;
        if (std::sscanf(line, "%lf %lf %lf %lf", &t, &x, &y, &kev) != 4) continue;
        if (t <= p.ontime) {
            map.add(x, y, kev);
            ++n;
        }
    }
    std::fclose(f);
    return n;
}

static void write_map(const char *path, const std::vector<double> &m)
{
    FILE *f = std::fopen(path, "wb");
    std::fwrite(m.data(), sizeof(double), m.size(), f);
    std::fclose(f);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc < 2) MPI_Abort(MPI_COMM_WORLD, 2);

    auto list = read_log(argv[1]);
    SkyMap map;
    for (int i : share(list, rank, size))
        read_events(list[i], map);

    std::vector<double> total(map.counts.size());
    MPI_Reduce(map.counts.data(), total.data(), int(total.size()), MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    double band[2] = {map.hard, map.soft}, bands[2];
    MPI_Reduce(band, bands, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        long bytes = 0;
        for (auto &p : list) bytes += file_size(p.file);
        write_map("depth.map", total);
        double peak = *std::max_element(total.begin(), total.end());
        std::printf("%zu pointings, %ld bytes, %.0f photons, hardness %.6f, peak %.0f\n", list.size(), bytes,
                    bands[0] + bands[1], (bands[0] - bands[1]) / (bands[0] + bands[1]), peak);
    }
    MPI_Finalize();
}
