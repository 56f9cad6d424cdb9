// Locates the sources of lightning from arrival times of VHF pulses at a mapping array.
//
// A source has four unknowns, three coordinates and the time, found by Gauss-Newton steps.
// The pulses are handled in batches as the network delivers them; a batch is shared among
// the ranks. The sources go into the usual text format of such arrays: seconds of the day,
// east, north, height, chi square, power and the mask of stations.
//
// usage: lma stations.txt pulses.bin batch
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <vector>

#include <mpi.h>

constexpr double kLight = 299792458.0;
constexpr double kTiming = 4.0e-8;       // accuracy of a station, seconds
constexpr int kSteps = 5;

struct Station { double x, y, z; };
struct Source { double seconds, x, y, z, chi, power; };

static std::vector<Station> readStations(const char* name) {
    std::vector<Station> stations;
    std::ifstream in(name);
    for (Station s; in >> s.x >> s.y >> s.z;) stations.push_back(s);
    return stations;
}

// Solves the symmetric 4 x 4 system in place by Cholesky.
static void solve(double a[4][4], double b[4]) {
    for (int c = 0; c < 4; ++c) {
        for (int k = 0; k < c; ++k) a[c][c] -= a[c][k] * a[c][k];
        a[c][c] = std::sqrt(std::max(a[c][c], 1e-12));
        for (int r = c + 1; r < 4; ++r) {
            for (int k = 0; k < c; ++k) a[r][c] -= a[r][k] * a[c][k];
            a[r][c] /= a[c][c];
        }
    }
    for (int r = 0; r < 4; ++r) {
        for (int k = 0; k < r; ++k) b[r] -= a[r][k] * b[k];
        b[r] /= a[r][r];
    }
    for (int r = 3; r >= 0; --r) {
        for (int k = r + 1; k < 4; ++k) b[r] -= a[k][r] * b[k];
        b[r] /= a[r][r];
    }
}

static Source locate(const double* pulse, const std::vector<Station>& stations) {
    const std::size_t n = stations.size();
    double at[4] = {0, 0, 7000, -20000};            // x, y, z, c t
    const std::size_t first = std::min_element(pulse, pulse + n) - pulse;
    at[0] = 0.5 * stations[first].x;
    at[1] = 0.5 * stations[first].y;
    double chi = 0;
    for (int step = 0; step <= kSteps; ++step) {
        double normal[4][4] = {}, right[4] = {};
        chi = 0;
        for (std::size_t s = 0; s < n; ++s) {
            const double d[3] = {at[0] - stations[s].x, at[1] - stations[s].y, at[2] - stations[s].z};
            const double span = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) + 1e-9;
            const double misfit = kLight * (pulse[s] - pulse[first]) - at[3] - span;
            const double slope[4] = {d[0] / span, d[1] / span, d[2] / span, 1};
            chi += misfit * misfit;
            for (int r = 0; r < 4; ++r) {
                right[r] += slope[r] * misfit;
                for (int c = 0; c <= r; ++c) normal[r][c] += slope[r] * slope[c];
            }
        }
        if (step == kSteps) break;
        for (int r = 0; r < 4; ++r) normal[r][r] += 1e-6;
        solve(normal, right);
        for (int r = 0; r < 4; ++r) at[r] += right[r];
        at[2] = std::min(20000.0, std::max(0.0, at[2]));
    }
    chi /= kLight * kTiming * kLight * kTiming * double(n - 4);
    return {pulse[first] + at[3] / kLight, at[0], at[1], at[2], chi, pulse[n]};
}

static int format(char* text, std::size_t room, const Source& s, unsigned mask) {
    return std::snprintf(text, room, "%15.9f %10.2f %10.2f %9.2f %7.2f %6.1f 0x%02x\n", s.seconds,
                         s.x, s.y, s.z, std::min(s.chi, 9999.99), s.power, mask);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const std::vector<Station> stations = readStations(argc > 1 ? argv[1] : "stations.txt");
    const char* name = argc > 2 ? argv[2] : "pulses.bin";
    const int batch = argc > 3 ? std::atoi(argv[3]) : 100000;
    const int width = int(stations.size()) + 1;
    const unsigned mask = (1u << stations.size()) - 1;

    MPI_File pulses;
    MPI_Offset bytes = 0;
    if (MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDONLY, MPI_INFO_NULL, &pulses) != MPI_SUCCESS)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_File_get_size(pulses, &bytes);
    const long all = long(bytes / (width * sizeof(double)));
    std::FILE* out = rank == 0 ? std::fopen("sources.dat", "w") : nullptr;

    const int share = batch / ranks;                // pulses of a rank in a batch
    std::vector<double> times(std::size_t(share) * width);
    std::vector<Source> mine(share), everyone(rank == 0 ? std::size_t(share) * ranks : 0);
    for (long start = 0; start + batch <= all; start += batch) {
        MPI_File_read_at(pulses, (start + long(rank) * share) * width * MPI_Offset(sizeof(double)),
                         times.data(), share * width, MPI_DOUBLE, MPI_STATUS_IGNORE);
        for (int p = 0; p < share; ++p) mine[p] = locate(&times[std::size_t(p) * width], stations);
        MPI_Gather(mine.data(), share * 6, MPI_DOUBLE, everyone.data(), share * 6, MPI_DOUBLE, 0,
                   MPI_COMM_WORLD);
        char text[160];
        for (const Source& source : everyone) {
            const int length = format(text, sizeof text, source, mask);
            std::fwrite(text, 1, length, out);
        }
    }
    if (out) std::fclose(out);
    MPI_File_close(&pulses);
    MPI_Finalize();
    return 0;
}
