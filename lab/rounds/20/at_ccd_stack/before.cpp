// Weighted sum of raw CCD frames (16 bit), with the statistics of each frame.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <memory>
#include <string>
#include <vector>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

struct Entry {
    std::string file;
    double weight;
};

struct Stats {
    double mean = 0, sigma = 0;
    std::uint16_t high = 0;
};

constexpr std::size_t kBlock = 4096;

struct Free {
    void operator()(void *p) const { std::free(p); }
};
using Buffer = std::unique_ptr<unsigned char, Free>;

static Buffer aligned(std::size_t bytes) {
    void *p = nullptr;
    if (posix_memalign(&p, 4096, bytes) != 0) throw std::bad_alloc();
    return Buffer(static_cast<unsigned char *>(p));
}

class FrameReader {
public:
    explicit FrameReader(const std::string &path) : buffer_(aligned(kBlock)) {
        fd_ = ::open(path.c_str(), O_RDONLY | O_DIRECT);
        struct stat st;
        if (fd_ < 0 || fstat(fd_, &st) < 0) {
            std::perror(path.c_str());
            std::exit(1);
        }
        size_ = static_cast<std::size_t>(st.st_size);
    }
    ~FrameReader() { ::close(fd_); }
    std::size_t pixels() const { return size_ / 2; }

    std::size_t next(const std::uint16_t *&px) {
        ssize_t n = ::read(fd_, buffer_.get(), kBlock);
        if (n <= 0) return 0;
        px = reinterpret_cast<const std::uint16_t *>(buffer_.get());
        return static_cast<std::size_t>(n) / 2;
    }

private:
    int fd_;
    std::size_t size_;
    Buffer buffer_;
};

static std::vector<Entry> read_list(const std::string &path) {
    std::vector<Entry> v;
    std::ifstream in(path);
    Entry e;
    while (in >> e.file >> e.weight) v.push_back(e);
    return v;
}

static Stats add_frame(const Entry &e, std::vector<float> &sum) {
    FrameReader reader(e.file);
    if (sum.empty()) sum.resize(reader.pixels());
    const std::uint16_t *px = nullptr;
    std::size_t at = 0;
    double s = 0, q = 0;
    Stats st;
    while (std::size_t n = reader.next(px)) {
        for (std::size_t i = 0; i < n && at < sum.size(); i++, at++) {
            sum[at] += static_cast<float>(e.weight * px[i]);
            s += px[i];
            q += static_cast<double>(px[i]) * px[i];
            if (px[i] > st.high) st.high = px[i];
        }
    }
    st.mean = s / static_cast<double>(at);
    st.sigma = std::sqrt(q / static_cast<double>(at) - st.mean * st.mean);
    return st;
}

int main(int argc, char **argv) {
    std::vector<Entry> list = read_list(argc > 1 ? argv[1] : "stack.lst");
    std::vector<float> sum;
    double weights = 0;
    std::ofstream log("stack.log");

    for (const Entry &e : list) {
        Stats st = add_frame(e, sum);
        weights += e.weight;
        log << e.file << ' ' << std::fixed << std::setprecision(3) << st.mean << ' ' << st.sigma << ' ' << st.high << '\n';
    }
    double total = 0, peak = 0;
    for (float &p : sum) {
        p = static_cast<float>(p / weights);
        total += p;
        if (p > peak) peak = p;
    }
    std::ofstream out("stacked.raw", std::ios::binary);
    out.write(reinterpret_cast<const char *>(sum.data()), static_cast<std::streamsize>(sum.size() * sizeof(float)));
    std::cout << "frames " << list.size() << " pixels " << sum.size() << '\n'
              << std::fixed << std::setprecision(4) << "mean " << total / static_cast<double>(sum.size())
              << " peak " << peak << '\n';
    return 0;
}
