"""An array in chunks, a file each, written and read (zarr)."""

import numpy as np
import zarr

field = zarr.create_array("field.zarr", shape=(512, 256), chunks=(64, 64), dtype="f8", compressors=None)
field[:] = np.random.default_rng(1).random((512, 256))
print(zarr.open_array("field.zarr", mode="r")[100:130].sum())
