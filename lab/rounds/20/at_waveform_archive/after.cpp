// Append the segments of the day to one archive file per hour, with room
// reserved ahead, and make the index of the archive.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <vector>
#include <fcntl.h>
#include <unistd.h>

namespace fs = std::filesystem;

constexpr std::uintmax_t kRoom = 8 << 20;

struct Header {
    std::int16_t hour;
    std::int16_t samples;
};

class HourFile {
public:
    explicit HourFile(const fs::path &p) : path_(p) {
        fd_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0644);
        if (fd_ < 0) {
            std::perror(path_.c_str());
            std::exit(1);
        }
    }
    ~HourFile() { if (fd_ >= 0) ::close(fd_); }

    void append(const std::vector<char> &rec) {
        reserve(end_ + rec.size());
        if (::pwrite(fd_, rec.data(), rec.size(), static_cast<off_t>(end_)) != static_cast<ssize_t>(rec.size())) {
            std::perror("append");
            std::exit(1);
        }
        end_ += rec.size();
        records_++;
    }
    void finish() {
        settle();
        ::close(fd_);
        fd_ = -1;
    }
    std::uintmax_t size() const { return fs::file_size(path_); }
    const fs::path &path() const { return path_; }
    long records() const { return records_; }

private:
    void reserve(std::uintmax_t need) {
        if (need > room_) {
            room_ = need + kRoom;
            fs::resize_file(path_, room_);
        }
    }
    void settle() {
        if (room_ > end_) {
            fs::resize_file(path_, end_);
            room_ = end_;
        }
    }

    fs::path path_;
    int fd_ = -1;
    std::uintmax_t end_ = 0, room_ = 0;
    long records_ = 0;
};

static std::uint32_t checksum(const fs::path &p) {
    std::ifstream in(p, std::ios::binary);
    std::vector<char> buf(1 << 18);
    std::uint32_t h = 2166136261u;
    while (in) {
        in.read(buf.data(), static_cast<std::streamsize>(buf.size()));
        for (std::streamsize i = 0; i < in.gcount(); i++)
            h = (h ^ static_cast<unsigned char>(buf[static_cast<std::size_t>(i)])) * 16777619u;
    }
    return h;
}

int main(int argc, char **argv) {
    std::string input = argc > 1 ? argv[1] : "segments.bin";
    fs::path dir = argc > 2 ? argv[2] : "archive";
    fs::create_directories(dir);
    std::vector<std::unique_ptr<HourFile>> hours;
    for (int h = 0; h < 24; h++) {
        char name[32];
        std::snprintf(name, sizeof name, "hour%02d.dat", h);
        hours.push_back(std::make_unique<HourFile>(dir / name));
    }

    std::ifstream in(input, std::ios::binary);
    Header head;
    std::vector<char> rec;
    long segments = 0, samples = 0;
    while (in.read(reinterpret_cast<char *>(&head), sizeof head)) {
        rec.resize(sizeof head + static_cast<std::size_t>(head.samples) * 2);
        std::memcpy(rec.data(), &head, sizeof head);
        if (!in.read(rec.data() + sizeof head, head.samples * 2)) break;
        hours[static_cast<std::size_t>(head.hour) % 24]->append(rec);
        segments++;
        samples += head.samples;
    }
    std::ofstream index(dir / "index.txt");
    std::uint32_t all = 0;
    for (auto &h : hours) {
        h->finish();
        std::uint32_t c = checksum(h->path());
        index << h->path().filename().string() << ' ' << h->records() << ' ' << h->size() << ' ' << c << '\n';
        all = all * 31 + c;
    }
    std::printf("segments %ld samples %ld archive %08x\n", segments, samples, all);
    return 0;
}
