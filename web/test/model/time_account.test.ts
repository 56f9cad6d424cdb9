/** What the sentence of the first page leaves to the bar below it. */

import { expect, it } from "vitest";
import { withoutParts } from "../../src/model/time_account";

it("the sentence says no time that the bar says", () => {
  expect(withoutParts("I/O takes 16.4\u202fs of the 17.5\u202fs run (94\u202f%): waiting and data exchange between ranks 16.4\u202fs; outside I/O: 1.1\u202fs. One finding is worth a fix; the estimated saving is about 13\u202fs (0 to 16)."))
    .toBe("I/O takes 16.4\u202fs of the 17.5\u202fs run (94\u202f%). One finding is worth a fix; the estimated saving is about 13\u202fs (0 to 16).");
  expect(withoutParts("I/O takes 22 ms of the 1.87 s run (1.2 %): write 14 ms, metadata 950 µs; outside I/O: 1.85 s. I/O is not the problem: it takes less than 0.1 s."))
    .toBe("I/O takes 22 ms of the 1.87 s run (1.2 %). I/O is not the problem: it takes less than 0.1 s.");
  expect(withoutParts("I/O takes 2.28 s of the 2.63 s run (87 %): sync 2.26 s; computing and other work: 0.35 s.")).toBe("I/O takes 2.28 s of the 2.63 s run (87 %).");
});

it("a sentence without parts stays as it is", () => {
  for (const sentence of ["I/O is not the problem: it takes 2.1 ms of the 0.902 s run (0.2 %).", "I/O took 3 s of the 7 s run (43 %).", ""]) expect(withoutParts(sentence)).toBe(sentence);
});
