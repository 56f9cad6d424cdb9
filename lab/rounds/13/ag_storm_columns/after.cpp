// Column physics of a regional weather model: convective adjustment and rain.
// Every rank has a band of rows; after each step the rain of all rows goes to
// rain.raw [step][row][column] (doubles).  A squall line crosses the domain.
//
// usage: mpirun -n 2 columns STEPS
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <mpi.h>
#include <tuple>
#include <utility>
#include <vector>

constexpr int NY = 256, NX = 256, NZ = 12;

class Scheme {
public:
    virtual ~Scheme() = default;
    virtual double rain(double *t, double *q) const = 0;
};

// fair weather: nothing but a slow drying
class Shallow : public Scheme {
public:
    double rain(double *t, double *q) const override {
        double r = 0;
        for (int k = 0; k < NZ; k++) {
            double dq = 0.002 * q[k];
            q[k] -= dq;
            t[k] += 0.4 * dq;
            r += dq;
        }
        return r;
    }
};

// deep convection: saturation adjustment, iterated until the column is stable
class Deep : public Scheme {
public:
    double rain(double *t, double *q) const override {
        double r = 0;
        for (int it = 0; it < 14; it++)
            for (int k = NZ - 1; k > 0; k--) {
                double qs = 3.8 * std::exp(17.3 * (t[k] - 273.15) / (t[k] - 35.9)) / (1000.0 - 70.0 * k);
                double excess = std::max(0.0, q[k] - qs);
                q[k] -= 0.2 * excess;
                t[k] += 2.5 * 0.2 * excess;
                r += 0.2 * excess;
                double lapse = t[k - 1] - t[k] - 6.0;
                if (lapse > 0) { t[k - 1] -= 0.1 * lapse; t[k] += 0.1 * lapse; }
            }
        return r;
    }
};

static bool squall_line(int row) { return row >= 190 && row < 238; }

// first row and number of rows of a rank; a row of the squall line is as dear
// as DEAR rows of fair weather
static std::pair<int, int> band(int rank, int size)
{
    constexpr double DEAR = 60;
    double all = 0, sum = 0;
    for (int j = 0; j < NY; j++) all += squall_line(j) ? DEAR : 1;
    int first = -1, next = NY;
    for (int j = 0; j < NY; j++) {
        if (first < 0 && sum >= all * rank / size) first = j;
        if (sum >= all * (rank + 1) / size) { next = j; break; }
        sum += squall_line(j) ? DEAR : 1;
    }
    return {first, next - first};
}

class Domain {
public:
    Domain(int rank, int size) {
        std::tie(first_, rows_) = band(rank, size);
        t_.resize(static_cast<size_t>(rows_) * NX * NZ);
        q_.resize(t_.size());
        rain_.resize(static_cast<size_t>(rows_) * NX);
        for (size_t c = 0; c < rain_.size(); c++)
            for (int k = 0; k < NZ; k++) {
                int row = first_ + static_cast<int>(c / NX), col = static_cast<int>(c % NX);
                t_[c * NZ + k] = 300 - 6.5 * k + 0.5 * std::sin(0.1 * row) * std::cos(0.07 * col);
                q_[c * NZ + k] = 0.020 * std::exp(-0.3 * k) * (squall_line(row) ? 1.6 : 0.8);
            }
    }
    void step() {
        for (size_t c = 0; c < rain_.size(); c++) {
            int row = first_ + static_cast<int>(c / NX);
            const Scheme &s = squall_line(row) ? static_cast<const Scheme &>(deep_) : shallow_;
            for (int k = 0; k < NZ; k++) q_[c * NZ + k] *= 1.003;      // moisture inflow
            rain_[c] = s.rain(&t_[c * NZ], &q_[c * NZ]);
        }
    }
    void write(MPI_File f, int step) const {
        MPI_Offset at = (static_cast<MPI_Offset>(step) * NY + first_) * NX * sizeof(double);
        MPI_File_write_at_all(f, at, rain_.data(), static_cast<int>(rain_.size()), MPI_DOUBLE, MPI_STATUS_IGNORE);
    }
    double total() const { double s = 0; for (double r : rain_) s += r; return s; }
private:
    int first_, rows_;
    std::vector<double> t_, q_, rain_;
    Shallow shallow_;
    Deep deep_;
};

int main(int argc, char **argv)
{
    int rank, size, steps = argc > 1 ? std::atoi(argv[1]) : 60;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    Domain domain(rank, size);
    MPI_File f;
    MPI_File_open(MPI_COMM_WORLD, "rain.raw", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &f);
    double mine = 0, all = 0;
    for (int s = 0; s < steps; s++) {
        domain.step();
        domain.write(f, s);
        mine += domain.total();
    }
    MPI_File_close(&f);
    MPI_Reduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) std::printf("%d steps, rain per column %.6f\n", steps, all / (double(NX) * NY));
    MPI_Finalize();
    return 0;
}
