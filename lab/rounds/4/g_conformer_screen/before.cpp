// Screen the conformers of a chain molecule: every candidate is handed to the
// force field kernel, the best of them are kept.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <random>
#include <string>
#include <unistd.h>
#include <vector>

struct Atom {
    double x, y, z, charge;
};
using Molecule = std::vector<Atom>;

static Molecule build_chain(int natom, std::mt19937 &gen)
{
    std::uniform_real_distribution<double> torsion(-M_PI, M_PI);
    Molecule mol(natom);
    double x = 0, y = 0, z = 0;
    for (int i = 0; i < natom; i++) {
        double phi = torsion(gen);
        x += 1.25;
        y += 0.85 * std::cos(phi);
        z += 0.85 * std::sin(phi);
        mol[i] = {x, y, z, (i % 2 ? 0.18 : -0.18)};
    }
    return mol;
}

static std::string stage_geometry(const Molecule &mol)
{
    char name[] = "geom_XXXXXX";
    int fd = mkstemp(name);
    if (fd < 0) {
        std::perror("mkstemp");
        std::exit(1);
    }
    close(fd);
    std::ofstream out(name, std::ios::binary);
    int natom = static_cast<int>(mol.size());
    out.write(reinterpret_cast<const char *>(&natom), sizeof natom);
    out.write(reinterpret_cast<const char *>(mol.data()), natom * sizeof(Atom));
    return name;
}

static double force_field_energy(const Molecule &mol)
{
    double energy = 0;
    for (std::size_t i = 0; i < mol.size(); i++)
        for (std::size_t j = i + 2; j < mol.size(); j++) {
            double dx = mol[i].x - mol[j].x, dy = mol[i].y - mol[j].y, dz = mol[i].z - mol[j].z;
            double r2 = dx * dx + dy * dy + dz * dz + 0.1;
            double s6 = 1.0 / (r2 * r2 * r2);
            energy += 4 * (s6 * s6 - s6) + 332.0 * mol[i].charge * mol[j].charge / std::sqrt(r2);
        }
    return energy;
}

static double evaluate(const std::string &geometry_file)
{
    std::ifstream in(geometry_file, std::ios::binary);
    int natom = 0;
    in.read(reinterpret_cast<char *>(&natom), sizeof natom);
    Molecule mol(natom);
    in.read(reinterpret_cast<char *>(mol.data()), natom * sizeof(Atom));
    return force_field_energy(mol);
}

int main(int argc, char **argv)
{
    int nconf = argc > 1 ? std::atoi(argv[1]) : 4000;
    std::mt19937 gen(20240501);
    std::vector<std::pair<double, int>> ranking;
    ranking.reserve(nconf);
    for (int c = 0; c < nconf; c++) {
        Molecule mol = build_chain(32, gen);
        std::string geometry = stage_geometry(mol);
        ranking.emplace_back(evaluate(geometry), c);
        std::remove(geometry.c_str());
    }
    std::sort(ranking.begin(), ranking.end());
    for (int k = 0; k < std::min(nconf, 8); k++)
        std::printf("%2d conformer %6d energy %14.6f\n", k + 1, ranking[k].second, ranking[k].first);
    return 0;
}
