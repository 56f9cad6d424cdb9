/** Requests to the server that the page came from. */

import { SourceError } from "./interface";
import type { Transport } from "./remote";

export class HttpTransport implements Transport {
  constructor(
    private readonly address: string,
    private readonly token: string,
  ) {}

  async send(request: string, signal?: AbortSignal): Promise<ArrayBuffer> {
    const headers = { "Content-Type": "application/json", "X-Diya-Token": this.token };
    const options: RequestInit = { method: "POST", body: request, headers };
    if (signal) options.signal = signal;
    let response: Response;
    try {
      response = await fetch(this.address, options);
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") throw error;
      throw new SourceError("The server does not answer. Is diya still running, and the tunnel to it?");
    }
    if (response.status === 401 || response.status === 403) {
      throw new SourceError("The server did not accept the token. Use the whole address that diya printed.");
    }
    if (!response.ok) throw new SourceError(`The server answered with an error (${response.status}).`);
    return response.arrayBuffer();
  }

  close(): void {
    // Each request stands alone: there is nothing to end.
  }
}
