// Two-electron integral screening and contraction over shell pairs; the ranks
// draw tasks from a common counter because their costs differ a lot.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <fcntl.h>
#include <mpi.h>
#include <unistd.h>

struct Shell {
    double x, y, z, exponent;
};

// Common task number of all ranks.
class TaskCounter {
public:
    TaskCounter(const std::string &path, MPI_Comm comm) : comm_(comm)
    {
        int rank;
        MPI_Comm_rank(comm, &rank);
        if (rank == 0) {
            int64_t zero = 0;
            fd_ = open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0644);
            if (pwrite(fd_, &zero, sizeof zero, 0) != (ssize_t)sizeof zero)
                MPI_Abort(comm, 2);
        }
        MPI_Barrier(comm);
        if (rank != 0)
            fd_ = open(path.c_str(), O_RDWR);
        if (fd_ < 0)
            MPI_Abort(comm, 2);
    }

    ~TaskCounter() { close(fd_); }

    int64_t next()
    {
        int64_t value = 0, more;
        lock(F_WRLCK);
        if (pread(fd_, &value, sizeof value, 0) != (ssize_t)sizeof value)
            MPI_Abort(comm_, 2);
        more = value + 1;
        if (pwrite(fd_, &more, sizeof more, 0) != (ssize_t)sizeof more)
            MPI_Abort(comm_, 2);
        lock(F_UNLCK);
        return value;
    }

private:
    void lock(short type)
    {
        struct flock region = {};
        region.l_type = type;
        region.l_whence = SEEK_SET;
        region.l_len = sizeof(int64_t);
        while (fcntl(fd_, F_SETLKW, &region) != 0)
            continue;
    }

    MPI_Comm comm_;
    int fd_ = -1;
};

static std::vector<Shell> make_molecule(int nshell)
{
    std::vector<Shell> shells;
    uint32_t r = 2463534242u;
    auto rnd = [&r]() {
        r ^= r << 13;
        r ^= r >> 17;
        r ^= r << 5;
        return r / 4294967296.0;
    };
    for (int i = 0; i < nshell; i++)
        shells.push_back({ 14 * rnd(), 14 * rnd(), 14 * rnd(), 0.2 + 2.5 * rnd() });
    return shells;
}

static double overlap(const Shell &a, const Shell &b)
{
    double p = a.exponent + b.exponent;
    double dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
    return std::pow(M_PI / p, 1.5)
           * std::exp(-a.exponent * b.exponent / p * (dx * dx + dy * dy + dz * dz));
}

// Contribution of one pair (i, j) with all auxiliary centres.
static double contract(const std::vector<Shell> &s, size_t i, size_t j)
{
    double sij = overlap(s[i], s[j]);
    if (sij < 1e-9)
        return 0;
    double sum = 0, p = s[i].exponent + s[j].exponent;
    double cx = (s[i].exponent * s[i].x + s[j].exponent * s[j].x) / p;
    double cy = (s[i].exponent * s[i].y + s[j].exponent * s[j].y) / p;
    double cz = (s[i].exponent * s[i].z + s[j].exponent * s[j].z) / p;
    for (size_t k = 0; k < s.size(); k += 16) {
        double dx = cx - s[k].x, dy = cy - s[k].y, dz = cz - s[k].z;
        double t = p * s[k].exponent / (p + s[k].exponent) * (dx * dx + dy * dy + dz * dz);
        sum += t < 1e-8 ? 1.0 : 0.5 * std::sqrt(M_PI / t) * std::erf(std::sqrt(t));
    }
    return sij * sum;
}

static double work(const std::vector<Shell> &shells, TaskCounter &counter, long &done)
{
    const int64_t n = (int64_t)shells.size();
    double energy = 0;
    for (int64_t task = counter.next(); task < n * n; task = counter.next()) {
        size_t i = (size_t)(task / n), j = (size_t)(task % n);
        if (j <= i)
            energy += contract(shells, i, j);
        done++;
    }
    return energy;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int nshell = argc > 1 ? std::atoi(argv[1]) : 300;
    std::vector<Shell> shells = make_molecule(nshell);
    double energy, total = 0;
    long done = 0, tasks = 0;
    {
        TaskCounter counter("nxtval.cnt", MPI_COMM_WORLD);
        energy = work(shells, counter, done);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Reduce(&energy, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&done, &tasks, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        std::printf("tasks %ld energy %.6f\n", tasks, total);
    MPI_Finalize();
    return 0;
}
