import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ModsJob, ModsPlan, ModWave, PlanFault, PlanLine } from '#contracts/mods/mods.ts';
import { eventually } from '#harness/eventually.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import type { ProvenSet } from '../../kernel/database/stored-values.ts';
import { isRefusal, type Refusal, refuse } from '../../kernel/http/refusal.ts';
import {
  type MigratedDatabase,
  migratedDatabase,
  silentLog,
  testOwner,
} from '../../kernel/testing/feature-api.ts';
import { insertServers } from '../../servers/console/testing/servers-in-use.ts';
import { createModSets } from '../sets/sets.ts';
import type { WaveRequest, WaveServers } from './wave-servers.ts';
import { createWaves, type Waves } from './waves.ts';

const desktop: Actor = { ...testOwner, kind: 'desktop', id: 'tester', steppedUp: true };
const by = { actor: desktop, address: '::1' };
const update: WaveRequest['wish'] = { do: 'update-all' };
const never = new Promise<never>(() => undefined);

const line: PlanLine = {
  change: 'update',
  key: 'modrinth:AANobbMI',
  source: 'modrinth',
  name: 'Sodium',
  from: '1',
  to: '2',
  bytes: 10,
  neededBy: null,
  changelog: null,
};
const fault = (code: PlanFault['code']): PlanFault => ({
  code,
  isBlocking: true,
  mod: 'Sodium',
  other: null,
  detail: null,
  page: null,
  fileName: null,
  sha1: null,
  project: null,
  version: null,
});
const planOf = (serverId: string, faults: PlanFault[] = [], lines = [line]): ModsPlan => ({
  id: `plan-${serverId}-${Math.random()}`,
  serverId,
  madeAt: '2026-01-01T00:00:00.000Z',
  expiresAt: '2026-01-01T00:30:00.000Z',
  lines,
  faults,
  downloadBytes: 10,
  needsRestart: true,
  rehearsalObstacle: null,
  unneeded: [],
});

const provenOn = (serverId: string): ProvenSet => ({ loader: 'fabric', gameVersion: serverId, mods: {} });

