/** From a dropped file to a source: a worker of its own for each log. */

import { dropText } from "../../base/text_drop";
import { bytes } from "../../base/units";
import type { EngineFile } from "../../data/engine";
import { fetchEngine, lacks } from "../../data/engine";
import { SourceError } from "../../data/interface";
import LogWorker from "../../data/log.worker?worker&inline";
import type { ToLogWorker } from "../../data/log_messages";
import { RemoteSource } from "../../data/remote";
import { WorkerTransport } from "../../data/worker_transport";
import type { Opened } from "../open";

/** Larger logs do not fit: memory of a module ends at 4 GiB, and tables take several times the log. */
const MAX_LOG_BYTES = 512 * 2 ** 20;

/** Opens logs, one at a time. */
export class LogOpener {
  #module: Promise<WebAssembly.Module> | null = null;
  #open: RemoteSource | null = null;

  constructor(private readonly engine: EngineFile) {}

  /** The engine, on its way already when a log is about to come. */
  prepare(): Promise<WebAssembly.Module> {
    this.#module ??= fetchEngine(this.engine);
    this.#module.catch(() => (this.#module = null)); // a second try is possible
    return this.#module;
  }

  /** @throws SourceError with what to do, for the user. */
  async open(file: File, say: (what: string) => void): Promise<Opened> {
    const lacking = lacks();
    if (lacking !== null) throw new SourceError(lacking);
    if (file.size > MAX_LOG_BYTES) throw new SourceError(dropText.tooLarge(bytes(file.size), bytes(MAX_LOG_BYTES)));
    say(dropText.engine(null));
    const [module, log] = await Promise.all([this.prepare(), file.arrayBuffer()]);
    say(dropText.reading(file.name, bytes(file.size)));
    this.#open?.close();
    // The worker gets a copy: one that has to be ended is followed by another with the same log.
    const start = (): Worker => {
      const worker = new LogWorker();
      worker.postMessage({ open: true, module, name: file.name, log } satisfies ToLogWorker);
      return worker;
    };
    const source = new RemoteSource(new WorkerTransport(start(), start), null);
    this.#open = source;
    const [description, report] = await Promise.all([source.describe(), source.report()]);
    return { source, description, report };
  }
}
