/** The kinds of calls that have a colour of their own: which class and which kind an operation is of. */

import { CLASS_OF_OP, KIND_OF_CLASS, type Kind } from "./generated/kinds";

export { KINDS, KIND_OF_CLASS, type Kind } from "./generated/kinds";

/** Class of an operation of `call.op`. */
export const classOfOp = (op: string): string => CLASS_OF_OP[op] ?? "metadata";

/** Kind of an operation of `call.op`. */
export const kindOfOp = (op: string): Kind => KIND_OF_CLASS[classOfOp(op)] ?? "metadata";
