/** What goes to the worker that opens a log; its answers are those of the decoder. */
export type ToLogWorker =
  | { readonly open: true; readonly module: WebAssembly.Module; readonly name: string; readonly log: ArrayBuffer }
  | { readonly id: number; readonly request: string };
