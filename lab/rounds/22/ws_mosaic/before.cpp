// ws_mosaic: draws a list of map views from tiles that a small tile server on
// 127.0.0.1 renders. The server is a child of this program and ends with it.
// Client: a pool of threads, one connection each, a shared tile store.
#include <arpa/inet.h>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <mutex>
#include <string>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

static const int TILE = 1024, THREADS = 8;
typedef std::vector<unsigned char> Tile;

static bool full(int fd, void *p, size_t n, bool out)
{
    char *b = static_cast<char *>(p);
    while (n) {
        ssize_t k = out ? send(fd, b, n, MSG_NOSIGNAL) : recv(fd, b, n, 0);
        if (k <= 0) return false;
        b += k; n -= size_t(k);
    }
    return true;
}

static void serve(int c)
{
    uint32_t key;
    Tile t(TILE);
    while (full(c, &key, sizeof key, false)) {
        usleep(4000);                       // the radar data base answers
        uint32_t x = key * 2654435761u + 1;
        for (auto &b : t) { x = x * 1664525u + 1013904223u; b = (unsigned char)(x >> 24); }
        if (!full(c, t.data(), t.size(), true)) break;
    }
    close(c);
}

static void server(int ls)
{
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    for (;;) {
        int c = accept(ls, nullptr, nullptr);
        if (c >= 0) std::thread(serve, c).detach();
    }
}

class TileStore {
    std::map<uint32_t, Tile> tiles_;
    std::mutex m_;
public:
    Tile get(int conn, uint32_t key) {
        std::lock_guard<std::mutex> hold(m_);
        auto it = tiles_.find(key);
        if (it != tiles_.end()) return it->second;
        Tile t(TILE);
        if (!full(conn, &key, sizeof key, true) || !full(conn, t.data(), t.size(), false)) throw std::runtime_error("tile server");
        tiles_[key] = t;
        return t;
    }
    size_t size() const { return tiles_.size(); }
};

static void worker(int id, sockaddr_in addr, TileStore &store, const std::vector<std::vector<uint32_t>> &views, std::vector<uint64_t> &sums)
{
    int s = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(s, (sockaddr *)&addr, sizeof addr)) { perror("connect"); exit(1); }
    for (size_t v = size_t(id); v < views.size(); v += THREADS) {
        uint64_t h = 0;
        for (uint32_t key : views[v])
            for (unsigned char b : store.get(s, key)) h = h * 31 + b;
        sums[v] = h;
    }
    close(s);
}

int main(int argc, char **argv)
{
    if (argc < 3) { std::cerr << "usage: ws_mosaic views out\n"; return 2; }
    std::vector<std::vector<uint32_t>> views;
    std::ifstream in(argv[1]);
    uint32_t x, y, n;
    while (in >> x >> y >> n) {
        views.emplace_back();
        for (uint32_t k = 0; k < n; k++) views.back().push_back((y << 12) + x + k);
    }
    int ls = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in a{};
    socklen_t al = sizeof a;
    a.sin_family = AF_INET;
    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(ls, (sockaddr *)&a, sizeof a) || listen(ls, 64) || getsockname(ls, (sockaddr *)&a, &al)) { perror("listen"); return 1; }
    pid_t child = fork();
    if (child == 0) { server(ls); _exit(0); }
    TileStore store;
    std::vector<uint64_t> sums(views.size());
    std::vector<std::thread> pool;
    for (int i = 0; i < THREADS; i++) pool.emplace_back(worker, i, a, std::ref(store), std::cref(views), std::ref(sums));
    for (auto &t : pool) t.join();
    kill(child, SIGTERM);
    waitpid(child, nullptr, 0);
    std::ofstream out(argv[2]);
    for (size_t v = 0; v < sums.size(); v++) out << v << ' ' << views[v].size() << ' ' << std::hex << sums[v] << std::dec << '\n';
    std::cout << views.size() << " views, " << store.size() << " tiles\n";
    return 0;
}
