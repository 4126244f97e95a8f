"""Batches of samples; with Ray where it is installed. SPDX-License-Identifier: Apache-2.0"""
import os
import pickle
import signal

import numpy as np
import pytest
from conftest import DIGITS, SUM, codes

import quern
import quern.ray
from quern.ray import Predictor, TooManyErrors, predict


@pytest.fixture
def samples(digits):
    return codes(digits.inputs[0], 200)


def test_a_predictor_is_a_loop_over_calls(digits, samples, tmp_path):
    x = digits.compile()
    want = np.concatenate([x(samples[i:i + 1]) for i in range(200)])
    one = Predictor(DIGITS, columns={"image": 0}, keep=["key"], cache=tmp_path)
    made = pickle.loads(pickle.dumps(one))({"image": samples, "key": np.arange(200)})
    assert (made[x.outputs[0].name] == want).all() and (made["key"] == np.arange(200)).all()
    best = Predictor(DIGITS.read_bytes(), columns={"image": x.inputs[0].name}, top=3, cache=False)({"image": samples})
    assert (best["classes"][:, 0] == want.argmax(1)).all() and best["scores"].dtype == np.float32
    assert one.sample_bytes == 64


@pytest.mark.parametrize("top", [1, 3, 10])
def test_of_equal_scores_the_first_class_is_better(digits, top):
    one = Predictor(DIGITS, columns={"image": 0}, top=top, cache=False)
    port = digits.compile().outputs[0]
    scores = np.random.default_rng(7).integers(-128, -124, (500, 10), np.int8)
    best = one._best(scores, port)
    order = np.argsort(-scores.astype(int), axis=1, kind="stable")[:, :top]
    assert (best["classes"] == order).all()
    assert (best["scores"] == port.dequantize(np.take_along_axis(scores, order, 1))).all()


def test_what_a_predictor_rejects(samples):
    with pytest.raises(quern.NotFound, match="column"):
        Predictor(DIGITS, columns={"image": 1}, cache=False)
    with pytest.raises(quern.Invalid, match="1 inputs"):
        Predictor(DIGITS, columns={}, cache=False)
    with pytest.raises(quern.Unsupported, match="groups"):
        Predictor(SUM.encode(), columns={"x": 0}, cache=False)
    one = Predictor(DIGITS, columns={"image": 0}, cache=False)
    with pytest.raises(quern.NotFound, match="image"):
        one({"photo": samples})
    with pytest.raises(TooManyErrors, match="nothing is converted"):
        one({"image": samples.astype(np.float32)})
    ragged = np.empty(2, object)
    ragged[:] = [samples[0], samples[0][:5]]
    with pytest.raises(TooManyErrors, match="1 bad"):
        one({"image": ragged})


@pytest.fixture(scope="module")
def cluster():
    ray = pytest.importorskip("ray")
    import ray.data

    ray.init(num_cpus=2, include_dashboard=False, logging_level="ERROR", log_to_driver=False,
             object_store_memory=200 << 20)
    ray.data.DataContext.get_current().enable_progress_bars = False
    yield ray
    ray.shutdown()


@pytest.mark.filterwarnings("ignore")
def test_a_data_set(cluster, digits, samples, tmp_path):
    ds = cluster.data.from_items([{"key": i, "image": samples[i]} for i in range(200)])
    rows = predict(ds, DIGITS, columns={"image": 0}, keep=["key"], top=1, workers=2, batch=16, cache=tmp_path).take_all()
    x = digits.compile()
    assert sorted(row["key"] for row in rows) == list(range(200))
    for row in rows:
        assert row["classes"][0] == x(samples[row["key"]][None]).argmax()


@pytest.mark.filterwarnings("ignore")
def test_a_killed_worker_loses_nothing(cluster, samples, tmp_path, monkeypatch):
    mark = tmp_path / "killed"

    class KilledOnce(Predictor):  # here, so that workers get the class by value
        """Its process is killed in the middle of the job, as by a system without memory."""

        def __call__(self, batch):
            if 100 in batch["key"] and not mark.exists():
                mark.touch()
                os.kill(os.getpid(), signal.SIGKILL)
            return super().__call__(batch)

    monkeypatch.setattr(quern.ray, "Predictor", KilledOnce)
    ds = cluster.data.from_items([{"key": i, "image": samples[i]} for i in range(200)])
    rows = predict(ds, DIGITS, columns={"image": 0}, keep=["key"], top=1, workers=1, batch=16, cache=False).take_all()
    assert mark.exists() and sorted(row["key"] for row in rows) == list(range(200))


def test_bad_samples_are_rows(samples):
    """Those that a budget allows; the others of the batch are as ever."""
    class Budget:
        class spend:  # as an actor's method, on this side of Ray
            @staticmethod
            def remote(errors):
                return errors <= 1

    ray = pytest.importorskip("ray")
    one = Predictor(DIGITS, columns={"image": 0}, top=1, cache=False, budget=Budget)
    ragged = np.empty(3, object)
    ragged[:] = [samples[0], samples[1][:5], samples[2]]
    original, ray.get = ray.get, lambda value: value
    try:
        made = one({"image": ragged})
        assert [bool(error) for error in made["error"]] == [False, True, False]
        right = Predictor(DIGITS, columns={"image": 0}, top=1, cache=False)({"image": samples[:3]})
        assert made["classes"][0] == right["classes"][0] and made["classes"][2] == right["classes"][2]
        ragged[0] = samples[0][:5]
        with pytest.raises(TooManyErrors, match="2 bad"):
            one({"image": ragged})
    finally:
        ray.get = original
