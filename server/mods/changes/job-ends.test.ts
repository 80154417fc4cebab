import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { modsHttp } from '#contracts/mods/mods-http.ts';
import { queuesHttp } from '#contracts/operations/queues.ts';
import type { TaskResult } from '#contracts/servers/agent-tasks.ts';
import { eventually } from '#harness/eventually.ts';
import { apiForThisFile } from '../../kernel/testing/api-of-a-test.ts';
import { call, customRole, newApiKey, newServer, person } from '../../kernel/testing/call.ts';
import { testDesktopCredential as desktop } from '../../kernel/testing/test-api.ts';
import { changedTo } from '../testing/mods-agent.ts';
import { endJob } from './end-job.ts';
import type { ModJobRow } from './job-rows.ts';

const running = apiForThisFile();
const db = () => running().api.context.database.db;

const insertJob = async (
  serverId: string,
  {
    state = 'waiting',
    hours = 0,
    wave = null,
  }: { state?: ModJobRow['state']; hours?: number; wave?: string | null } = {},
): Promise<string> => {
  const id = randomUUID();
  const isOpen = state === 'waiting' || state === 'running';
  await sql`insert into mod_jobs (id, server_id, kind, request, change, lines, wave, actor, actor_name, address, state,
      task_id, requested_at, ended_at, outcome, detail)
    values (${id}, ${serverId}, 'change', '{}', '{"base":1,"put":[],"remove":[],"adopt":[]}', '[]', ${wave}, 'admin:1',
      'Ada', '::1', ${state}, ${state === 'running' ? id : null}, now() - make_interval(hours => ${hours}),
      ${isOpen ? null : new Date()}, ${isOpen ? null : state}, ${isOpen ? null : 'Why.'})`.execute(db());
  return id;
};
const jobOf = (id: string) =>
  db().selectFrom('mod_jobs').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const whenEnded = (id: string, expected: Partial<ModJobRow>) =>
  eventually(async () => expect(await jobOf(id)).toMatchObject(expected));
const ofQueue = (
  what: 'retry' | 'cancel',
  id: string,
  { as = desktop, confirmed = true }: { as?: string; confirmed?: boolean } = {},
) => call(running().port, queuesHttp[what], { as, confirmed, params: { name: 'mods', id }, body: {} });

// Guarantee: a job that waits for an archived server, or for longer than a day, ends and says why; other waiting jobs keep waiting.
test('what waits in vain', async () => {
  const { port } = running();
  const [archived, old, patient] = [await newServer(port), await newServer(port), await newServer(port)];
  const kept = await insertJob(patient, { hours: 23 });
  const tooOld = await insertJob(old, { hours: 25 });
  await db()
    .updateTable('game_servers')
    .set({ archived_at: new Date() })
    .where('id', '=', archived)
    .execute();
  const ofArchived = await insertJob(archived);
  await whenEnded(tooOld, { state: 'failed', outcome: 'expired' });
  await whenEnded(ofArchived, {
    state: 'failed',
    outcome: 'refused',
    detail: 'The game server was archived.',
  });
  await whenEnded(kept, { state: 'waiting', waits_for: 'agent' });
});

// Guarantee: a job that ended as unknown accepts a later proof, once; a job that ended otherwise accepts nothing more.
test('a late result', async () => {
  const serverId = await newServer(running().port);
  const id = randomUUID();
  const result = (outcome: TaskResult['outcome'], value: TaskResult['value'] = null): TaskResult => ({
    outcome,
    detail: null,
    value,
  });
  const job = { id: await insertJob(serverId, { state: 'unknown' }), task_id: id };
  await db().updateTable('mod_jobs').set({ task_id: id }).where('id', '=', job.id).execute();
  const other = { ...job, task_id: randomUUID() };
  expect(await endJob(db(), other, result('done', { ...changedTo(2) }))).toBe(false);
  expect(await endJob(db(), job, result('unknown'))).toBe(false);
  const both = await Promise.all([1, 2].map(() => endJob(db(), job, result('done', { ...changedTo(2) }))));
  expect(both.toSorted()).toEqual([false, true]);
  expect(await endJob(db(), job, result('failed'))).toBe(false);
  expect(await jobOf(job.id)).toMatchObject({ state: 'done', result: { revision: 2 } });
});

// Guarantee: on the queues page, only a person with a fresh step-up retries a change; what an agent has, what is done and
// what belongs to a wave is left alone; waiting jobs are cancelled there and by SQL.
test('the page of queues', async () => {
  const { port } = running();
  const serverId = await newServer(port);
  const failed = await insertJob(serverId, { state: 'failed' });
  const role = await customRole(port, ['queues.read', 'queues.write', 'mods.read', 'mods.write']);
  const { key } = await newApiKey(port, desktop, {
    name: 'script',
    permissions: ['queues.write', 'mods.write'],
    expiresInDays: 1,
  });
  const without = await person(port, { role: await customRole(port, ['queues.read', 'queues.write']) });
  expect((await ofQueue('retry', failed, { as: key })).json.code).toBe('PERSON_REQUIRED');
  expect((await ofQueue('retry', failed, { confirmed: false })).json.code).toBe('STEP_UP_REQUIRED');
  expect((await ofQueue('retry', failed, { as: without.token })).json.code).toBe('FORBIDDEN');
  expect((await ofQueue('cancel', failed, { as: without.token })).json.code).toBe('FORBIDDEN');
  const ofWave = await insertJob(serverId, { state: 'failed', wave: 'a-wave' });
  expect((await ofQueue('retry', ofWave)).json.code).toBe('JOB_STATE');
  for (const state of ['done', 'unknown'] as const) {
    const ended = await insertJob(serverId, { state });
    for (const what of ['retry', 'cancel'] as const)
      expect((await ofQueue(what, ended)).json.code).toBe('JOB_STATE');
  }
  expect(await jobOf(failed)).toMatchObject({ state: 'failed', detail: 'Why.' });
  const { token } = await person(port, { role });
  expect((await ofQueue('retry', failed, { as: token })).status).toBe(200);
  await whenEnded(failed, { state: 'waiting', waits_for: 'agent', detail: null });
  expect((await ofQueue('cancel', failed, { as: key })).status).toBe(200);
  expect(await jobOf(failed)).toMatchObject({ state: 'cancelled' });
  const bySql = await insertJob(serverId);
  await sql`update pgboss.job set state = 'cancelled' where id = ${bySql}::uuid`.execute(db());
  expect(await jobOf(bySql)).toMatchObject({ state: 'cancelled', is_cancelled: true });
});

