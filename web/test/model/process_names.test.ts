import { describe, expect, it } from "vitest";
import { parseReport } from "../../src/data/parse_report";
import { inWordsOf, processNames, programOfCommand, trackName } from "../../src/model/process_names";
import { parseTimeline, storeOf } from "../memory/timeline";

const COLUMNS = "log rank kind number step program"
  .split(" ")
  .map((name) => ({ name, type: "str", unit: "", doc: "" }));
const namesOf = (...rows: (string | number | null)[][]) =>
  processNames(
    parseReport({
      schema_version: 1,
      metrics: { peer_group: { title: "t", columns: COLUMNS, rows, rows_in_all: rows.length } },
    }),
  );
const { description } = storeOf(parseTimeline("rank start end\n-1 0 1\n0 0 1\n1 0 1"));

describe("the name of a process", () => {
  it("is its rank where the log does not know its processes", () => {
    const names = namesOf();
    expect([0, 1, 2].map((at) => trackName(description, names, at))).toEqual(["all ranks", "rank 0", "rank 1"]);
    expect(inWordsOf(names.noun, "Pin this rank")).toBe("Pin this rank");
  });
  it("is a number of the system and the program where no launcher numbers it", () => {
    const names = namesOf([0, 0, "process", 1204, null, "train.py"], [0, 1, "process", 1210, null, ""]);
    expect([0, 1, 2].map((at) => trackName(description, names, at))).toEqual([
      "all processes",
      "process 1204 (train.py)",
      "process 1210",
    ]);
    expect(inWordsOf(names.noun, "Ranks in a call; this rank")).toBe("Processes in a call; this process");
  });
  it("of a command is the program: no launcher, of an interpreter the script", () => {
    const names = [
      "mpirun.mpich -n 2 /a/sim in.nml",
      "srun --ntasks=4 -n 4 python3 -u /b/train.py --lr 1",
      "make",
      "env A=1 sh -c x",
    ];
    expect(names.map(programOfCommand)).toEqual(["sim", "train.py", "make", "sh"]);
  });
  it("names the step where there are several, and the helper of a rank by its program", () => {
    expect(namesOf([0, 0, "rank", 3, 0, "a"]).of(0, 0)).toBe("rank 3");
    expect(namesOf([0, 0, "rank", 3, 0, "a"], [0, 1, "process", 99, 0, "sh"]).of(0, 1)).toBe("process sh");
    expect(namesOf([0, 0, "rank", 3, 0, "a"], [0, 1, "rank", 0, 1, "b"]).of(0, 1)).toBe("rank 0 of step 1 (b)");
  });
});
