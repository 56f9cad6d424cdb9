// Adaptive refinement of a triangulated terrain.  Vertices and triangles grow
// in file-backed arrays, so that a crashed run leaves the mesh behind.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>

template <class T> class FileVector {
    int fd;
    T *base = nullptr;
    size_t n = 0, mapped = 0;

    void resize_file(size_t items) {
        if (base) munmap(base, mapped);
        mapped = items * sizeof(T);
        if (ftruncate(fd, (off_t)mapped)) throw std::runtime_error("ftruncate");
        base = static_cast<T *>(mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
        if (base == MAP_FAILED) throw std::runtime_error("mmap");
    }

public:
    explicit FileVector(const std::string &path) {
        fd = open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0644);
        if (fd < 0) throw std::runtime_error("open " + path);
    }
    ~FileVector() {
        if (base) munmap(base, mapped);
        close(fd);
    }
    FileVector(const FileVector &) = delete;
    FileVector &operator=(const FileVector &) = delete;

    size_t push(const T &item) {
        resize_file(n + 1);
        base[n] = item;
        return n++;
    }
    T &operator[](size_t i) { return base[i]; }
    size_t size() const { return n; }
};

struct Vertex { double x, y, z; };
struct Triangle { int32_t v[3]; int32_t level; };

static double terrain(double x, double y) {
    double h = 0, a = 1, f = 1;
    for (int o = 0; o < 6; o++) {
        h += a * std::sin(3.1 * f * x + 0.7 * o) * std::cos(2.3 * f * y - 0.4 * o);
        a *= 0.55;
        f *= 1.9;
    }
    return h;
}

class Mesh {
    FileVector<Vertex> vert;
    FileVector<Triangle> tri;
    std::map<std::pair<int, int>, int> mid;

    int add_vertex(double x, double y) { return (int)vert.push({x, y, terrain(x, y)}); }

    int midpoint(int a, int b) {
        auto key = std::make_pair(std::min(a, b), std::max(a, b));
        auto it = mid.find(key);
        if (it != mid.end()) return it->second;
        Vertex p = vert[a], q = vert[b];
        int m = add_vertex(0.5 * (p.x + q.x), 0.5 * (p.y + q.y));
        mid[key] = m;
        return m;
    }

    double error(const Triangle &t) {
        const Vertex &a = vert[t.v[0]], &b = vert[t.v[1]], &c = vert[t.v[2]];
        double x = (a.x + b.x + c.x) / 3, y = (a.y + b.y + c.y) / 3;
        return std::fabs(terrain(x, y) - (a.z + b.z + c.z) / 3);
    }

public:
    Mesh() : vert("mesh.vert"), tri("mesh.tri") {
        int a = add_vertex(0, 0), b = add_vertex(4, 0), c = add_vertex(4, 4), d = add_vertex(0, 4);
        tri.push({{a, b, c}, 0});
        tri.push({{a, c, d}, 0});
    }

    void refine(double tol, int maxlevel) {
        std::deque<size_t> todo{0, 1};
        while (!todo.empty()) {
            size_t k = todo.front();
            todo.pop_front();
            Triangle t = tri[k];
            if (t.level >= maxlevel || (t.level > 3 && error(t) < tol)) continue;
            int m[3];
            for (int i = 0; i < 3; i++) m[i] = midpoint(t.v[i], t.v[(i + 1) % 3]);
            int l = t.level + 1;
            tri[k] = {{m[0], m[1], m[2]}, l};
            todo.push_back(k);
            for (int i = 0; i < 3; i++)
                todo.push_back(tri.push({{t.v[i], m[i], m[(i + 2) % 3]}, l}));
        }
    }

    void report() {
        double area = 0, hsum = 0;
        for (size_t i = 0; i < tri.size(); i++) {
            const Triangle &t = tri[i];
            const Vertex &a = vert[t.v[0]], &b = vert[t.v[1]], &c = vert[t.v[2]];
            area += 0.5 * std::fabs((b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y));
            hsum += a.z + b.z + c.z;
        }
        std::printf("vertices %zu triangles %zu area %.6f heights %.6f\n", vert.size(), tri.size(), area, hsum);
    }
};

int main(int argc, char **argv) {
    double tol = argc > 1 ? std::atof(argv[1]) : 1e-3;
    int maxlevel = argc > 2 ? std::atoi(argv[2]) : 8;
    Mesh mesh;
    mesh.refine(tol, maxlevel);
    mesh.report();
}
