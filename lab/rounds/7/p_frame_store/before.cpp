// Gray-Scott reaction diffusion; thumbnails of the concentration field are
// numbered consecutively so that a restarted run continues the series.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

namespace fs = std::filesystem;

class Medium {
public:
    explicit Medium(int n) : n_(n), u_(n * n, 1.0f), v_(n * n, 0.0f)
    {
        for (int i = n / 3; i < n / 2; ++i)
            for (int j = n / 3; j < n / 2; ++j) {
                u_[i * n + j] = 0.5f;
                v_[i * n + j] = 0.25f;
            }
    }

    void step()
    {
        std::vector<float> u(u_), v(v_);
        for (int i = 1; i < n_ - 1; ++i)
            for (int j = 1; j < n_ - 1; ++j) {
                int k = i * n_ + j;
                float lu = u_[k - 1] + u_[k + 1] + u_[k - n_] + u_[k + n_] - 4 * u_[k];
                float lv = v_[k - 1] + v_[k + 1] + v_[k - n_] + v_[k + n_] - 4 * v_[k];
                float r = u_[k] * v_[k] * v_[k];
                u[k] += 0.16f * lu - r + 0.035f * (1.0f - u_[k]);
                v[k] += 0.08f * lv + r - 0.095f * v_[k];
            }
        u_.swap(u);
        v_.swap(v);
    }

    std::vector<unsigned char> thumbnail() const
    {
        std::vector<unsigned char> grey(n_ * n_);
        for (int k = 0; k < n_ * n_; ++k)
            grey[k] = static_cast<unsigned char>(255.0f * std::clamp(v_[k], 0.0f, 1.0f));
        return grey;
    }

    int size() const { return n_; }

private:
    int n_;
    std::vector<float> u_, v_;
};

class FrameStore {
public:
    explicit FrameStore(fs::path dir) : dir_(std::move(dir))
    {
        fs::create_directories(dir_);
    }

    int next_number() const
    {
        int last = -1;
        for (const auto &entry : fs::directory_iterator(dir_)) {
            const std::string name = entry.path().filename().string();
            if (name.rfind("frame_", 0) == 0)
                last = std::max(last, std::atoi(name.c_str() + 6));
        }
        return last + 1;
    }

    int append(const Medium &m)
    {
        int number = next_number();
        char name[32];
        std::snprintf(name, sizeof name, "frame_%06d.pgm", number);
        std::ofstream out(dir_ / name, std::ios::binary);
        out << "P5\n" << m.size() << ' ' << m.size() << "\n255\n";
        auto grey = m.thumbnail();
        out.write(reinterpret_cast<const char *>(grey.data()),
                  static_cast<std::streamsize>(grey.size()));
        return number;
    }

private:
    fs::path dir_;
};

int main(int argc, char **argv)
{
    int frames = argc > 1 ? std::atoi(argv[1]) : 1000;
    Medium medium(32);
    FrameStore store("frames");
    int last = 0;
    for (int f = 0; f < frames; ++f) {
        for (int s = 0; s < 4; ++s)
            medium.step();
        last = store.append(medium);
    }
    auto grey = medium.thumbnail();
    long sum = 0;
    for (unsigned char g : grey)
        sum += g;
    std::cout << frames << " frames, last number " << last << ", brightness "
              << sum << '\n';
    return 0;
}
