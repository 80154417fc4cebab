import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { exchange } from './exchange.ts';

// Guarantee: whatever a Retry-After contains, no one waits longer than an hour.
test.each([
  [null, null],
  ['42', 42_000],
  ['soon', null],
  ['3601', 3_600_000],
  ['9'.repeat(400), 3_600_000],
  ['Fri, 01 Jan 2100 00:00:00 GMT', 3_600_000],
])('Retry-After %s', async (header, retryAfterMs) => {
  await using server = createServer((_request, response) => {
    response.writeHead(429, header === null ? {} : { 'Retry-After': header }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  expect(await exchange({ url, timeoutMs: 5000 })).toMatchObject({ status: 429, retryAfterMs });
});
