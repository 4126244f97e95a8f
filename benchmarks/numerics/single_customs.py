"""Generators of random .tflite models of one custom operator, as single_operators.py has them of the others.

SPDX-License-Identifier: Apache-2.0"""

import numpy as np

from single_operators import Made, generator


@generator("TFLite_Detection_PostProcess", "f32", "u8", "f32 regular", "u8 regular")
def detections(m, kind, code):
    """Boxes of a few places, so that many overlap. Scores differ: LiteRT sorts equal ones as it likes where a box has
    several classes."""
    kind, regular = kind.split()[0], kind.endswith("regular")
    boxes, classes, background = int(m.rng.integers(1, 40)), int(m.rng.integers(1, 7)), int(m.rng.integers(0, 2))
    places = m.rng.uniform(0, 1, (int(m.rng.integers(1, 9)), 4)).astype(np.float32) * [1, 1, 0.3, 0.3] + [0, 0, 0.1, 0.1]
    anchors = places[m.rng.integers(0, len(places), boxes)]
    columns = classes + background
    options = {"max_detections": int(m.rng.integers(1, 13)), "max_classes_per_detection": 1 if regular else int(m.rng.integers(1, min(classes, 3) + 1)),
               "detections_per_class": int(m.rng.integers(1, 9)), "use_regular_nms": regular,
               "nms_score_threshold": float(np.float32(m.rng.choice([0.0, 0.3, 0.6]))),
               "nms_iou_threshold": float(np.float32(m.rng.uniform(0.1, 0.9))), "num_classes": classes,
               "y_scale": 10.0, "x_scale": 10.0, "h_scale": 5.0, "w_scale": 5.0}
    if kind == "f32":
        m.input(kind, [1, boxes, 4], None, m.rng.normal(0, 1, (1, boxes, 4)).astype(np.float32))
        m.input(kind, [1, boxes, columns], None, m.rng.uniform(0, 1, (1, boxes, columns)).astype(np.float32))
        m.constant(kind, anchors)
    else:
        options["max_classes_per_detection"] = 1
        m.input(kind, [1, boxes, 4], (0.05, 128))
        m.input(kind, [1, boxes, columns], (1 / 256, 0))
        m.constant(kind, np.round(anchors * 170).astype(np.uint8), (1 / 170, 0))
    most = options["max_detections"] * options["max_classes_per_detection"]
    results = [[1, most, 4], [1, most], [1, most], [1]]
    made = Made(m.finish(code, [("f32", shape) for shape in results], options))
    made.written = lambda outputs: None if regular else int(outputs[3][0]) * options["max_classes_per_detection"]
    return made
