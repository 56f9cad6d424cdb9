// Velocity scan of a seismic survey: stack the traces of each common midpoint for trial velocities.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

constexpr int kSamples = 1024;  // 4 KiB of floats, one trace
constexpr int kFold = 16;

class TraceFile {
public:
    explicit TraceFile(const std::string &path)
    {
        fd_ = open(path.c_str(), O_RDONLY);
        struct stat info {};
        if (fd_ < 0 || fstat(fd_, &info) != 0) {
            std::perror(path.c_str());
            std::exit(1);
        }
        count_ = info.st_size / (kSamples * sizeof(float));
        size_ = info.st_size;
        void *view = mmap(nullptr, size_, PROT_READ, MAP_SHARED | MAP_POPULATE, fd_, 0);
        if (view == MAP_FAILED)
            std::exit(1);
        all_ = static_cast<const float *>(view);
    }
    ~TraceFile()
    {
        munmap(const_cast<float *>(all_), size_);
        close(fd_);
    }

    long count() const { return count_; }

    // energy of the samples along the moveout curve
    float pick(long trace, const std::vector<int> &samples) const
    {
        const float *amplitude = all_ + trace * kSamples;
        float sum = 0.0f;
        for (int s : samples)
            sum += amplitude[s];
        return sum;
    }

private:
    int fd_ = -1;
    long count_ = 0;
    size_t size_ = 0;
    const float *all_ = nullptr;
};

static std::vector<int> moveout(double offset, double velocity)
{
    std::vector<int> samples;
    for (int t0 = 40; t0 < kSamples - 400; t0 += 40) {
        double t = std::sqrt(double(t0) * t0 + offset * offset / (velocity * velocity));
        samples.push_back(std::min(kSamples - 1, int(t)));
    }
    return samples;
}

int main(int argc, char **argv)
{
    int nvel = argc > 1 ? std::atoi(argv[1]) : 4;
    TraceFile traces("survey.trc");
    long ngather = traces.count() / kFold;
    std::vector<double> semblance(nvel, 0.0);
    for (int v = 0; v < nvel; v++) {
        double velocity = 1.5 + 0.25 * v;
        std::vector<std::vector<int>> curve;
        for (int f = 0; f < kFold; f++)
            curve.push_back(moveout(100.0 + 50.0 * f, velocity));
        for (long g = 0; g < ngather; g++) {
            double stack = 0.0, power = 0.0;
            for (int f = 0; f < kFold; f++) {
                float value = traces.pick(g * kFold + f, curve[f]);
                stack += value;
                power += double(value) * value;
            }
            semblance[v] += stack * stack / (kFold * power + 1e-9);
        }
    }
    int best = 0;
    for (int v = 1; v < nvel; v++)
        if (semblance[v] > semblance[best])
            best = v;
    std::printf("gathers %ld best velocity %.2f semblance %.6f\n", ngather, 1.5 + 0.25 * best, semblance[best] / ngather);
    return 0;
}
