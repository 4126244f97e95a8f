"""The notebook of docs has the outputs that its cells give. SPDX-License-Identifier: Apache-2.0"""
from conftest import ROOT
from notebook import executed


def test_the_notebook_is_executed(monkeypatch):
    monkeypatch.chdir(ROOT)
    stored = (ROOT / "docs/two-runtimes.ipynb").read_text(encoding="utf-8")
    assert executed(stored) == stored, "python/tests/notebook.py --write docs/two-runtimes.ipynb"
