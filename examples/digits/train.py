#!/usr/bin/env python3
"""Trains the int8 classifier of handwritten digits that the demo runs.

    python3 -m venv /tmp/train && /tmp/train/bin/pip install -r requirements.txt
    /tmp/train/bin/python train.py          # a minute or two on one core

The data is the digits set inside the scikit-learn package (1797 images of 8 x 8 pixels), so nothing is
downloaded. A fifth is held out: it is seen neither in training nor in calibration. Writes
digits_int8.tflite, labels.txt, three images of the held-out part and the first of them as seven.h
beside this file. All seeds are
fixed; another version or processor may still round differently and give slightly other weights.

SPDX-License-Identifier: Apache-2.0
"""
import os
import pathlib

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import numpy as np
import tensorflow as tf
from PIL import Image
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

HERE = pathlib.Path(__file__).resolve().parent
LABELS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
IMAGES = ["seven", "three", "zero"]
SEED, EPOCHS, PICTURE_SIZE = 1, 60, 96


def load():
    """Pixels as float32 in [0, 1] with one channel, white ink on black; a stratified split."""
    digits = load_digits()
    pixels = (digits.images / 16.0).astype(np.float32)[..., np.newaxis]
    return train_test_split(pixels, digits.target, test_size=0.2, random_state=SEED, stratify=digits.target)


def build():
    """A small separable network: 8 x 8 -> 4 x 4, 16 to 64 channels."""
    layers = tf.keras.layers

    def block(channels, stride):
        return [
            layers.DepthwiseConv2D(3, strides=stride, padding="same", use_bias=False),
            layers.BatchNormalization(),
            layers.ReLU(6.0),
            layers.Conv2D(channels, 1, use_bias=False),
            layers.BatchNormalization(),
            layers.ReLU(6.0),
        ]

    stem = [layers.Conv2D(16, 3, padding="same", use_bias=False), layers.BatchNormalization(), layers.ReLU(6.0)]
    head = [layers.GlobalAveragePooling2D(), layers.Dropout(0.2), layers.Dense(10, activation="softmax")]
    return tf.keras.Sequential(
        [tf.keras.Input((8, 8, 1)), *stem, *block(32, 1), *block(64, 2), *block(64, 1), *head]
    )


def augment(pixels, labels):
    """Shifts by up to one pixel and blurs a little, as scaling a large image down does."""
    padded = tf.pad(pixels, [[1, 1], [1, 1], [0, 0]])
    shifted = tf.image.random_crop(padded, (8, 8, 1))
    binomial = tf.constant([[1.0, 2.0, 1.0], [2.0, 4.0, 2.0], [1.0, 2.0, 1.0]])[..., tf.newaxis, tf.newaxis] / 16
    blurred = tf.nn.conv2d(shifted[tf.newaxis], binomial, 1, "SAME")[0]
    amount = tf.random.uniform(())
    return shifted + amount * (blurred - shifted), labels


def train(model, pixels, labels):
    data = tf.data.Dataset.from_tensor_slices((pixels, labels)).shuffle(len(pixels), seed=SEED)
    data = data.map(augment).batch(32)
    rate = tf.keras.optimizers.schedules.CosineDecay(3e-3, EPOCHS * (len(pixels) // 32 + 1))
    model.compile(tf.keras.optimizers.Adam(rate), "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(data, epochs=EPOCHS, verbose=0)


def quantize(model, pixels):
    """Full integer quantization: int8 in and out, calibrated on training images."""
    converter = tf.lite.TFLiteConverter.from_keras_model(model)
    converter.optimizations = [tf.lite.Optimize.DEFAULT]
    converter.representative_dataset = lambda: ([p[np.newaxis]] for p in pixels[:500])
    converter.target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS_INT8]
    converter.inference_input_type = converter.inference_output_type = tf.int8
    return converter.convert()


def classify(model, pixels):
    """The quantized model's answers, through TensorFlow Lite's interpreter."""
    interpreter = tf.lite.Interpreter(model_content=model)
    interpreter.allocate_tensors()
    inlet, outlet = interpreter.get_input_details()[0], interpreter.get_output_details()[0]
    scale, zero_point = inlet["quantization"]
    answers = []
    for image in pixels:
        stored = np.clip(np.round(image / scale) + zero_point, -128, 127).astype(np.int8)
        interpreter.set_tensor(inlet["index"], stored[np.newaxis])
        interpreter.invoke()
        answers.append(int(np.argmax(interpreter.get_tensor(outlet["index"])[0])))
    return np.array(answers)


def write_images(pixels, labels):
    """The first held-out image of each chosen digit, enlarged so that people can look at it."""
    for name in IMAGES:
        first = int(np.argmax(labels == LABELS.index(name)))
        image = Image.fromarray(np.round(pixels[first, ..., 0] * 255).astype(np.uint8))
        image.resize((PICTURE_SIZE, PICTURE_SIZE), Image.Resampling.NEAREST).save(HERE / f"{name}.png", optimize=True)


def write_header(pixels, labels):
    """The seven as a C array, for the example programs: ink from 0 to 16, as the data set has it."""
    first = int(np.argmax(labels == LABELS.index("seven")))
    rows = np.round(pixels[first, ..., 0] * 16).astype(int)
    text = ["/* A handwritten seven, 8 x 8, ink from 0 to 16: written by train.py. */\n"]
    text += ["static const unsigned char seven[64] = {\n"]
    text += ["    " + " ".join(f"{v}," for v in row) + "\n" for row in rows]
    (HERE / "seven.h").write_text("".join(text) + "};\n")


def main():
    tf.keras.utils.set_random_seed(SEED)
    tf.config.experimental.enable_op_determinism()
    train_pixels, test_pixels, train_labels, test_labels = load()
    model = build()
    train(model, train_pixels, train_labels)
    _, accuracy = model.evaluate(test_pixels, test_labels, verbose=0)
    quantized = quantize(model, train_pixels)
    answers = classify(quantized, test_pixels)
    right = np.sum(answers == test_labels) + np.sum(classify(quantized, train_pixels) == train_labels)
    (HERE / "digits_int8.tflite").write_bytes(quantized)
    (HERE / "labels.txt").write_text("".join(f"{label}\n" for label in LABELS))
    write_images(test_pixels, test_labels)
    write_header(test_pixels, test_labels)
    print(f"{len(train_labels)} images for training, {len(test_labels)} held out, {model.count_params()} parameters")
    print(f"held-out accuracy: float32 {accuracy:.4f}, int8 {np.mean(answers == test_labels):.4f}")
    print(f"int8, of all {len(train_labels) + len(test_labels)} images: {right} right")
    print(f"digits_int8.tflite: {len(quantized)} bytes")


if __name__ == "__main__":
    main()
