"""Pre-processing of a seismic shot gather: detrend, normal move-out, stack.

Each stage takes a trace and returns the processed trace, so that stages can
be put together in any order.
"""
import numpy as np

DT = 1.0 / 500.0


class Stage:
    def __call__(self, trace, k):
        return self.apply(trace, k)

    def apply(self, trace, k):
        raise NotImplementedError


class Detrend(Stage):
    def apply(self, trace, k):
        x = np.arange(trace.size, dtype="f4") - (trace.size - 1) / 2
        slope = np.dot(x, trace) / np.dot(x, x)
        return trace - trace.mean() - slope * x


class MoveOut(Stage):
    def apply(self, trace, k):
        return np.roll(trace, -int(round(0.004 * k / DT)))


class Taper(Stage):
    def apply(self, trace, k):
        n = trace.size // 20
        w = np.ones(trace.size, dtype="f4")
        w[:n] = np.sin(0.5 * np.pi * np.arange(n) / n) ** 2
        w[-n:] = w[:n][::-1]
        return trace * w


class Balance(Stage):
    def apply(self, trace, k):
        return trace / np.sqrt(np.mean(trace * trace))


def main():
    gather = np.load("gather.npy")
    stack = np.zeros(gather.shape[1])
    stages = [Detrend(), MoveOut(), Taper(), Balance()]
    for k, trace in enumerate(gather):
        for stage in stages:
            trace = stage(trace, k)
        stack += trace
    stack /= len(gather)
    np.save("stack.npy", stack)
    peak = int(np.argmax(stack))
    print(f"{len(gather)} traces, peak {stack[peak]:.5f} at {peak * DT:.3f} s")


if __name__ == "__main__":
    main()
