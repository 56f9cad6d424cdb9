// Embedded-atom energy of a metal cluster; the tabulated functions (setfl-like, binary, as LAMMPS' pair_eam keeps
// them in memory) are mapped and looked up at random distances. The table is 1 MB and stays in the cache.
#include <mpi.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <vector>

class Table {
    const double *p;
    size_t len;
    int n;
    double rc;
public:
    explicit Table(const char *name) {
        int fd = open(name, O_RDONLY);
        struct stat st;
        if (fd < 0 || fstat(fd, &st)) throw std::runtime_error(std::string("no table ") + name);
        len = st.st_size;
        p = static_cast<const double *>(mmap(nullptr, len, PROT_READ, MAP_PRIVATE, fd, 0));
        close(fd);
        if (p == MAP_FAILED) throw std::runtime_error("mmap");
        n = int(p[0]);
        rc = p[1];
        if (len < (2 + 2 * size_t(n)) * 8) throw std::runtime_error("table short");
    }
    ~Table() { munmap(const_cast<double *>(p), len); }
    double cut() const { return rc; }
    void look(double r, double &phi, double &rho) const {
        double x = r / rc * (n - 1);
        int i = int(x);
        if (i > n - 2) i = n - 2;
        x -= i;
        const double *a = p + 2 + 2 * i;
        phi = (1 - x) * a[0] + x * a[2];
        rho = (1 - x) * a[1] + x * a[3];
    }
};

struct Atoms { std::vector<double> x, y, z; };

static Atoms cluster(int m) {
    Atoms a;
    for (int i = 0; i < m; i++) for (int j = 0; j < m; j++) for (int k = 0; k < m; k++) {
        int q = (i * m + j) * m + k;
        a.x.push_back(2.5 * i + 0.2 * std::sin(1.7 * q));
        a.y.push_back(2.5 * j + 0.2 * std::sin(2.9 * q));
        a.z.push_back(2.5 * k + 0.2 * std::sin(4.1 * q));
    }
    return a;
}

static double energy(const Atoms &a, const Table &t, int rank, int size) {
    const int n = a.x.size();
    const double c2 = t.cut() * t.cut();
    double e = 0;
    for (int i = rank; i < n; i += size) {
        double dens = 0, pair = 0;
        for (int j = 0; j < n; j++) {
            double dx = a.x[i] - a.x[j], dy = a.y[i] - a.y[j], dz = a.z[i] - a.z[j], r2 = dx*dx + dy*dy + dz*dz;
            if (j == i || r2 > c2) continue;
            double phi, rho;
            t.look(std::sqrt(r2), phi, rho);
            pair += 0.5 * phi;
            dens += rho;
        }
        e += pair - std::sqrt(dens);
    }
    return e;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank, size, m = argc > 1 ? std::atoi(argv[1]) : 10, sweeps = argc > 2 ? std::atoi(argv[2]) : 10;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    try {
        Table t("Cu_u3.tab");
        Atoms a = cluster(m);
        std::ofstream log;
        if (rank == 0) log.open("energies.log");
        double all = 0;
        for (int s = 0; s < sweeps; s++) {
            double e = energy(a, t, rank, size);
            MPI_Allreduce(&e, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
            if (rank == 0) log << s << ' ' << all << std::endl;
            for (size_t i = 0; i < a.x.size(); i++) { a.x[i] *= 0.999; a.y[i] *= 0.999; a.z[i] *= 0.999; }
        }
        if (rank == 0) std::printf("energy %.6f eV\n", all);
    } catch (const std::exception &e) {
        std::fprintf(stderr, "%s\n", e.what());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Finalize();
}
