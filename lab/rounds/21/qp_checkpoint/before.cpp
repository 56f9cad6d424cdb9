// Electrostatic PIC in one dimension (periodic), particles divided among the
// ranks. Every few steps each rank leaves a restart file.
#include <mpi.h>
#include <fcntl.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

struct Particle { double x, v, w; };

class Restart {
public:
    Restart(const std::string &name)
    {
        fd_ = open(name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_DSYNC, 0644);
        if (fd_ < 0) { perror(name.c_str()); MPI_Abort(MPI_COMM_WORLD, 1); }
    }
    ~Restart() { close(fd_); }
    void put(const void *p, size_t n)
    {
        const char *c = static_cast<const char *>(p);
        while (n) {
            ssize_t k = write(fd_, c, n < block ? n : block);
            if (k < 0) { perror("write"); MPI_Abort(MPI_COMM_WORLD, 1); }
            c += k;
            n -= k;
        }
    }
private:
    static const size_t block = 32768;
    int fd_;
};

static void push(std::vector<Particle> &p, const std::vector<double> &e, double dt)
{
    const int ng = e.size();
    for (auto &q : p) {
        int i = static_cast<int>(q.x);
        double f = q.x - i;
        q.v += dt * ((1 - f) * e[i] + f * e[(i + 1) % ng]);
        q.x += dt * q.v;
        if (q.x < 0) q.x += ng;
        if (q.x >= ng) q.x -= ng;
    }
}

static void deposit(const std::vector<Particle> &p, std::vector<double> &rho)
{
    const int ng = rho.size();
    for (auto &r : rho) r = 0;
    for (const auto &q : p) {
        int i = static_cast<int>(q.x);
        double f = q.x - i;
        rho[i] += (1 - f) * q.w;
        rho[(i + 1) % ng] += f * q.w;
    }
    MPI_Allreduce(MPI_IN_PLACE, rho.data(), ng, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void field(const std::vector<double> &rho, std::vector<double> &e)
{
    double a = 0, mean = 0;
    for (double r : rho) mean += r / rho.size();
    for (size_t i = 0; i < e.size(); i++) e[i] = a += rho[i] - mean;
    double m = 0;
    for (double x : e) m += x / e.size();
    for (double &x : e) x -= m;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int me, np;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    const int ng = 256, n = 100000, steps = 60, every = 10;
    std::vector<Particle> p(n);
    std::vector<double> e(ng), rho(ng);
    for (int i = 0; i < n; i++) {
        double s = std::fmod(0.6180339887498949 * (i + 1 + me * n), 1.0);
        p[i] = {s * ng * 0.999999, (i & 1 ? 1.0 : -1.0) + 0.1 * std::sin(6.28318 * s), 1.0 / (n * np)};
    }
    for (int s = 1; s <= steps; s++) {
        deposit(p, rho);
        field(rho, e);
        push(p, e, 0.2);
        if (s % every == 0) {
            Restart out("restart." + std::to_string(me));
            int head[4] = {s, n, ng, np};
            out.put(head, sizeof head);
            out.put(e.data(), ng * sizeof(double));
            out.put(p.data(), n * sizeof(Particle));
        }
    }
    double k = 0, tot;
    for (const auto &q : p) k += 0.5 * q.w * q.v * q.v;
    MPI_Reduce(&k, &tot, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (me == 0) std::printf("kinetic energy %.10f\n", tot);
    MPI_Finalize();
    return 0;
}
