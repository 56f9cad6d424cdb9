/** A web server as simple as any: the folder of the page, no compression, and a note of who asked for what. */

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";

const FOLDER = fileURLToPath(new URL("../../dist-app/", import.meta.url));
const TYPES: Readonly<Record<string, string>> = {
  "/": "text/html; charset=utf-8",
  "/engine.wasm.deflate": "application/octet-stream",
};

export interface Host {
  readonly address: string;
  readonly asked: string[];
  close(): void;
}

export async function serve(): Promise<Host> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    asked.push(`${request.method} ${path}`);
    const type = TYPES[path];
    if (type === undefined) return void response.writeHead(404).end();
    void readFile(FOLDER + (path === "/" ? "index.html" : path.slice(1))).then((bytes) =>
      response.writeHead(200, { "Content-Type": type }).end(bytes),
    );
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return { address: `http://127.0.0.1:${port}/`, asked, close: () => void server.close() };
}
