// bx_walstore - small key-value store (LevelDB's layout: a log of CRC-framed records, a memtable, sorted tables);
// imports an expression matrix, then writes the memtable as a sorted table and removes the log.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static uint32_t crc(const std::string &s) {
    uint32_t c = ~0u;
    for (unsigned char b : s) { c ^= b; for (int k = 0; k < 8; k++) c = c >> 1 ^ (c & 1 ? 0x82f63b78u : 0); }
    return ~c;
}

class Log {
    int fd_; std::string path_; uint64_t size_ = 0;
public:
    explicit Log(const std::string &path) : path_(path) {
        fd_ = ::open(path.c_str(), O_CREAT | O_WRONLY | O_APPEND, 0644);
        if (fd_ < 0) throw std::runtime_error("cannot open " + path);
    }
    ~Log() { if (fd_ >= 0) ::close(fd_); }
    void append(const std::string &payload) {
        uint32_t h[2] = {crc(payload), (uint32_t)payload.size()};
        std::string rec((const char *)h, sizeof h);
        rec += payload;
        if (::write(fd_, rec.data(), rec.size()) != (ssize_t)rec.size()) throw std::runtime_error("short write to " + path_);
        size_ += rec.size();
    }
    void sync() { if (::fdatasync(fd_)) throw std::runtime_error("sync " + path_); }
    uint64_t size() const { return size_; }
    void remove() { ::close(fd_); fd_ = -1; ::unlink(path_.c_str()); }
};

class Store {
    std::string dir_; std::map<std::string, std::string> mem_; Log log_; size_t pending_ = 0;
    static constexpr size_t kBatch = 300;
public:
    explicit Store(const std::string &dir) : dir_(dir), log_((::mkdir(dir.c_str(), 0755), dir + "/000001.log")) {}
    void put(const std::string &k, const std::string &v) {
        std::string p; uint16_t n = (uint16_t)k.size();
        p.append((const char *)&n, 2); p += k; p += v;
        log_.append(p);
        log_.sync();
        mem_[k] = v;
        if (++pending_ >= kBatch) commit();
    }
    // what a caller may rely on: everything up to the last commit() survives
    void commit() { log_.sync(); pending_ = 0; }
    uint64_t logBytes() const { return log_.size(); }
    size_t keys() const { return mem_.size(); }
    void writeTable() {
        std::string tmp = dir_ + "/000002.tmp", dst = dir_ + "/000002.sst";
        std::ofstream f(tmp, std::ios::binary);
        std::vector<std::pair<std::string, uint32_t>> index; uint32_t at = 0; std::string block;
        auto flush = [&] { uint32_t c = crc(block); f.write(block.data(), block.size()); f.write((char *)&c, 4); at += block.size() + 4; block.clear(); };
        for (auto &kv : mem_) {
            if (block.empty()) index.emplace_back(kv.first, at);
            block += kv.first + '\t' + kv.second + '\n';
            if (block.size() > 4000) flush();
        }
        if (!block.empty()) flush();
        for (auto &e : index) f << e.first << ' ' << e.second << '\n';
        f.close();
        if (!f || ::rename(tmp.c_str(), dst.c_str())) throw std::runtime_error("table " + dst);
        log_.remove();
    }
};

int main(int argc, char **argv) try {
    if (argc < 3) { std::cerr << "usage: " << argv[0] << " matrix.tsv storedir\n"; return 2; }
    std::ifstream in(argv[1]);
    if (!in) { std::cerr << argv[1] << ": cannot open\n"; return 1; }
    Store st(argv[2]);
    std::string line, gene, sample; double tpm; size_t rows = 0;
    while (std::getline(in, line)) {
        if (line.empty() || line[0] == '#') continue;
        std::istringstream ls(line);
        if (!(ls >> gene >> sample >> tpm)) { std::cerr << "bad row: " << line << '\n'; return 1; }
        char v[32]; std::snprintf(v, sizeof v, "%.3f", tpm);
        st.put(gene + "/" + sample, v); rows++;
    }
    st.commit();
    std::cout << rows << " rows, " << st.keys() << " keys, log " << st.logBytes() << " bytes\n";
    st.writeTable();
} catch (const std::exception &e) { std::cerr << e.what() << '\n'; return 1; }
