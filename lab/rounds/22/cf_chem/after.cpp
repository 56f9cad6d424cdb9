// Finite-rate chemistry substep of a reacting-flow solver.  Structure after
// OpenFOAM's chemistry model and its load-balancing variant DLBFoam: each cell
// integrates its own stiff ODE, cells near the flame need many substeps.
#include <mpi.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

struct Config { int ncell = 0, nstep = 0; double dt = 0, front = 0; };
struct Cell { double T, Y, R; };

static int rank_, nproc_;

[[noreturn]] static void fatal(const std::string& m) {
    std::fprintf(stderr, "chem[%d]: %s\n", rank_, m.c_str());
    MPI_Abort(MPI_COMM_WORLD, 1);
    std::abort();
}

static Config readConfig(const char* fn) {
    Config c; std::ifstream f(fn); std::string k;
    while (f >> k) {
        if (k == "cells") f >> c.ncell;
        else if (k == "steps") f >> c.nstep;
        else if (k == "dt") f >> c.dt;
        else if (k == "front") f >> c.front;
        else fatal("unknown key " + k);
    }
    if (c.ncell <= 0 || c.ncell % nproc_) fatal("bad cell count");
    return c;
}

// global cell number of local cell i: dealt round, so each rank gets its share of the flame
static int globalCell(int i, int) { return i * nproc_ + rank_; }

static double rate(const Cell& c) { return 4e7 * c.Y * std::exp(-1.4e4 / c.T); }

// implicit one-step reaction, number of substeps from the local stiffness
static long integrate(Cell& c, double dt) {
    int n = 1 + static_cast<int>(3.0e2 * dt * 1e4 * std::exp(-std::pow((c.T - 1500) / 350, 2)));
    double h = dt / n;
    for (int s = 0; s < n; ++s) {
        double w = rate(c);
        c.Y -= h * w / (1 + h * w / (c.Y + 1e-12));
        c.R += h * w;
        c.T += 0.02 * h * w * (2200 - c.T);
    }
    return n;
}

static void writeRestart(const Config& cf, const std::vector<Cell>& cells, int step) {
    MPI_File fh; MPI_Datatype ct, view;
    int nl = static_cast<int>(cells.size());
    std::vector<int> disp(nl);
    for (int i = 0; i < nl; ++i) disp[i] = globalCell(i, nl);
    MPI_Type_contiguous(3, MPI_DOUBLE, &ct); MPI_Type_commit(&ct);
    MPI_Type_create_indexed_block(nl, 1, disp.data(), ct, &view); MPI_Type_commit(&view);
    std::string fn = "chem_" + std::to_string(step) + ".rst";
    if (MPI_File_open(MPI_COMM_WORLD, fn.c_str(), MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &fh)) fatal("open " + fn);
    MPI_File_set_view(fh, 0, ct, view, "native", MPI_INFO_NULL);
    if (MPI_File_write_all(fh, cells.data(), nl, ct, MPI_STATUS_IGNORE)) fatal("write " + fn);
    MPI_File_close(&fh);
    MPI_Type_free(&view); MPI_Type_free(&ct);
    (void)cf;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &nproc_);
    Config cf = readConfig(argc > 1 ? argv[1] : "chemistryProperties");
    int nl = cf.ncell / nproc_;
    std::vector<Cell> cells(nl);
    for (int i = 0; i < nl; ++i) {
        double x = (globalCell(i, nl) + 0.5) / cf.ncell;
        cells[i] = { 300 + 1900 * 0.5 * (1 + std::tanh((x - cf.front) / 0.06)), 0.05, 0.0 };
    }
    FILE* mon = rank_ == 0 ? std::fopen("chem.mon", "w") : nullptr;
    if (rank_ == 0 && !mon) fatal("chem.mon");
    for (int s = 1; s <= cf.nstep; ++s) {
        long sub = 0, all = 0;
        for (auto& c : cells) sub += integrate(c, cf.dt);
        MPI_Allreduce(&sub, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
        if (mon) std::fprintf(mon, "%d %.6e %ld\n", s, s * cf.dt, all);
        if (s % 20 == 0) writeRestart(cf, cells, s);
    }
    double hi = 0, g = 0;
    for (auto& c : cells) hi = std::fmax(hi, c.R);
    MPI_Reduce(&hi, &g, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (mon) { std::fclose(mon); std::printf("chem: largest progress %.12e\n", g); }
    MPI_Finalize();
}
