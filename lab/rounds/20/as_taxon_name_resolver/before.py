"""Resolves field spellings of plant names against a checklist service.

The service keeps the checklist in memory and answers over a local socket;
the client goes through the survey sheets and asks for each new spelling.
"""
import argparse
import csv
import difflib
import hashlib
import json
import multiprocessing as mp
import pathlib
import socket


def serve(path, ready):
    """Answers one name a line with the best accepted name and its score."""
    with open(path) as f:
        accepted = [line.strip() for line in f]
    server = socket.create_server(("127.0.0.1", 0))
    ready.send(server.getsockname()[1])
    link, _ = server.accept()
    with link, link.makefile("rw", newline="\n") as stream:
        for line in stream:
            name = line.strip()
            if not name:
                break
            near = difflib.get_close_matches(name, accepted, n=1, cutoff=0.6)
            best = near[0] if near else ""
            score = difflib.SequenceMatcher(None, name, best).ratio()
            stream.write(json.dumps({"name": best, "score": round(score, 4)}) + "\n")
            stream.flush()
    server.close()


class Resolver:
    def __init__(self, port):
        self.link = socket.create_connection(("127.0.0.1", port))
        self.stream = self.link.makefile("rw", newline="\n")
        self.known = {}

    def resolve(self, name):
        if name not in self.known:
            self.stream.write(name + "\n")
            self.stream.flush()
            answer = json.loads(self.stream.readline())
            self.known[name] = (answer["name"], answer["score"])
        return self.known[name]

    def close(self):
        self.stream.close()
        self.link.close()


def sheets(folder):
    for path in sorted(folder.glob("*.csv")):
        with open(path, newline="") as f:
            yield path.stem, [(r["spelling"].strip(), float(r["cover"])) for r in csv.DictReader(f)]


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("sheets", type=pathlib.Path)
    p.add_argument("checklist")
    p.add_argument("--least", type=float, default=0.7)
    args = p.parse_args()

    context = mp.get_context("fork")
    ours, theirs = context.Pipe()
    service = context.Process(target=serve, args=(args.checklist, theirs))
    service.start()
    resolver = Resolver(ours.recv())
    cover, doubtful = {}, 0
    for plot, rows in sheets(args.sheets):
        for spelling, share in rows:
            name, score = resolver.resolve(spelling)
            if score < args.least:
                doubtful += 1
                continue
            cover[name] = cover.get(name, 0.0) + share
    asked = len(resolver.known)
    resolver.close()
    service.join()
    with open("cover.csv", "w", newline="") as f:
        csv.writer(f).writerows(sorted((n, f"{c:.2f}") for n, c in cover.items()))
    digest = hashlib.md5(repr(sorted((n, round(c, 6)) for n, c in cover.items())).encode())
    print(f"asked {asked} taxa {len(cover)} doubtful {doubtful}")
    print(f"cover {sum(cover.values()):.3f} {digest.hexdigest()}")


if __name__ == "__main__":
    main()