/** The machines of these servers, which outlive any API process, with at most one job per wave and server. */
const openMachines = () => {
  const jobs = new Map<string, ModsJob>();
  const begun: string[] = [];
  const listeners = new Set<() => void>();
  const plans = new Map<string, () => Promise<ModsPlan | Refusal>>();
  const upon = new Map<string, ProvenSet | null>();
  let isKilledAfterBegin = false;
  const servers: WaveServers = {
    async plan(serverId, _wishes, _by, { proven }) {
      upon.set(serverId, proven);
      return (await plans.get(serverId)?.()) ?? planOf(serverId);
    },
    provenSet: async (wave, serverId) => (jobs.has(`${wave} ${serverId}`) ? provenOn(serverId) : null),
    async begin(serverId, _request, { wave }, { actor }) {
      const key = `${wave} ${serverId}`;
      const known = jobs.get(key);
      if (known) return refuse('IDEMPOTENCY_MISMATCH');
      begun.push(serverId);
      const job: ModsJob = {
        id: `job-${begun.length}`,
        serverId,
        serverName: serverId,
        lines: [line],
        byName: actor.name,
        state: 'running',
        waitsFor: null,
        requestedAt: '2026-01-01T00:00:00.000Z',
        beganAt: null,
        endedAt: null,
        progress: null,
        isCancelled: false,
        outcome: null,
        detail: null,
        result: null,
        canUndo: false,
        wave,
      };
      jobs.set(key, job);
      return isKilledAfterBegin ? never : job;
    },
    jobs: async (waves) => [...jobs.values()].filter(({ wave }) => wave !== null && waves.includes(wave)),
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  return {
    servers,
    begun,
    plans,
    /** The set that each server's plan was based on. */
    upon,
    killAfterBegin(is: boolean) {
      isKilledAfterBegin = is;
    },
    end(
      serverId: string,
      state: ModsJob['state'],
      health: 'proven' | 'down' | 'failed' = 'proven',
      detail = '',
    ) {
      for (const [key, job] of jobs)
        if (job.serverId === serverId && job.state === 'running')
          jobs.set(key, {
            ...job,
            state,
            detail: detail === '' ? null : detail,
            result: {
              set: state === 'done' ? 'new' : 'old',
              revision: 2,
              isRolledBack: state === 'failed',
              health,
              failedAt: null,
              lines: [],
              notes: [],
            },
          });
      for (const listener of listeners) listener();
    },
  };
};

let database: MigratedDatabase;
let machines: ReturnType<typeof openMachines>;
const processes: Waves[] = [];
/** Calls that hang forever are as good as killed: nothing may wait for them. */
let isKilling = false;
const open = async (): Promise<Waves> => {
  const waves = createWaves({ db: database.db, servers: machines.servers, log: silentLog });
  await waves.prepare();
  processes.push(waves);
  return waves;
};
const names = ['a', 'b', 'c', 'd', 'e', 'f'];
beforeEach(async () => {
  database = await migratedDatabase();
  await insertServers(database.db, names);
  machines = openMachines();
  isKilling = false;
});
afterEach(async () => {
  const ending = processes.splice(0).map((one) => one[Symbol.asyncDispose]());
  if (!isKilling) await Promise.all(ending);
  await database[Symbol.asyncDispose]();
});

const granted = (result: ModWave | Refusal): ModWave => {
  if (isRefusal(result)) throw new Error(result.refused);
  return result;
};
const begin = async (
  waves: Waves,
  servers: readonly string[],
  wish: WaveRequest['wish'] = update,
  key = 'key',
) => granted(await waves.begin({ servers: [...servers], wish }, key, by));
const read = async (waves: Waves): Promise<ModWave> => {
  const [wave] = (await waves.page({ limit: 10 }, desktop)).rows;
  if (!wave) throw new Error('no wave');
  return wave;
};
const until = (waves: Waves, state: ModWave['state']) =>
  eventually(async () => {
    const wave = await read(waves);
    expect(wave.state).toBe(state);
    return wave;
  });
const begunUntil = (expected: readonly string[]) =>
  eventually(() => expect([...machines.begun].sort()).toEqual([...expected].sort()));
const told = async () =>
  (
    await database.db
      .selectFrom('event_logs')
      .select(['kind', 'payload'])
      .where('kind', 'like', 'mods.wave%')
      .execute()
  ).map(({ kind, payload }) => [kind, payload]);

// Guarantee: the first server goes alone, the others once it is proven, with its set and at most three at a time; the end is
// reported once.
test('a wave from its first server to its last', async () => {
  const [waves, other] = [await open(), await open()];
  const wave = await begin(waves, names);
  await begunUntil(['a']);
  machines.end('a', 'done');
  await begunUntil(['a', 'b', 'c', 'd']);
  expect((await read(other)).state).toBe('others');
  machines.end('c', 'done', 'down');
  await begunUntil(['a', 'b', 'c', 'd', 'e']);
  for (const name of ['b', 'd', 'e']) machines.end(name, 'done');
  await begunUntil(names);
  machines.end('f', 'done');
  const ended = await until(waves, 'done');
  expect(ended.id).toBe(wave.id);
  expect(ended.servers.map(({ job }) => job?.state)).toEqual(names.map(() => 'done'));
  expect(names.map((name) => machines.upon.get(name)?.gameVersion)).toEqual([
    undefined,
    ...Array(5).fill('a'),
  ]);
  expect(await told()).toEqual([['mods.wave-done', { by: 'Owner', changed: 6, blocked: 0 }]]);
  expect((await begin(other, names)).id).toBe(wave.id);
  expect(await waves.begin({ servers: ['a'], wish: update }, 'key', by)).toMatchObject({
    refused: 'IDEMPOTENCY_MISMATCH',
  });
});

// Guarantee: a first server that does not come up, or shows nothing, leaves all others unchanged, with the reason.
test.each([
  ['failed', 'failed', 'It crashed after 12 s.', /^a: It crashed/],
  ['unknown', 'failed', '', /^a: The game did not start/],
  ['cancelled', 'failed', '', /^a: The change was cancelled/],
  ['done', 'down', '', /^a: .*was not running/],
] as const)('a first server that %s with its game %s', async (state, health, detail, expected) => {
  const waves = await open();
  await begin(waves, ['a', 'b', 'c']);
  await begunUntil(['a']);
  machines.end('a', state, health, detail);
  const wave = await until(waves, 'stopped');
  expect(wave.detail).toMatch(expected);
  expect(machines.begun).toEqual(['a']);
  expect(await told()).toMatchObject([['mods.wave-stopped', { name: 'a', left: 2 }]]);
});

// Guarantee: a later server that fails keeps further ones from beginning, and running ones are waited for.
test('a later server that fails', async () => {
  const waves = await open();
  await begin(waves, names);
  await begunUntil(['a']);
  machines.end('a', 'done');
  await begunUntil(['a', 'b', 'c', 'd']);
  machines.end('b', 'failed', 'failed', 'It crashed.');
  machines.end('c', 'done');
  await eventually(async () => expect((await read(waves)).servers[2]?.job?.state).toBe('done'));
  expect((await read(waves)).state).toBe('others');
  machines.end('d', 'done');
  expect((await until(waves, 'stopped')).detail).toBe('b: It crashed.');
  expect(machines.begun).toHaveLength(4);
});

// Guarantee: the wave waits for an agent that is away; a server that has nothing to do or cannot be begun is skipped and reported.
test('servers that are not begun', async () => {
  const waves = await open();
  let isAway = true;
  machines.plans.set('a', async () => planOf('a', [], []));
  machines.plans.set('b', async () => (isAway ? refuse('MODS_AGENT_AWAY') : planOf('b')));
  machines.plans.set('c', async () => planOf('c', [fault('CONFLICT')]));
  machines.plans.set('d', async () => refuse('MODS_NOT_ALLOWED'));
  await begin(waves, ['a', 'b', 'c', 'd']);
  await eventually(async () => expect((await read(waves)).servers[1]?.detail).toMatch(/Game Agent/));
  expect([(await read(waves)).state, machines.begun]).toEqual(['first', []]);
  isAway = false;
  await database.pool.query('update mod_wave_servers set next_try_at = now()');
  await begunUntil(['b']);
  machines.end('b', 'done');
  const wave = await until(waves, 'done');
  expect(wave.servers).toMatchObject([
    { job: null, detail: null },
    { job: { state: 'done' } },
    { job: null, faults: [{ code: 'CONFLICT' }] },
    { job: null },
  ]);
  expect(wave.servers[3]?.detail).toMatch(/does not allow Castellan to change mods/);
  expect(await told()).toEqual([['mods.wave-done', { by: 'Owner', changed: 1, blocked: 2 }]]);
});

// Guarantee: once a wave is cancelled no further server begins; a running one ends by itself.
test('a wave that is cancelled', async () => {
  const waves = await open();
  const wave = await begin(waves, ['a', 'b']);
  await begunUntil(['a']);
  expect(granted(await waves.cancel(wave.id, by)).state).toBe('cancelled');
  machines.end('a', 'done');
  const next = await begin(waves, ['c'], update, 'another');
  await begunUntil(['a', 'c']);
  machines.end('c', 'done');
  await until(waves, 'done');
  expect(machines.begun).toEqual(['a', 'c']);
  expect(granted(await waves.cancel(next.id, by)).state).toBe('done');
});

// Guarantee: an API that dies while planning, or before it learns that a job was begun, leaves a wave that the next one
// advances, and no server begins twice.
test('killed in the midst', async () => {
  isKilling = true;
  machines.plans.set('a', () => never);
  const first = await open();
  await begin(first, ['a', 'b', 'c']);
  machines.plans.delete('a');
  machines.killAfterBegin(true);
  const second = await open();
  await begunUntil(['a']);
  machines.killAfterBegin(false);
  const third = await open();
  machines.end('a', 'done');
  await begunUntil(['a', 'b', 'c']);
  machines.end('b', 'done');
  machines.end('c', 'done');
  await until(third, 'done');
  expect([...machines.begun].sort()).toEqual(['a', 'b', 'c']);
  expect(await told()).toHaveLength(1);
  expect((await read(second)).state).toBe('done');
});

// Guarantee: permissions are checked when a server begins, not when the wave was requested.
test('an admin who loses the right', async () => {
  await database.pool.query(
    `insert into roles (id, name, name_key, permissions) values ('r', 'r', 'r', '{mods.read,mods.write}')`,
  );
  await database.pool.query(
    `insert into admins (id, name, name_key, password_hash, role) values ('ada', 'Ada', 'ada', '', 'r')`,
  );
  const ada = { actor: { ...testOwner, id: 'ada', name: 'Ada' }, address: '::1' };
  const waves = await open();
  granted(await waves.begin({ servers: ['a', 'b'], wish: update }, null, ada));
  await begunUntil(['a']);
  await database.pool.query(`update roles set permissions = '{mods.read}'`);
  machines.end('a', 'done');
  const wave = await until(waves, 'done');
  expect(wave.servers[1]).toMatchObject({
    job: null,
    detail: 'Ada can no longer change the mods of this server.',
  });
  expect(machines.begun).toEqual(['a']);
});

// Guarantee: every server gets the set that the first one proved, and no later version of it.
test('a set that changes in the midst', async () => {
  const sets = createModSets(database.db);
  const draft = { name: 'Survival', game: 'minecraft', items: [] } as const;
  const set = await sets.create({ ...draft, items: [] }, by);
  if (isRefusal(set)) throw new Error(set.refused);
  const waves = await open();
  await begin(waves, ['a', 'b'], { do: 'set', set: set.id, removeOthers: false });
  await begunUntil(['a']);
  await sets.change(set.id, { ...draft, items: [], version: 1 }, by);
  machines.end('a', 'done');
  const wave = await until(waves, 'done');
  expect(wave.servers[1]?.job).toBeNull();
  expect(wave.servers[1]?.detail).toMatch(/set was changed/);
});

// Guarantee: an admin who may see one server sees no other server of a wave, and may not begin or cancel a wave that goes beyond it.
test('rights for one server', async () => {
  const waves = await open();
  const wave = await begin(waves, ['a', 'b']);
  const actor: Actor = {
    ...desktop,
    permissions: new Set(),
    serverPermissions: new Map([['b', new Set(['mods.read', 'mods.write'] as const)]]),
  };
  const seen = await waves.page({ limit: 10 }, actor);
  expect(seen.rows.map(({ servers }) => servers.map(({ serverId }) => serverId))).toEqual([['b']]);
  expect(await waves.cancel(wave.id, { actor, address: '' })).toMatchObject({ refused: 'FORBIDDEN' });
  expect(
    await waves.begin({ servers: ['b', 'a'], wish: update }, null, { actor, address: '' }),
  ).toMatchObject({ refused: 'FORBIDDEN' });
  const stranger: Actor = { ...actor, serverPermissions: new Map([['c', new Set(['mods.read'] as const)]]) };
  expect((await waves.page({ limit: 10 }, stranger)).rows).toEqual([]);
});

// Guarantee: a wave that has waited for an agent for more than a day begins nothing any more.
test('an agent that stays away', async () => {
  const waves = await open();
  machines.plans.set('a', async () => refuse('MODS_AGENT_AWAY'));
  await begin(waves, ['a', 'b']);
  await eventually(async () => expect((await read(waves)).servers[0]?.detail).toMatch(/Game Agent/));
  await database.pool.query(`update mod_waves set requested_at = now() - interval '25 hours'`);
  await database.pool.query('update mod_wave_servers set next_try_at = now()');
  expect((await until(waves, 'stopped')).detail).toBe('a: It did not start within 24 hours.');
  expect(machines.begun).toEqual([]);
});
