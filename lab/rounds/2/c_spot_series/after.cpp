// Photometry of a few spots in a high-speed movie: light curve and
// correlation time for every spot of the list.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>
#include <fcntl.h>
#include <unistd.h>

constexpr int kWidth = 1024;
constexpr int kHeight = 512;
constexpr int kBox = 6;

struct Spot {
    int row, col;
};

class Movie {
    int fd_ = -1;
    long frames_ = 0;

public:
    explicit Movie(const std::string &path) : fd_(open(path.c_str(), O_RDONLY))
    {
        if (fd_ < 0)
            throw std::runtime_error("cannot open " + path);
        frames_ = long(lseek(fd_, 0, SEEK_END)) / (2L * kWidth * kHeight);
    }
    ~Movie() { close(fd_); }
    long frames() const { return frames_; }

    double box_sum(long k, const Spot &s)
    {
        std::uint16_t row[kBox];
        double sum = 0.0;
        for (int r = s.row; r < s.row + kBox; ++r) {
            off_t at = ((off_t(k) * kHeight + r) * kWidth + s.col) * 2;
            if (pread(fd_, row, sizeof row, at) != ssize_t(sizeof row))
                throw std::runtime_error("short frame");
            for (int c = 0; c < kBox; ++c)
                sum += row[c];
        }
        return sum;
    }
};

static double mean_of(const std::vector<double> &v)
{
    double s = 0.0;
    for (double x : v)
        s += x;
    return s / double(v.size());
}

static double correlation(const std::vector<double> &v, int lag)
{
    double m = mean_of(v), a = 0.0, b = 0.0;
    for (std::size_t i = 0; i + lag < v.size(); ++i)
        a += (v[i] - m) * (v[i + lag] - m);
    for (double x : v)
        b += (x - m) * (x - m);
    return b > 0.0 ? a / b : 0.0;
}

static std::vector<Spot> spot_list(int n)
{
    std::vector<Spot> s;
    for (int i = 0; i < n; ++i)
        s.push_back({37 + (i * 91) % 440, 19 + (i * 173) % 990});
    return s;
}

int main(int argc, char **argv)
{
    int nspot = argc > 1 ? std::atoi(argv[1]) : 4;
    Movie movie("movie.raw");
    double bright = 0.0, corr = 0.0;
    for (const Spot &s : spot_list(nspot)) {
        std::vector<double> curve(std::size_t(movie.frames()));
        for (long k = 0; k < movie.frames(); ++k)
            curve[std::size_t(k)] = movie.box_sum(k, s);
        bright += mean_of(curve);
        for (int lag = 1; lag <= 20; ++lag)
            corr += correlation(curve, lag);
    }
    std::printf("%d spots, %ld frames: brightness %.4f, correlation %.6f\n", nspot,
                movie.frames(), bright / nspot, corr / nspot);
    return 0;
}
