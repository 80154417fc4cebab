import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { keyProofBySecret } from '#runtime/api-key-proof.ts';
import { StartupError } from '#runtime/program.ts';
import { Secret } from '#runtime/secret.ts';
import { askForProof, isKeyUnknown } from './known-api.ts';

const secret = 'k'.repeat(43);
const key = new Secret(`cst_abc_${secret}`);

/** The result of asking a server, and what that server received. */
const askServer = async (answer: RequestListener) => {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url} ${JSON.stringify(request.rawHeaders)}`);
    answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    const told = await askForProof(`http://127.0.0.1:${port}`, key).catch((error: Error) => error);
    return { told, seen: seen.join('\n') };
  } finally {
    server.closeAllConnections();
    server.close();
  }
};
const proving =
  (by: string): RequestListener =>
  (request, response) => {
    const nonce = new URL(request.url ?? '', 'http://x').searchParams.get('nonce') ?? '';
    const body = JSON.stringify({ proof: keyProofBySecret(by, nonce) });
    response.writeHead(200, { 'Content-Length': body.length }).end(body);
  };

// Guarantee: the API that knows the key is distinguished from a program that only has its port; that one sees nothing of the
// key, whatever it answers, however much of it.
test('who answers', async () => {
  expect((await askServer(proving(secret))).told).toBeNull();
  const pretenders: readonly RequestListener[] = [
    proving('x'.repeat(43)),
    (_request, response) => void response.end('{"proof":null}'),
    (_request, response) => void response.writeHead(200, { 'Content-Length': 4 }).end('null'),
    (_request, response) => {
      response.writeHead(200);
      const flood = setInterval(() => response.write('x'.repeat(100_000)), 1);
      response.on('close', () => clearInterval(flood));
    },
    (_request, response) => void response.writeHead(302, { Location: '/elsewhere' }).end(),
  ];
  for (const pretender of pretenders) {
    const { told, seen } = await askServer(pretender);
    expect(told).toBeInstanceOf(StartupError);
    expect(seen).not.toContain(secret);
    expect(seen.split('\n')).toHaveLength(1);
  }
});

// Guarantee: only the API's own refusal marks a key as revoked; a database that is away costs no one a key.
test('what is no proof', async () => {
  const answering =
    (status: number, type: string): RequestListener =>
    (_request, response) =>
      void response.writeHead(status, { 'Content-Type': type }).end('{}');
  const cases = [
    [401, 'application/problem+json', true],
    [401, 'text/html', false],
    [503, 'application/problem+json', false],
  ] as const;
  for (const [status, type, isUnknown] of cases) {
    const { told } = await askServer(answering(status, type));
    expect(told instanceof Response && isKeyUnknown(told)).toBe(isUnknown);
  }
});
