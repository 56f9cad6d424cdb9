// Flocking agents with a target that an operator may move during the run.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

struct Agent {
    double x, y, vx, vy;
};

struct Orders {
    double tx = 0.5, ty = 0.5;
    double speed = 1.0;
    bool halt = false;
};

class Operator {
public:
    explicit Operator(const std::string &path)
    {
        std::ofstream out(path);
        out << "target 0.40 0.62\nspeed 1.25\n";
        out.close();
        in_.open(path);
    }

    Orders current()
    {
        Orders o;
        in_.clear();
        in_.seekg(0);
        char line[128];
        while (in_.getline(line, sizeof line)) {
            if (line[0] == 't')
                std::sscanf(line, "target %lf %lf", &o.tx, &o.ty);
            else if (line[0] == 's')
                o.speed = std::strtod(line + 5, nullptr);
            else if (line[0] == 'h')
                o.halt = true;
        }
        return o;
    }

private:
    std::ifstream in_;
};

class Swarm {
public:
    explicit Swarm(int n)
    {
        unsigned s = 2024;
        for (int i = 0; i < n; i++) {
            Agent a;
            s = s * 1664525u + 1013904223u;
            a.x = (s >> 8) / 16777216.0;
            s = s * 1664525u + 1013904223u;
            a.y = (s >> 8) / 16777216.0;
            a.vx = a.vy = 0;
            agents_.push_back(a);
        }
    }

    void move(Agent &a, const Orders &o, double dt)
    {
        double dx = o.tx - a.x, dy = o.ty - a.y;
        double r = std::sqrt(dx * dx + dy * dy) + 1e-3;
        a.vx += dt * (o.speed * dx / r - 0.3 * a.vx + 0.2 * std::sin(9 * a.y));
        a.vy += dt * (o.speed * dy / r - 0.3 * a.vy + 0.2 * std::cos(9 * a.x));
        a.x += dt * a.vx;
        a.y += dt * a.vy;
    }

    bool advance(Operator &op, double dt)
    {
        for (auto &a : agents_) {
            Orders o = op.current();
            if (o.halt)
                return false;
            move(a, o, dt);
        }
        return true;
    }

    double spread() const
    {
        double mx = 0, my = 0, s = 0;
        for (auto &a : agents_) {
            mx += a.x / agents_.size();
            my += a.y / agents_.size();
        }
        for (auto &a : agents_)
            s += (a.x - mx) * (a.x - mx) + (a.y - my) * (a.y - my);
        return std::sqrt(s / agents_.size());
    }

private:
    std::vector<Agent> agents_;
};

int main(int argc, char **argv)
{
    int n = argc > 1 ? std::atoi(argv[1]) : 500;
    int steps = argc > 2 ? std::atoi(argv[2]) : 1000;
    Operator op("orders.txt");
    Swarm swarm(n);
    std::ostringstream track;
    for (int k = 0; k < steps; k++) {
        if (!swarm.advance(op, 0.002))
            break;
        if (k % 50 == 0)
            track << k << ' ' << swarm.spread() << '\n';
    }
    std::ofstream("spread.txt") << track.str();
    std::printf("agents %d  spread %.6f\n", n, swarm.spread());
    return 0;
}
