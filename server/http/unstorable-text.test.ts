import { expect, test } from 'vitest';
import { apiForThisFile } from '../testing/api-of-a-test.ts';
import { ask } from '../testing/ask.ts';
import { testDesktopCredential } from '../testing/test-api.ts';

const running = apiForThisFile();
const send = (method: string, path: string, body?: string) =>
  ask(running().port, path, {
    method,
    headers: { Authorization: `Bearer ${testDesktopCredential}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body }),
  });

// Guarantee: text that Postgres cannot store is reported as the caller's error, wherever it appears, and never as internal.
test.each([
  ['DELETE', '/api/api-keys/a%00b', undefined],
  ['DELETE', '/api/roles/%00', undefined],
  ['PATCH', '/api/servers/%00', '{"version":1}'],
  ['POST', '/api/console/run', '{"serverIds":["\\u0000"],"command":"list"}'],
  ['POST', '/api/players/1/actions', '{"serverId":"\\u0000","action":"kick"}'],
  ['POST', '/api/roles', '{"name":"half \\ud800","permissions":[]}'],
])('%s %s', async (method, path, body) => {
  const { status, json } = await send(method, path, body);
  expect([status, json.code]).toEqual([400, 'INVALID_REQUEST']);
});
