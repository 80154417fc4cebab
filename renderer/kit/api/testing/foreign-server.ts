import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, vi } from 'vitest';

type Answer = (request: IncomingMessage, body: Buffer, response: ServerResponse) => void;

export const page = (title: string) =>
  `<html><head><title>${title}</title></head><body>${title}</body></html>`;

export type Foreign = readonly [
  status: number,
  type: string,
  body: string,
  headers?: Readonly<Record<string, string>>,
];
/** An answer that the API would not give. */
export const foreign =
  ([status, type, body, headers]: Foreign): Answer =>
  (_request, _body, response) =>
    void response.writeHead(status, { ...(type && { 'Content-Type': type }), ...headers }).end(body);

/** Sends what the panel asks to a server that answers as told, for each test of the file. */
export const foreignServerForThisFile = (): { answer: Answer } => {
  const told: { answer: Answer } = { answer: foreign([500, '', '']) };
  const server = createServer(async (request, response) =>
    told.answer(request, Buffer.concat(await request.toArray()), response),
  );
  beforeEach(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { fetch } = globalThis;
    vi.stubGlobal('fetch', (path: string, init: RequestInit) => fetch(base + path, init));
  });
  afterEach(async () => {
    vi.unstubAllGlobals();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return told;
};
