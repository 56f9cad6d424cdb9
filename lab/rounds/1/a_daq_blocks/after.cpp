// Read-out of a simulated strip detector: frames with pedestal and noise are
// stored in the order of their arrival.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <iostream>
#include <stdexcept>
#include <unistd.h>

constexpr size_t kFrameBytes = 4096;
constexpr int kStrips = 2000;

struct Frame {
    uint64_t number;
    uint32_t trigger;
    uint32_t crc;
    int16_t adc[kStrips];
    uint8_t pad[kFrameBytes - 16 - 2 * kStrips];
};
static_assert(sizeof(Frame) == kFrameBytes, "frame layout");

class FrameSink {
public:
    explicit FrameSink(const char *path)
        : fd_(::open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644))
    {
        if (fd_ < 0)
            throw std::runtime_error("cannot open the frame file");
    }

    ~FrameSink() { ::close(fd_); }

    void append(const Frame *frame)
    {
        if (::pwrite(fd_, frame, kFrameBytes, offset_) != static_cast<ssize_t>(kFrameBytes))
            throw std::runtime_error("write of a frame failed");
        offset_ += kFrameBytes;
    }

private:
    int fd_;
    off_t offset_ = 0;
};

static uint32_t checksum(const int16_t *v, int n)
{
    uint32_t a = 1, b = 0;
    for (int i = 0; i < n; i++) {
        a += static_cast<uint16_t>(v[i]);
        b += a;
    }
    return b ^ (a << 16);
}

static void digitise(Frame *frame, uint64_t number, uint32_t &seed)
{
    frame->number = number;
    for (int s = 0; s < kStrips; s++) {
        seed = seed * 1664525u + 1013904223u;
        frame->adc[s] = static_cast<int16_t>(200 + s % 16 + ((seed >> 24) & 15));
    }
    int centre = static_cast<int>(seed >> 8) % (kStrips - 8) + 4;
    for (int d = -3; d <= 3; d++)
        frame->adc[centre + d] += static_cast<int16_t>(120 - 30 * (d < 0 ? -d : d));
    frame->trigger = static_cast<uint32_t>(centre);
    frame->crc = checksum(frame->adc, kStrips);
}

int main(int argc, char **argv)
{
    int frames = argc > 1 ? std::atoi(argv[1]) : 9000;
    void *memory = nullptr;
    if (posix_memalign(&memory, kFrameBytes, kFrameBytes) != 0)
        return 1;
    Frame *frame = static_cast<Frame *>(memory);
    std::memset(memory, 0, kFrameBytes);
    uint32_t seed = 77, sum = 0;
    try {
        FrameSink sink("run0001.frames");
        for (int n = 0; n < frames; n++) {
            digitise(frame, n, seed);
            sum ^= frame->crc;
            sink.append(frame);
        }
    } catch (const std::exception &e) {
        std::cerr << e.what() << "\n";
        return 1;
    }
    std::cout << frames << " frames, sum " << sum << "\n";
    free(memory);
    return 0;
}
