"""Reports and comparisons: the same data as those of the command line."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
from pathlib import Path

import diya
import pytest

LOGS = Path(__file__).parents[2] / "corpus" / "logs"


def command_line(*words: str) -> str:
    done = subprocess.run([sys.executable, "-m", "diya", *words], check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout


@pytest.fixture(scope="module")
def report(job: diya.Job) -> diya.Report:
    return job.report()


def test_the_report_is_that_of_the_command_line(report: diya.Report, log: str) -> None:
    assert report.to_json() == command_line("report", log, "--json", "--metrics", "none")
    assert report.findings[0].title in report.to_markdown()
    assert report.to_csv().count("\n") == len(report) + 1
    assert json.loads(report.to_sarif())["version"] == "2.1.0"


def test_findings_are_objects(report: diya.Report) -> None:
    assert report.verdict.kind == "findings" and len(report) == len(report.findings) > 0
    for finding, data in zip(report, report.to_dict()["findings"]):
        assert finding.data == data
        assert (finding.id, finding.saving_s) == (data["id"], data["saved_s"])
        assert report.finding(finding.code) is finding
        if finding.saving_range_s is not None and finding.saving_s is not None:
            low, high = finding.saving_range_s
            assert low <= finding.saving_s <= high
    worst = report.findings[0]
    assert worst.remedies and worst.evidence and worst.evidence[0].values
    assert not {finding.id for finding in report} & set(report.passed)
    with pytest.raises(diya.UnknownNameError):
        report.finding("posix/no-such-check")


def test_metrics_come_on_demand(job: diya.Job, report: diya.Report) -> None:
    assert report.to_dict()["metrics"] == {}
    table = job.report(metric_rows=3).to_dict()["metrics"]["rank_io"]
    assert len(table["rows"]) <= 3


def test_a_notebook_shows_the_report_and_escapes_its_text(report: diya.Report) -> None:
    before = list(report.findings)
    report.findings[0] = dataclasses.replace(report.findings[0], text="<script>", title="a & b")
    html = report._repr_html_()
    report.findings[:] = before
    assert "Estimated saving" in html and "fsync" in html and "about 0.36 s (0.12 to 0.36)" in html
    assert "<script>" not in html and "&lt;script&gt;" in html and "a &amp; b" in html


def test_a_wrong_detail_is_an_error(report: diya.Report) -> None:
    with pytest.raises(ValueError, match="brief, normal, verbose"):
        report.text("much")


def test_a_run_compared_with_itself_is_the_same(job: diya.Job, log: str) -> None:
    comparison = diya.compare(job, log)
    assert comparison.outcome == "same" and comparison.regressions == []
    assert comparison.to_dict()["runs"][0]["outcome"] == "same"


def test_runs_that_differ() -> None:
    slow, fast = (str(LOGS / f"{name}.darshan") for name in ("straggler10x", "phases_ckpt"))
    comparison = diya.compare(slow, fast, noise=0.05)
    data = json.loads(comparison.to_json())
    assert comparison.runs == data["runs"] and comparison.outcome == "slower"
    # Long lines are broken.
    assert comparison.answer in " ".join(str(comparison).split())
    assert "is slower" in comparison._repr_html_()


def test_a_comparison_needs_two_runs(log: str) -> None:
    with pytest.raises(diya.SettingError, match="two runs"):
        diya.compare(log)


def test_the_page_is_in_a_frame_of_its_own(job: diya.Job, tmp_path: Path) -> None:
    page = job.timeline(height=500)
    html = page._repr_html_()
    assert html.startswith('<iframe sandbox="allow-scripts') and 'height="500"' in html
    page.save(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text().lstrip().lower().startswith("<!doctype html>")


#: Renders the widget where a document is a few objects.
NODE = """
import fs from "node:fs";
const { esm, html, height } = JSON.parse(fs.readFileSync(0, "utf8"));
const made = [];
globalThis.document = {
    createElement: (tag) => ({ tag, style: {}, attributes: {},
        setAttribute(name, value) { this.attributes[name] = value; } }),
};
const heard = new Set();
const model = { get: (name) => ({ html, height })[name],
    on: (name) => heard.add(name), off: (name) => heard.delete(name) };
const widget = await import("data:text/javascript;base64," + Buffer.from(esm).toString("base64"));
const end = widget.default.render({ model, el: { appendChild: (child) => made.push(child) } });
end();
const [frame] = made;
console.log(JSON.stringify([made.length, frame.tag, frame.attributes.sandbox,
    frame.srcdoc.length, frame.style.height, heard.size]));
"""


def test_the_page_as_a_widget(job: diya.Job) -> None:
    page = job.timeline(height=500)
    widget = page.widget()
    state = widget.get_state()
    assert (state["html"], state["height"]) == (page.html, 500)
    shown = {"esm": state["_esm"], "html": page.html, "height": 500}
    node = ["node", "--input-type=module", "-e", NODE]
    done = subprocess.run(node, input=json.dumps(shown), capture_output=True, text=True, check=True)
    # No right to the notebook: not `allow-same-origin`. As JavaScript counts characters.
    length = len(page.html.encode("utf-16-le")) // 2
    sandbox = "allow-scripts allow-downloads"
    assert json.loads(done.stdout) == [1, "iframe", sandbox, length, "500px", 0]
