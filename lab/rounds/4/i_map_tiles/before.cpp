// Terrain shading in map tiles: the tree of zoom levels and tile columns is laid
// out on disk, then the ranks share the shading of the tiles.
#include <mpi.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

struct Tile {
    int zoom, column, row;
};

static std::string column_dir(const Tile &t)
{
    return "tiles/" + std::to_string(t.zoom) + "/" + std::to_string(t.column);
}

static std::string tile_path(const Tile &t)
{
    return column_dir(t) + "/" + std::to_string(t.row) + ".shade";
}

static std::vector<Tile> list_tiles(int deepest)
{
    std::vector<Tile> tiles;
    for (int z = 2; z <= deepest; z++)
        for (int c = 0; c < (1 << z); c++)
            for (int r = 0; r < (1 << z) / 4; r++)
                tiles.push_back({z, c, r});
    return tiles;
}

static void lay_out_tree(const std::vector<Tile> &tiles, int deepest)
{
    mkdir("tiles", 0755);
    for (int z = 0; z <= deepest; z++)
        mkdir(("tiles/" + std::to_string(z)).c_str(), 0755);
    for (const Tile &t : tiles) {
        std::string dir = column_dir(t), path = tile_path(t), part = path + ".part";
        struct stat st;
        if (stat(dir.c_str(), &st) != 0)
            mkdir(dir.c_str(), 0755);
        FILE *f = fopen(part.c_str(), "wb");
        if (!f)
            MPI_Abort(MPI_COMM_WORLD, 1);
        fclose(f);
        chmod(part.c_str(), 0640);
        rename(part.c_str(), path.c_str());
    }
}

static double shade_tile(const Tile &t, std::vector<unsigned char> &pixels)
{
    double sum = 0, scale = 1.0 / (1 << t.zoom);
    for (size_t k = 0; k < pixels.size(); k++) {
        double x = (t.column + (k % 16) / 16.0) * scale, y = (t.row + (k / 16) / 16.0) * scale;
        double slope = std::sin(40 * x) * std::cos(31 * y);
        pixels[k] = (unsigned char)(127 + 120 * slope);
        sum += pixels[k];
    }
    return sum;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, nproc;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &nproc);
    int deepest = argc > 1 ? atoi(argv[1]) : 6;
    std::vector<Tile> tiles = list_tiles(deepest);
    if (rank == 0)
        lay_out_tree(tiles, deepest);
    MPI_Barrier(MPI_COMM_WORLD);

    std::vector<unsigned char> pixels(16 * 16);
    const double steep = 190;
    double sum = 0, total = 0;
    for (const Tile &t : tiles) {
        if (t.column % nproc != rank)
            continue;
        double shade = shade_tile(t, pixels);
        sum += shade;
        if (shade < steep * pixels.size())
            continue;
        FILE *f = fopen(tile_path(t).c_str(), "r+b");
        if (!f)
            MPI_Abort(MPI_COMM_WORLD, 2);
        fwrite(pixels.data(), 1, pixels.size(), f);
        fclose(f);
    }
    MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%zu tiles, mean shade %.5f\n", tiles.size(), total / (tiles.size() * pixels.size()));
    MPI_Finalize();
    return 0;
}
