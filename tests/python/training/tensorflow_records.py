"""Trains with TensorFlow's tf.data on one file of records.

tensorflow_records.py make DIR
tensorflow_records.py train DIR [named]
"""

import sys
import time
from pathlib import Path

import tensorflow as tf

SAMPLES, BATCH, EPOCHS = 2000, 50, 2


def make(folder: Path) -> None:
    with tf.io.TFRecordWriter(str(folder / "samples.tfrecord")) as file:
        for sample in range(SAMPLES):
            file.write(tf.io.serialize_tensor(tf.random.stateless_uniform((64, 64), (1, sample))).numpy())


def decode(record: tf.Tensor) -> tf.Tensor:
    return tf.reshape(tf.io.parse_tensor(record, tf.float32), (64, 64))


def train(folder: Path, named: bool) -> None:
    records = tf.data.TFRecordDataset(str(folder / "samples.tfrecord"), buffer_size=65536)
    batches = records.map(decode).batch(BATCH).prefetch(2)
    steps = iter
    if named:
        import diya

        steps = diya.steps
    weights = tf.Variable(tf.zeros((64, 64)))
    for _ in range(EPOCHS):
        for batch in steps(batches):
            until = time.perf_counter() + 0.01
            while time.perf_counter() < until:
                weights.assign_add(tf.reduce_mean(batch, axis=0))


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(Path(sys.argv[2]))
    else:
        train(Path(sys.argv[2]), "named" in sys.argv)
