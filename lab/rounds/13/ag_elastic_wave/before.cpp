// P-SV waves in a layered plate (velocity-stress, staggered grid), in bands of
// rows.  The particle velocity of the whole plate is kept every SAVE steps in
// waves.raw [frame][row][column] (float).
//
// usage: mpirun -n 2 waves STEPS
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <mpi.h>
#include <vector>

constexpr int NY = 1024, NX = 1024, SAVE = 25;
constexpr double DX = 2e-3, DT = 2e-7;

struct Grid {
    int rows;
    std::vector<double> v;
    explicit Grid(int r) : rows(r), v(static_cast<size_t>(r + 2) * NX, 0.0) {}
    double *row(int j) { return v.data() + static_cast<size_t>(j + 1) * NX; }
};

class Bands {
public:
    Bands() { MPI_Comm_rank(MPI_COMM_WORLD, &rank); MPI_Comm_size(MPI_COMM_WORLD, &size); rows = NY / size; }
    void exchange(Grid &g) const {
        int up = rank + 1 < size ? rank + 1 : MPI_PROC_NULL, down = rank > 0 ? rank - 1 : MPI_PROC_NULL;
        MPI_Sendrecv(g.row(0), NX, MPI_DOUBLE, down, 0, g.row(rows), NX, MPI_DOUBLE, up, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(g.row(rows - 1), NX, MPI_DOUBLE, up, 1, g.row(-1), NX, MPI_DOUBLE, down, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    int rank, size, rows;
};

class Plate {
public:
    explicit Plate(const Bands &b) : b_(b), vx_(b.rows), vy_(b.rows), sxx_(b.rows), syy_(b.rows), sxy_(b.rows) {}
    void step(int n) {
        b_.exchange(sxx_); b_.exchange(syy_); b_.exchange(sxy_);
        for (int j = 0; j < b_.rows; j++) {
            double *vx = vx_.row(j), *vy = vy_.row(j);
            const double *xx = sxx_.row(j), *xy = sxy_.row(j), *xyd = sxy_.row(j - 1), *yy = syy_.row(j), *yyu = syy_.row(j + 1);
            double f = DT / (density(j) * DX);
            for (int i = 1; i < NX - 1; i++) {
                vx[i] += f * (xx[i] - xx[i - 1] + xy[i] - xyd[i]);
                vy[i] += f * (xy[i + 1] - xy[i] + yyu[i] - yy[i]);
            }
        }
        b_.exchange(vx_); b_.exchange(vy_);
        for (int j = 0; j < b_.rows; j++) {
            const double *vx = vx_.row(j), *vxu = vx_.row(j + 1), *vy = vy_.row(j), *vyd = vy_.row(j - 1);
            double *xx = sxx_.row(j), *yy = syy_.row(j), *xy = sxy_.row(j);
            double mu = density(j) * 3100.0 * 3100.0, lam = mu, f = DT / DX;
            for (int i = 1; i < NX - 1; i++) {
                double ex = vx[i + 1] - vx[i], ey = vy[i] - vyd[i];
                xx[i] += f * ((lam + 2 * mu) * ex + lam * ey);
                yy[i] += f * ((lam + 2 * mu) * ey + lam * ex);
                xy[i] += f * mu * (vxu[i] - vx[i] + vy[i] - vy[i - 1]);
            }
        }
        source(n);
    }
    void save(MPI_File f, int frame) {
        std::vector<float> out(static_cast<size_t>(b_.rows) * NX);
        for (int j = 0; j < b_.rows; j++)
            for (int i = 0; i < NX; i++)
                out[static_cast<size_t>(j) * NX + i] = static_cast<float>(std::hypot(vx_.row(j)[i], vy_.row(j)[i]));
        MPI_Offset at = (static_cast<MPI_Offset>(frame) * NY + b_.rank * b_.rows) * NX * sizeof(float);
        MPI_File_write_at_all(f, at, out.data(), static_cast<int>(out.size()), MPI_FLOAT, MPI_STATUS_IGNORE);
    }
    double energy() {
        double e = 0;
        for (int j = 0; j < b_.rows; j++)
            for (int i = 0; i < NX; i++)
                e += 0.5 * density(j) * (vx_.row(j)[i] * vx_.row(j)[i] + vy_.row(j)[i] * vy_.row(j)[i]) * DX * DX;
        return e;
    }
private:
    double density(int j) const { return (b_.rank * b_.rows + j) % 256 < 180 ? 2700.0 : 7800.0; }
    void source(int n) {                     // a piezo in the upper quarter of each band
        double t = (n - 30) * DT * 4e5, ricker = (1 - 2 * t * t) * std::exp(-t * t);
        sxx_.row(b_.rows / 4)[NX / 2] += 1e3 * ricker;
        syy_.row(b_.rows / 4)[NX / 2] += 1e3 * ricker;
    }
    const Bands &b_;
    Grid vx_, vy_, sxx_, syy_, sxy_;
};

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int steps = argc > 1 ? std::atoi(argv[1]) : 250;
    Bands bands;
    Plate plate(bands);
    MPI_File f;
    MPI_File_open(MPI_COMM_WORLD, "waves.raw", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &f);
    for (int n = 1; n <= steps; n++) {
        plate.step(n);
        if (n % SAVE == 0) plate.save(f, n / SAVE - 1);
    }
    MPI_File_close(&f);
    double mine = plate.energy(), all = 0;
    MPI_Reduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (bands.rank == 0) std::printf("%d steps, kinetic energy %.6e J/m\n", steps, all);
    MPI_Finalize();
    return 0;
}
