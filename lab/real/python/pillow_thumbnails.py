"""Thumbnails of photographs (Pillow)."""

from pathlib import Path

from PIL import Image

for path in sorted(Path().glob("photo*.jpg")):
    with Image.open(path) as photo:
        photo.thumbnail((256, 256))
        photo.save(f"small-{path.name}")
