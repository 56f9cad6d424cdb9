// Turbulent inflow from a library of planes, laid out like OpenFOAM's
// timeVaryingMappedFixedValue: constant/boundaryData/inlet/<time>/U.gz
#include <mpi.h>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

using Vec = std::array<float, 3>;
using Plane = std::vector<Vec>;

class BoundaryData {
public:
    explicit BoundaryData(std::string root) : root_(std::move(root)) {
        std::ifstream f(root_ + "/times");
        if (!f) throw std::runtime_error("no times in " + root_);
        std::string t;
        f >> npts_;
        while (f >> t) times_.push_back(t);
    }
    int count() const { return static_cast<int>(times_.size()); }
    int points() const { return npts_; }
    Plane load(int k) const {
        const std::string path = root_ + "/" + times_.at(k) + "/U.gz";
        Plane p(npts_);
        unpack(path, p.data(), sizeof(Vec) * npts_);
        return p;
    }
private:
    static void unpack(const std::string& path, void* to, size_t n) {
        const std::string cmd = "gzip -dc '" + path + "'";
        FILE* s = popen(cmd.c_str(), "r");
        if (!s) throw std::runtime_error("cannot run " + cmd);
        size_t got = std::fread(to, 1, n, s);
        int rc = pclose(s);
        if (got != n || rc != 0) throw std::runtime_error("bad plane " + path);
    }
    std::string root_;
    std::vector<std::string> times_;
    int npts_ = 0;
};

// mean, Reynolds stresses and flux scale of one plane
static std::array<double, 5> planeStats(const Plane& p) {
    std::array<double, 5> s{};
    for (const auto& u : p) {
        s[0] += u[0]; s[1] += u[0] * u[0]; s[2] += u[1] * u[1]; s[3] += u[2] * u[2]; s[4] += u[0] * u[1];
    }
    for (auto& v : s) v /= p.size();
    return s;
}

// interpolate in time between two planes and pass the flow through a filter
static void blend(const Plane& a, const Plane& b, double w, Plane& out, Plane& mem) {
    for (size_t i = 0; i < out.size(); ++i)
        for (int c = 0; c < 3; ++c) {
            out[i][c] = static_cast<float>((1 - w) * a[i][c] + w * b[i][c]);
            mem[i][c] = 0.9f * mem[i][c] + 0.1f * out[i][c];
        }
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank, n;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    try {
        BoundaryData bd(argc > 1 ? argv[1] : "constant/boundaryData/inlet");
        int per = bd.count() / n, first = rank * per;      // each rank handles a span of time
        Plane cur = bd.load(first), next, u(bd.points()), mem(bd.points());
        std::vector<double> mine;
        for (int k = first; k < first + per; ++k) {
            next = k + 1 < first + per ? bd.load(k + 1) : cur;
            for (int sub = 0; sub < 4; ++sub) blend(cur, next, 0.25 * sub, u, mem);
            auto s = planeStats(u);
            mine.insert(mine.end(), s.begin(), s.end());
            cur.swap(next);
        }
        std::vector<double> all(rank == 0 ? mine.size() * n : 0);
        MPI_Gather(mine.data(), (int)mine.size(), MPI_DOUBLE, all.data(), (int)mine.size(), MPI_DOUBLE, 0, MPI_COMM_WORLD);
        if (rank == 0) {
            std::ofstream o("inletStatistics.dat");
            char line[120]; double sum = 0;
            for (size_t i = 0; i < all.size(); i += 5) {
                std::snprintf(line, sizeof line, "%zu %.8e %.8e %.8e %.8e %.8e\n", i / 5, all[i], all[i+1], all[i+2], all[i+3], all[i+4]);
                o << line; sum += all[i];
            }
            std::printf("inlet: %zu planes, bulk %.9f\n", all.size() / 5, sum / (all.size() / 5));
        }
    } catch (const std::exception& e) {
        std::fprintf(stderr, "inlet[%d]: %s\n", rank, e.what());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Finalize();
}
