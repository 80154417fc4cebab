import { expect, test } from 'vitest';
import type { ModWave } from '#contracts/mods/mods.ts';
import { modsHttp } from '#contracts/mods/mods-http.ts';
import { eventually } from '#harness/eventually.ts';
import { apiForThisFile } from '../kernel/testing/api-of-a-test.ts';
import { ask } from '../kernel/testing/ask.ts';
import { call, newServer } from '../kernel/testing/call.ts';
import { testDesktopCredential as as } from '../kernel/testing/test-api.ts';

const running = apiForThisFile();

// Guarantee: in the whole API, a wave waits for an agent that is away, says so, and ends when it is cancelled.
test('a wave over servers without agents', async () => {
  const { port } = running();
  const servers = [await newServer(port), await newServer(port)];
  const headers = { 'Idempotency-Key': 'wave' };
  const body = { servers, wish: { do: 'update-all' as const } };
  const begun = await call(port, modsHttp.beginWave, { as, body, headers });
  expect([begun.status, begun.json.state]).toEqual([200, 'first']);
  await eventually(async () => {
    const { json } = await call(port, modsHttp.waves, { as });
    const [wave] = json.rows as ModWave[];
    expect(wave?.servers.map(({ detail }) => detail !== null)).toEqual([true, false]);
  });
  const again = await call(port, modsHttp.beginWave, { as, body, headers });
  expect(again.json.id).toBe(begun.json.id);
  const cancelled = await call(port, modsHttp.cancelWave, { as, params: { id: String(begun.json.id) } });
  expect(cancelled.json.state).toBe('cancelled');
});

// Guarantee: the page of a shared list is public, and its address ends with the sharing.
test('a list for players', async () => {
  const { port } = running();
  const serverId = await newServer(port);
  const share = (isShared: boolean) =>
    call(port, modsHttp.sharePlayerList, { as, params: { serverId }, body: { isShared } });
  const { url } = (await share(true)).json.playerList as { url: string };
  const page = await ask(port, url);
  expect([page.status, page.headers['content-security-policy']]).toEqual([
    200,
    expect.stringMatching(/^default-src 'none';/),
  ]);
  await share(false);
  expect((await ask(port, url)).status).toBe(404);
});
