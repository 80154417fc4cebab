import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ModWave } from '#contracts/mods/mods.ts';
import { modsHttp } from '#contracts/mods/mods-http.ts';
import type { InstalledMod, ModsList } from '#contracts/servers/agent-mods.ts';
import { eventually } from '#harness/eventually.ts';
import { type ModSources, openModSources } from '#simulators/mod-sources/mod-sources.ts';
import { apiDatabase } from '../../kernel/testing/api-database.ts';
import { call, newServer } from '../../kernel/testing/call.ts';
import { testDesktopCredential as as, startTestApi, type TestApi } from '../../kernel/testing/test-api.ts';
import { whenInUse } from '../../kernel/testing/when-in-use.ts';
import { changedTo, joinModsAgent, type ModsAgent } from '../testing/mods-agent.ts';
import { emptyList } from '../testing/sample-mods.ts';

const owned = new AsyncDisposableStack();
let sources: ModSources;
let api: TestApi;

beforeAll(async () => {
  sources = owned.use(await openModSources());
  const { url } = owned.use(await apiDatabase());
  api = owned.use(
    await startTestApi({ databaseUrl: url, workers: [], modSourceUrls: { modrinth: sources.modrinthUrl } }),
  );
  await whenInUse(api);
});
afterAll(() => owned.disposeAsync());

const alpha = (...versions: string[]) =>
  sources.catalogue.put({
    source: 'modrinth',
    id: 'ALPHA001',
    name: 'Alpha',
    versions: versions.map((id) => ({ id, changelog: `What is new in ${id}` })),
  });
const installed: InstalledMod = {
  key: 'modrinth:ALPHA001',
  source: 'modrinth',
  project: 'ALPHA001',
  version: 'alphav01',
  name: 'Alpha',
  versionName: '1.0.0',
  form: 'file',
  folder: 'mods',
  byName: 'Ada',
  file: {
    name: 'alpha-1.jar',
    bytes: 10,
    hashes: {},
    from: { kind: 'address', url: 'https://files.example/alpha-1.jar', key: null },
  },
  since: '2026-01-01T00:00:00Z',
  files: [{ path: 'mods/alpha-1.jar', bytes: 10 }],
  fileCount: 1,
  changedFiles: [],
  metadata: null,
};
const join = async (more: Partial<ModsList> = {}) => {
  const id = await newServer(api.port);
  const agent = await joinModsAgent(api.port, id, {
    list: { ...emptyList, installed: [installed], ...more },
  });
  await eventually(async () => {
    const { json } = await call(api.port, modsHttp.read, { as, params: { serverId: id } });
    expect(json).toMatchObject({ obstacle: null, list: { revision: 1 } });
  });
  return { id, agent };
};
const begin = async (...servers: string[]): Promise<ModWave> => {
  const begun = await call(api.port, modsHttp.beginWave, {
    as,
    body: { servers, wish: { do: 'update-all' } },
  });
  expect(begun.status, begun.text).toBe(200);
  return begun.json as unknown as ModWave;
};
const until = (id: string, state: ModWave['state']) =>
  eventually(async () => {
    const { json } = await call(api.port, modsHttp.waves, { as });
    const wave = (json.rows as ModWave[]).find((row) => row.id === id);
    expect(wave).toMatchObject({ state });
    return wave;
  });
const versionsOf = async (agent: ModsAgent) => {
  const task = await agent.nextChange();
  return { task, versions: task.change.put.map(({ version }) => version) };
};

// Guarantee: what is published after the first server was begun reaches no later server of the wave; one that runs something
// else stays unchanged, and the wave says so.
test('a version that appears in the midst of a wave', async () => {
  alpha('alphav01', 'alphav02');
  const [first, second, other] = [await join(), await join(), await join({ gameVersion: '1.20.1' })];
  using _first = first.agent;
  using _second = second.agent;
  using _other = other.agent;
  const { id } = await begin(first.id, second.id, other.id);
  const ofFirst = await versionsOf(first.agent);
  alpha('alphav01', 'alphav02', 'alphav03');
  first.agent.finish(ofFirst.task);
  const ofSecond = await versionsOf(second.agent);
  expect([ofFirst.versions, ofSecond.versions]).toEqual([['alphav02'], ['alphav02']]);
  second.agent.finish(ofSecond.task);
  const wave = await until(id, 'done');
  expect(wave?.servers[2]).toMatchObject({ job: null, faults: [{ code: 'OTHER_THAN_PROVEN' }] });
  expect(other.agent.changes).toEqual([]);
  // For many servers it is the same many times over; each has it with its own job.
  expect(wave?.servers[0]?.job?.lines).toMatchObject([{ key: installed.key, to: '1.0.1', changelog: null }]);
  const { json } = await call(api.port, modsHttp.jobs, { as, params: { serverId: first.id } });
  expect(json.rows).toMatchObject([
    { lines: [{ key: installed.key, changelog: 'What is new in alphav02' }] },
  ]);
});

// Guarantee: a wave that is cancelled while its first server is running begins no other; the first job runs to its end, and
// its record says how it ended.
test('cancelled while the first server is under way', async () => {
  alpha('alphav01', 'alphav02');
  const [first, second] = [await join(), await join()];
  using _first = first.agent;
  using _second = second.agent;
  const { id } = await begin(first.id, second.id);
  const { task } = await versionsOf(first.agent);
  const cancelled = await call(api.port, modsHttp.cancelWave, { as, params: { id } });
  expect(cancelled.json).toMatchObject({
    state: 'cancelled',
    servers: [{ job: { state: 'running' } }, { job: null }],
  });
  expect(first.agent.power.cancelled).toEqual([]);
  first.agent.finish(task);
  const wave = await eventually(async () => {
    const now = await until(id, 'cancelled');
    expect(now?.servers[0]?.job).toMatchObject({ state: 'done', result: changedTo(2) });
    return now;
  });
  expect(wave?.servers[1]?.job).toBeNull();
  // The same pass advances a later wave: had the cancelled one continued, it would have by now.
  const next = await begin(second.id);
  const ofNext = await versionsOf(second.agent);
  second.agent.finish(ofNext.task);
  await until(next.id, 'done');
  expect(second.agent.changes).toHaveLength(1);
});
