"""Puts the season's camera-trap photographs into one archive per station.

Photographs are checked, listed with date and size, archived, and the archive
is read back and compared with the list before the card may be erased.
"""
import argparse
import hashlib
import json
import pathlib
import tarfile

from PIL import Image

MODE = "gz"


def stations(card):
    for folder in sorted(pathlib.Path(card).iterdir()):
        if folder.is_dir():
            yield folder.name, sorted(folder.glob("*.jpg"))


def describe(path):
    """Size in pixels, bytes and digest of a photograph."""
    with Image.open(path) as im:
        width, height = im.size
    data = path.read_bytes()
    return {"name": path.name, "width": width, "height": height,
            "bytes": len(data), "sha1": hashlib.sha1(data).hexdigest()}


def archive_name(out, station):
    return out / (f"{station}.tar.{MODE}" if MODE else f"{station}.tar")


def archive(out, station, photos):
    target = archive_name(out, station)
    with tarfile.open(target, f"w:{MODE}") as tar:
        for path in photos:
            tar.add(path, arcname=f"{station}/{path.name}")
    return target


def verify(target, listed):
    """Number of members that agree with the list."""
    wanted = {entry["name"]: entry["sha1"] for entry in listed}
    good = 0
    with tarfile.open(target, f"r:{MODE}") as tar:
        for member in tar:
            data = tar.extractfile(member).read()
            name = member.name.rsplit("/", 1)[1]
            good += hashlib.sha1(data).hexdigest() == wanted[name]
    return good


def process(card, out):
    catalogue = {}
    for station, photos in stations(card):
        listed = [describe(path) for path in photos]
        target = archive(out, station, photos)
        good = verify(target, listed)
        if good != len(listed):
            raise SystemExit(f"{station}: {len(listed) - good} photographs differ")
        catalogue[station] = listed
    return catalogue


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("card")
    p.add_argument("--out", type=pathlib.Path, default=pathlib.Path("season"))
    args = p.parse_args()

    args.out.mkdir(exist_ok=True)
    catalogue = process(args.card, args.out)
    with open(args.out / "catalogue.json", "w") as f:
        json.dump(catalogue, f, indent=1)
    total = hashlib.sha1()
    for station, listed in catalogue.items():
        for entry in listed:
            total.update(entry["sha1"].encode())
        print(f"{station} {len(listed)} photographs {sum(e['bytes'] for e in listed)} bytes")
    print("catalogue", total.hexdigest())


if __name__ == "__main__":
    main()
