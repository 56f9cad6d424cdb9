"""An array of 16 MiB in chunks of 4 KiB: one file each (zarr)."""

import numpy as np
import zarr

field = zarr.create_array("field.zarr", shape=(2048, 1024), chunks=(32, 16), dtype="f8", compressors=None)
field[:] = np.random.default_rng(1).random((2048, 1024))
