import { expect, test } from 'vitest';
import { botHttp } from '#contracts/discord/bot.ts';
import { confirmationBy, confirmationHeader } from '#runtime/desktop-confirmation.ts';
import { Secret } from '#runtime/secret.ts';
import { apiForThisFile } from '../testing/api-of-a-test.ts';
import { type Answer, ask } from '../testing/ask.ts';
import { testBotSecret, testDesktopCredential } from '../testing/test-api.ts';

const running = apiForThisFile();
const confirmation = { [confirmationHeader]: confirmationBy(new Secret(testDesktopCredential)) };
const send = (method: string, path: string, body?: string, as = testDesktopCredential): Promise<Answer> =>
  ask(running().port, path, {
    method,
    headers: { ...confirmation, Authorization: `Bearer ${as}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body }),
  });

const message = 'must not hold NUL or half characters';

// Guarantee: text that Postgres cannot store, in a column or in JSON, is refused wherever it appears, and the answer names the field.
test.each([
  ['DELETE', '/api/api-keys/a%00b', undefined, 'params.id'],
  ['DELETE', '/api/roles/%00', undefined, 'params.id'],
  ['GET', '/api/audit?text=%00', undefined, 'query.text'],
  ['PATCH', '/api/servers/%00', '{"version":1}', 'params.id'],
  ['POST', '/api/console/run', '{"serverIds":["\\u0000"],"command":"list"}', 'body.serverIds.0'],
  ['POST', '/api/players/1/actions', '{"serverId":"\\u0000","action":"kick"}', 'body.serverId'],
  ['POST', '/api/roles', '{"name":"half \\ud800","permissions":[]}', 'body.name'],
  ['POST', '/api/desktop-access', '{"user":"half \\udc00"}', 'body.user'],
  ['POST', '/api/roles', '{"name":"a","permissions":[],"\\u0000":1}', 'body'],
])('%s %s with %s', async (method, path, body, field) => {
  const { status, json } = await send(method, path, body);
  expect([status, json.code]).toEqual([400, 'INVALID_REQUEST']);
  expect(json.errors).toContainEqual({ path: field, message, code: 'half-characters', values: [] });
});

// Guarantee: a search for such a text finds nothing, and is not refused.
test.each([
  '/api/members?text=%00',
  '/api/players?text=%00%25',
  '/api/bans?text=a%00',
  '/api/store/items?game=minecraft&text=%00',
])('GET %s', async (path) => {
  const { status, json } = await send('GET', path);
  expect([status, json.rows]).toEqual([200, []]);
});

// Guarantee: the bot's report is not lost for a character that cannot be stored.
test('a report of the bot', async () => {
  const { method, path } = botHttp.report;
  const { status } = await send(
    method,
    path,
    '{"state":"waiting","detail":"a\\u0000\\ud800b"}',
    testBotSecret,
  );
  expect(status).toBe(200);
});