const bySql = (where: string) =>
  running().api.context.database.pool.query(
    `update pgboss.job set state = 'cancelled' where name = 'mods' and ${where}`,
  );
const statesOf = (...ids: string[]) => Promise.all(ids.map(async (id) => (await jobOf(id)).state));

// Guarantee: SQL cancels waiting and failed jobs. A job that an agent has, or whose result is unknown, is refused by name,
// alone and among others, and then nothing is changed; the hint leads to a statement that cancels the others.
test('cancelled by SQL, one and many', async () => {
  const { port } = running();
  const [waits, lost, runs] = [await newServer(port), await newServer(port), await newServer(port)];
  const [waiting, failed] = [await insertJob(waits), await insertJob(waits, { state: 'failed' })];
  const unknown = await insertJob(lost, { state: 'unknown' });
  await expect(bySql(`id = '${unknown}'`)).rejects.toThrow(`job ${unknown} of queue mods has an unknown end`);
  await expect(bySql(`id in ('${waiting}', '${failed}', '${unknown}')`)).rejects.toMatchObject({
    hint: expect.stringContaining("output ->> 'state' is distinct from 'unknown'"),
  });
  expect(await statesOf(waiting, failed, unknown)).toEqual(['waiting', 'failed', 'unknown']);
  // It would not wait for a task that does not exist.
  const active = randomUUID();
  await db()
    .transaction()
    .execute(async (trx) => {
      await sql`insert into agent_tasks (id, server_id, kind, request, created_by, created_by_name, expires_at)
      values (${active}, ${runs}, 'change-mods', '{}', 'admin:1', 'Ada', now() + interval '1 hour')`.execute(
        trx,
      );
      await sql`insert into mod_jobs (id, server_id, kind, request, change, lines, actor, actor_name, address, state, task_id)
      values (${active}, ${runs}, 'change', '{}', '{}', '[]', 'admin:1', 'Ada', '::1', 'running', ${active})`.execute(
        trx,
      );
    });
  await expect(bySql(`id in ('${waiting}', '${active}')`)).rejects.toThrow(/is active: only created/);
  const { rowCount } = await bySql(
    `id in ('${waiting}', '${failed}', '${unknown}') and output ->> 'state' is distinct from 'unknown'`,
  );
  expect(rowCount).toBe(2);
  expect(await statesOf(waiting, failed, unknown, active)).toEqual([
    'cancelled',
    'cancelled',
    'unknown',
    'running',
  ]);
  // A later result still counts.
  await db()
    .updateTable('mod_jobs')
    .set({ task_id: unknown, outcome: 'unknown' })
    .where('id', '=', unknown)
    .execute();
  const proof: TaskResult = { outcome: 'done', detail: null, value: { ...changedTo(2) } };
  expect(await endJob(db(), { id: unknown, task_id: unknown }, proof)).toBe(true);
});

// Guarantee: a job that is being sent to its agent while the statement runs is not cancelled underneath it.
test('cancelled by SQL while it goes out', async () => {
  const serverId = await newServer(running().port);
  const [job, other] = [await insertJob(serverId), await insertJob(serverId, { state: 'failed' })];
  const statement = await db()
    .transaction()
    .execute(async (trx) => {
      await sql`update mod_jobs set state = 'running', task_id = ${job} where id = ${job}`.execute(trx);
      const sent = bySql(`id in ('${job}', '${other}')`).catch((error: Error) => error.message);
      await eventually(async () => {
        const { rows } = await sql`select from pg_stat_activity
          where wait_event_type = 'Lock' and query like 'update pgboss.job%'`.execute(db());
        expect(rows).toHaveLength(1);
      });
      // Not awaited before the commit, which it waits for.
      return { sent };
    });
  expect(await statement.sent).toMatch(/is running: only those that wait or have failed/);
  expect((await jobOf(other)).state).toBe('failed');
});

// Guarantee: a cancelled wave withdraws the jobs it has not sent, and leaves alone those that an agent has.
test('a cancelled wave', async () => {
  const { port } = running();
  const servers = [await newServer(port), await newServer(port)];
  const begun = await call(port, modsHttp.beginWave, {
    as: desktop,
    body: { servers, wish: { do: 'update-all' } },
  });
  expect(begun.status, begun.text).toBe(200);
  const wave = String(begun.json.id);
  const waiting = await insertJob(servers[1] ?? '', { wave });
  const cancelled = await call(port, modsHttp.cancelWave, { as: desktop, params: { id: wave } });
  expect(cancelled.json, cancelled.text).toMatchObject({ state: 'cancelled' });
  expect(await jobOf(waiting)).toMatchObject({
    state: 'cancelled',
    outcome: 'refused',
    detail: 'The remaining updates were cancelled.',
  });
});
