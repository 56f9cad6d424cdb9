/** English text of the report where the page cannot run. */

export const plainText = {
  why: "This browser cannot run the page: it is too old. The report as text:",
  alsoAs: "The report as text:",
  noWasm: "this browser has no WebAssembly, or it is switched off. Findings and tables need none",
  account: "Where the run time went",
  findings: "Findings",
  saves: "Estimated saving",
  evidence: "Evidence",
  files: "Files",
  fix: "Fix",
  verify: "How to verify the fix",
  wrong: "When the finding is wrong",
  passed: "Passed",
  unknown: "Unknown",
  notApplicable: "Not applicable",
  notCaptured: "Incomplete",
} as const;
