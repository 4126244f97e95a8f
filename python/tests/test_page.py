"""docs/python.md, line by line. SPDX-License-Identifier: Apache-2.0"""
import doctest
import shutil

from conftest import ROOT

FLAGS = doctest.ELLIPSIS


def test_every_line_of_the_page(tmp_path, monkeypatch):
    shutil.copytree(ROOT / "examples/digits", tmp_path / "examples/digits")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QUERN_CACHE", "off")
    text = (ROOT / "docs/python.md").read_text(encoding="utf-8").replace("```", "")
    parts = doctest.DocTestParser().get_doctest(text, {}, "python.md", None, 0)
    runner = doctest.DocTestRunner(optionflags=FLAGS, verbose=False)
    said = []
    runner.run(parts, out=said.append)
    assert runner.tries > 20 and runner.failures == 0, "".join(said)
