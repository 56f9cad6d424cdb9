// Parameter scan: ranks work through their share of the grid and enter results in one table.
#include <fcntl.h>
#include <mpi.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

struct Result {
    int index, steps;
    double a, b;
    double escape, final_x, final_y;
};

Result iterate(int index, double a, double b)
{
    Result r{};
    r.index = index;
    r.a = a;
    r.b = b;
    double x = 0.1, y = 0.1;
    int n = 0;
    for (; n < 60; ++n) {
        double xn = 1.0 - a * x * x + y;
        y = b * x;
        x = xn;
        if (std::fabs(x) > 10.0)
            break;
    }
    r.steps = n;
    r.escape = n / 60.0;
    r.final_x = x;
    r.final_y = y;
    return r;
}

class ResultTable {
public:
    explicit ResultTable(const char *path)
    {
        fd_ = ::open(path, O_RDWR | O_CREAT, 0644);
        if (fd_ < 0) {
            std::perror(path);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }
    ~ResultTable()
    {
        commit();
        ::close(fd_);
    }

    void enter(const Result &r)
    {
        pending_.push_back(r);
        if (pending_.size() >= 5000)
            commit();
    }

    void commit()
    {
        const ssize_t bytes = pending_.size() * sizeof(Result);
        guard(F_WRLCK);
        ::lseek(fd_, 0, SEEK_END);
        if (::write(fd_, pending_.data(), bytes) != bytes)
            std::perror("result table");
        guard(F_UNLCK);
        pending_.clear();
    }

private:
    void guard(short mode)
    {
        struct flock fl;
        std::memset(&fl, 0, sizeof fl);
        fl.l_type = mode;
        fl.l_whence = SEEK_SET;
        ::fcntl(fd_, F_SETLKW, &fl);
    }

    int fd_;
    std::vector<Result> pending_;
};

}  // namespace

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int ngrid = argc > 1 ? std::atoi(argv[1]) : 200;

    if (rank == 0)
        ::unlink("scan.tab");
    MPI_Barrier(MPI_COMM_WORLD);
    double sum = 0.0, all = 0.0;
    {
        ResultTable table("scan.tab");
        for (int k = rank; k < ngrid * ngrid; k += size) {
            double a = 0.8 + 0.6 * (k % ngrid) / ngrid;
            double b = 0.1 + 0.3 * (k / ngrid) / ngrid;
            Result r = iterate(k, a, b);
            table.enter(r);
            sum += r.escape;
        }
    }
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        std::printf("bounded fraction %.6f\n", all / (double(ngrid) * ngrid));
    MPI_Finalize();
    return 0;
}
