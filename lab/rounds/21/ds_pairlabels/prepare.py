import json, os, random
random.seed(8)
os.mkdir("labels")
with open("scenes.txt", "w") as s:
    for k in range(700):
        scene = f"S2A_{31 + k % 7}T{chr(65 + k % 20)}{k:04d}"
        s.write(scene + "\n")
        for ann in range(6):
            boxes = [[random.randint(0, 500) for _ in range(4)] for _ in range(random.randint(1, 5))]
            with open(f"labels/{scene}_annot{ann}_{random.randint(0, 99999):05d}.json", "w") as f:
                json.dump({"annotator": ann, "boxes": boxes}, f)
