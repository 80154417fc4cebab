import { expect, test } from 'vitest';
import { sessionsHttp } from '#contracts/identity/sessions.ts';
import { type AuditRow, auditHttp } from '#contracts/kernel/audit.ts';
import { eventsHttp } from '#contracts/kernel/events.ts';
import type { EventRow } from '#contracts/operations/event-row.ts';
import { apiForThisFile } from '../testing/api-of-a-test.ts';
import { ask } from '../testing/ask.ts';
import { call, customRole, person } from '../testing/call.ts';
import { openLiveClient } from '../testing/live-client.ts';

const running = apiForThisFile();
const exportOf = async (path: string, as: string) =>
  (await ask(running().port, path, { headers: { Authorization: `Bearer ${as}` } })).text;

// Guarantee: the addresses of admins are shown only to those who may see admins: in lists, in exports, in search and live.
test('addresses of admins', async () => {
  const { port } = running();
  const { token: owner } = await person(port, { role: 'owner' });
  const role = await customRole(port, ['audit.read', 'events.read']);
  const { token: reader } = await person(port, { role });
  const { token: viewer } = await person(port, { role: 'viewer' });
  await call(port, sessionsHttp.signIn, { body: { name: 'person 1', password: 'wrong' } });

  const audited = async (as: string) =>
    ((await call(port, auditHttp.list, { as })).json.rows as AuditRow[]).map(({ address }) => address);
  expect(new Set(await audited(owner))).toEqual(new Set(['127.0.0.1']));
  expect(new Set(await audited(reader))).toEqual(new Set([null]));
  const found = async (as: string) =>
    (
      (await call(port, { ...auditHttp.list, path: '/api/audit?text=127.0.0.1' }, { as })).json
        .rows as AuditRow[]
    ).length;
  expect([(await found(owner)) > 0, await found(reader)]).toEqual([true, 0]);

  const signIns = async (as: string) => {
    const { json } = await call(
      port,
      { ...eventsHttp.list, path: '/api/events?kind=admin.signed-in' },
      { as },
    );
    return new Set((json.rows as EventRow[]).map(({ payload }) => payload.address));
  };
  expect(await signIns(owner)).toEqual(new Set(['127.0.0.1']));
  for (const as of [reader, viewer]) expect(await signIns(as)).toEqual(new Set(['']));
  for (const http of [auditHttp, eventsHttp])
    for (const { path } of [http.exportCsv, http.exportJsonLines]) {
      expect(await exportOf(path, owner)).toContain('127.0.0.1');
      expect(await exportOf(path, reader)).not.toContain('127.0.0.1');
    }
});

// Guarantee: the live stream follows the same rule.
test('addresses, live', async () => {
  const { port } = running();
  const { token: owner, name, password } = await person(port, { role: 'owner' });
  const { token: viewer } = await person(port, { role: 'viewer' });
  using ownerLive = await openLiveClient(port, owner);
  using viewerLive = await openLiveClient(port, viewer);
  const clients = [ownerLive, viewerLive];
  for (const client of clients) {
    client.send({ type: 'subscribe', topic: 'events' });
    await client.next('subscribed');
  }
  await call(port, sessionsHttp.signIn, { body: { name, password, transport: 'bearer' } });
  // The stream follows the log at its own pace: what was recorded before the subscription may come first.
  const addressesTold = async (client: (typeof clients)[number]): Promise<ReadonlySet<unknown>> => {
    const { events } = await client.next('events');
    const signIns = events.filter(({ kind }) => kind === 'admin.signed-in');
    return signIns.length === 0
      ? addressesTold(client)
      : new Set(signIns.map(({ payload }) => payload.address));
  };
  expect(await Promise.all(clients.map(addressesTold))).toEqual([new Set(['127.0.0.1']), new Set([''])]);
});

// Guarantee: a filter that no database can hold is the caller's fault, reported before the first byte of an export.
test.each([
  '/api/audit/export.csv?text=a%00b',
  '/api/audit/export.jsonl?actor=%00',
  '/api/audit/export.csv?target=%00',
  '/api/audit/export.csv?action=%00',
  '/api/audit?text=%00',
  '/api/events/export.csv?serverId=%00',
  '/api/events/export.jsonl?serverId=a%00',
  '/api/events/export.csv?kind=%00',
  '/api/events/export.csv?from=yesterday',
  '/api/events?serverId=%00',
])('%s', async (path) => {
  const { port } = running();
  const { token } = await person(port, { role: 'owner' });
  const { status, json, headers } = await ask(port, path, { headers: { Authorization: `Bearer ${token}` } });
  expect([status, json.code]).toEqual([400, 'INVALID_REQUEST']);
  expect(headers['content-disposition']).toBeUndefined();
});
