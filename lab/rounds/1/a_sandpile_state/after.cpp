// Abelian sandpile: grains fall near the middle, avalanches are followed, and
// the state file on disk always shows the present pile.
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

class Grid {
public:
    explicit Grid(int n) : size(n), cell(static_cast<size_t>(n) * n, 0) {}

    int32_t &at(int i, int j) { return cell[static_cast<size_t>(i) * size + j]; }
    const int32_t *row(int i) const { return &cell[static_cast<size_t>(i) * size]; }

    long drop(int i, int j)
    {
        long topplings = 0;
        at(i, j)++;
        touch(i);
        std::vector<std::pair<int, int>> stack{{i, j}};
        while (!stack.empty()) {
            auto [r, c] = stack.back();
            stack.pop_back();
            if (at(r, c) < 4)
                continue;
            at(r, c) -= 4;
            topplings++;
            touch(r);
            const int step[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
            for (auto &s : step) {
                int y = r + s[0], x = c + s[1];
                if (y < 0 || x < 0 || y >= size || x >= size)
                    continue;
                at(y, x)++;
                touch(y);
                stack.push_back({y, x});
            }
            if (at(r, c) >= 4)
                stack.push_back({r, c});
        }
        return topplings;
    }

    void touch(int i)
    {
        if (i < low) low = i;
        if (i > high) high = i;
    }

    int size;
    int low = 1 << 30, high = -1;
    std::vector<int32_t> cell;
};

static void save_state(const Grid &grid, const std::string &path, bool first)
{
    std::fstream out(path, std::ios::binary | std::ios::in | std::ios::out);
    std::streamsize bytes = static_cast<std::streamsize>(grid.high - grid.low + 1) * grid.size * sizeof(int32_t);
    if (first)
        bytes = static_cast<std::streamsize>(grid.cell.size() * sizeof(int32_t));
    int from = first ? 0 : grid.low;
    out.seekp(static_cast<std::streamoff>(from) * grid.size * sizeof(int32_t));
    out.write(reinterpret_cast<const char *>(grid.row(from)), bytes);
}

int main(int argc, char **argv)
{
    int steps = argc > 1 ? std::atoi(argv[1]) : 200;
    Grid grid(2048);
    const std::string path = "pile.state";
    std::ofstream(path, std::ios::binary).close();
    uint32_t seed = 99;
    long topplings = 0;
    for (int s = 0; s < steps; s++) {
        for (int g = 0; g < 20; g++) {
            seed = seed * 1664525u + 1013904223u;
            int i = 1000 + static_cast<int>(seed >> 28);
            int j = 1000 + static_cast<int>((seed >> 20) & 15);
            topplings += grid.drop(i, j);
        }
        save_state(grid, path, s == 0);
    }
    std::cout << topplings << " topplings in " << steps << " steps, rows "
              << grid.low << " to " << grid.high << "\n";
    return 0;
}
