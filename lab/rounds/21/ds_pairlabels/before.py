#!/usr/bin/env python
"""Merge the bounding boxes of several annotators, scene by scene.

Each annotator's tool drops one JSON file per scene into the label folder;
the end of its name is a ticket number that we cannot know beforehand.
The boxes of a scene are averaged where annotators agree (IoU above 0.5).
"""
import glob
import json
import os
import sys


def label_files(folder, scene):
    """All label files of a scene, sorted by annotator."""
    pattern = os.path.join(folder, scene + "_annot*_*.json")
    return sorted(glob.glob(pattern))


def read_boxes(path):
    with open(path) as f:
        label = json.load(f)
    out = []
    for x, y, w, h in label["boxes"]:
        out.append((x, y, x + w + 1, y + h + 1))
    return out


def iou(a, b):
    ix = max(0, min(a[2], b[2]) - max(a[0], b[0]))
    iy = max(0, min(a[3], b[3]) - max(a[1], b[1]))
    inter = ix * iy
    if not inter:
        return 0.0
    area = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1])
    return inter / (area - inter)


def merge(boxes, limit=0.5):
    """Greedy merging: a box joins the first group it overlaps with."""
    groups = []
    for box in boxes:
        for g in groups:
            if iou(g[0], box) > limit:
                g.append(box)
                break
        else:
            groups.append([box])
    return [tuple(sum(c) / len(g) for c in zip(*g)) for g in groups]


def main(scene_list, folder):
    with open(scene_list) as f:
        scenes = [line.strip() for line in f if line.strip()]

    files = merged = 0
    area = 0.0
    with open("merged.jsonl", "w") as out:
        for scene in scenes:
            boxes = []
            for path in label_files(folder, scene):
                boxes += read_boxes(path)
                files += 1
            result = merge(boxes)
            merged += len(result)
            area += sum((b[2] - b[0]) * (b[3] - b[1]) for b in result)
            out.write(json.dumps({"scene": scene, "boxes": result}) + "\n")
    print("scenes", len(scenes), "label files", files)
    print("objects", merged)
    print(f"mean area {area / merged:.3f}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
