import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect } from 'vitest';
import { auditHttp } from '#contracts/kernel/audit.ts';
import { eventsHttp } from '#contracts/kernel/events.ts';
import type { Endpoint } from '#contracts/kernel/http.ts';
import type { ChangeWish, ModsJob, ModsPlan, ServerMods } from '#contracts/mods/mods.ts';
import { modsHttp } from '#contracts/mods/mods-http.ts';
import { powerHttp, type ServerPower } from '#contracts/servers/power.ts';
import { builtProgram } from '#harness/built-program.ts';
import { eventually } from '#harness/eventually.ts';
import { type ApiProcess, type Installation, install } from '#harness/installation.ts';
import { freePort } from '#harness/ports.ts';
import { fabricMod } from '#simulators/mod-sources/mod-files.ts';
import { type ModSources, openModSources } from '#simulators/mod-sources/mod-sources.ts';
import { readHolderRecord } from '../../../agent/power/holder/holder-record.ts';
import { killFamily } from '../../../agent/power/process/game-family.ts';
import { type AgentProcess, startAgentFrom, writeConfig } from '../../../agent/testing/agent-process.ts';
import { sqlSession } from '../../../server/kernel/testing/sql.ts';

const agentProgram = builtProgram('agent', resolve(import.meta.dirname, '../../../agent/main.ts'));

export const patientMs = 90_000;
const password = 'the console of the game';
const game = resolve(import.meta.dirname, '../../mods-kills/modded-game.ts');

/** A running Fabric game with its agent, each a separate process. */
export interface ModdedServer {
  readonly id: string;
  readonly mods: string;
  agent(): AgentProcess;
  startAgent(): void;
  killAgent(): Promise<void>;
  /** The names of the files that are in the folder for mods. */
  files(): Promise<string[]>;
  /** The files with which the game was last started. */
  loaded(): Promise<string[]>;
  read(): Promise<ServerMods>;
  plan(...wishes: ChangeWish[]): Promise<ModsPlan>;
  begin(plan: ModsPlan, more?: object, key?: string): Promise<ModsJob>;
  /** Waits until the job has ended. */
  ended(job: { readonly id: string }): Promise<ModsJob>;
  job(id: string): Promise<ModsJob>;
  run(...wishes: ChangeWish[]): Promise<ModsJob>;
  /** Waits until its console answers and the game has loaded the current files. */
  isUp(): Promise<void>;
}

export interface ModdedStack extends AsyncDisposable {
  readonly installation: Installation;
  readonly sources: ModSources;
  readonly servers: readonly ModdedServer[];
  /** Sends a request, without a body if none is given. @throws unless the status is 200 */
  call<Answer>(
    endpoint: Endpoint,
    params?: Readonly<Record<string, string>>,
    body?: unknown,
    key?: string,
  ): Promise<Answer>;
  /** Returns the answer for any status. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  killApi(): Promise<void>;
  startApi(): Promise<void>;
  /** Kinds of events about mods, the oldest first. */
  told(): Promise<string[]>;
  audited(): Promise<{ readonly action: string; readonly after: Record<string, unknown> }[]>;
}

/** A simulated game is ready within seconds. */
export const watch = { readySeconds: 30, watchSeconds: 0 };

export const openModdedStack = async (ids: readonly string[]): Promise<ModdedStack> => {
  await using opening = new AsyncDisposableStack();
  const sources = opening.use(await openModSources());
  await stock(sources);
  const installation = opening.use(await install(sources.env));
  await using sql = await sqlSession(installation.databaseUrl);
  await sql.query(`insert into clusters (id, name, name_key, description) values ('c', 'c', 'c', '')`);
  await sql.query(
    `insert into game_servers (id, cluster_id, name, name_key, game, port)
     select id, 'c', id, id, 'minecraft', 25575 from unnest($1::text[]) as id`,
    [ids],
  );
  let api: ApiProcess = await installation.startApi();
  const killApi = async () => {
    const gone = new Promise((done) => api.process.once('exit', done));
    api.process.kill('SIGKILL');
    await gone;
  };
  const call: ModdedStack['call'] = async (endpoint, params = {}, body, key) => {
    const names = /:(\w+)/g;
    const path = endpoint.path.replace(names, (_, name: string) => encodeURIComponent(params[name] ?? ''));
    const query = Object.entries(params).filter(([name]) => !endpoint.path.includes(`:${name}`));
    const answer = await api.fetch(`${path}?${new URLSearchParams(query)}`, {
      method: endpoint.method,
      headers: { 'Content-Type': 'application/json', ...(key && { 'Idempotency-Key': key }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${endpoint.method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text);
  };
  const rowsOf = async <Row>(endpoint: Endpoint) =>
    (await call<{ rows: Row[] }>(endpoint, { limit: '200' })).rows;

  const servers: ModdedServer[] = [];
  for (const id of ids) servers.push(await openServer(opening, { id, installation, sources, call }));
  await Promise.all(servers.map((server) => startGame(server, call)));
  const owned = opening.move();
  return {
    installation,
    sources,
    servers,
    call,
    killApi,
    fetch: (path, init) => api.fetch(path, init),
    async startApi() {
      api = await installation.startApi();
    },
    async told() {
      const rows = await rowsOf<{ kind: string }>(eventsHttp.list);
      return rows
        .map(({ kind }) => kind)
        .filter((kind) => kind.startsWith('mods.'))
        .reverse();
    },
    async audited() {
      const rows = await rowsOf<{ action: string; after: Record<string, unknown> }>(auditHttp.list);
      return rows.filter(({ action }) => /^mods?[.-]/.test(action)).reverse();
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};

const openServer = async (
  opening: AsyncDisposableStack,
  {
    id,
    installation,
    sources,
    call,
  }: { readonly id: string } & Pick<ModdedStack, 'installation' | 'sources' | 'call'>,
): Promise<ModdedServer> => {
  const home = join(installation.home, `machine of ${id}`);
  const [stateFolder, folder] = [join(home, 'agent'), join(home, 'game’s folder')];
  const mods = join(folder, 'mods');
  await Promise.all([stateFolder, mods].map((path) => mkdir(path, { recursive: true })));
  await mkdir(join(folder, 'world'));
  await writeFile(join(folder, 'world/level.dat'), 'world');
  await writeFile(
    join(folder, 'start.sh'),
    'java -jar fabric-server-mc.1.21.1-loader.0.16.9-launcher.1.0.1.jar\n',
  );
  const passwordFile = join(home, 'password');
  await writeFile(passwordFile, password);
  const port = await freePort();
  const { host } = new URL(sources.modrinthUrl);
  const config = await writeConfig(stateFolder, {
    apiUrl: installation.apiUrl,
    serverId: id,
    secret: installation.variables.GAME_AGENT_SECRET,
    game: 'minecraft',
    console: { host: '127.0.0.1', port, password },
    stateFolder,
    mods: { allowHosts: [host] },
    server: {
      folder,
      start: {
        by: 'holder',
        command: [
          ...[process.execPath, game, '--game', 'minecraft', '--port', String(port)],
          ...['--password-file', passwordFile, '--echo'],
        ],
      },
      allow: { power: true, mods: true, files: true },
    },
  });
  const start = () => startAgentFrom(agentProgram, '--config', config);
  let agent = start();
  opening.defer(async () => {
    await agent[Symbol.asyncDispose]();
    const held = await readHolderRecord(join(stateFolder, 'power')).catch(() => null);
    if (held) await killFamily(held);
  });
  const of = { serverId: id };
  const files = async () => (await readdir(mods)).sort();
  const loaded = async (): Promise<string[]> => JSON.parse(await readFile(join(home, 'loaded.json'), 'utf8'));
  const read = () => call<ServerMods>(modsHttp.read, of);
  const plan = (...wishes: ChangeWish[]) => call<ModsPlan>(modsHttp.plan, of, { wishes });
  const begin = ({ id: made }: ModsPlan, more: object = {}, key: string = randomUUID()) =>
    call<ModsJob>(modsHttp.begin, of, { plan: made, watch, ...more }, key);
  const job = async (wanted: string) => {
    const { rows } = await call<{ rows: ModsJob[] }>(modsHttp.jobs, { ...of, limit: '100' });
    const found = rows.find((row) => row.id === wanted);
    if (!found) throw new Error(`no job ${wanted}`);
    return found;
  };
  const ended = ({ id: wanted }: { readonly id: string }) =>
    eventually(async () => {
      const now = await job(wanted);
      if (now.endedAt === null) throw new Error(`${JSON.stringify(now)}\n${agent.stderr().slice(-2000)}`);
      return now;
    }, patientMs);
  return {
    id,
    mods,
    files,
    loaded,
    read,
    plan,
    begin,
    ended,
    job,
    agent: () => agent,
    startAgent() {
      agent = start();
    },
    async killAgent() {
      agent.kill('SIGKILL');
      await agent.exited;
    },
    run: async (...wishes) => ended(await begin(await plan(...wishes))),
    isUp: () =>
      eventually(async () => {
        const { act, process } = await call<ServerPower>(powerHttp.read, of);
        expect([act, process?.report.state]).toEqual([null, 'running']);
        expect(await loaded()).toEqual(await files());
      }, patientMs),
  };
};

const startGame = async (server: ModdedServer, call: ModdedStack['call']) => {
  const of = { serverId: server.id };
  await eventually(() => call(powerHttp.act, of, { action: 'start' }, randomUUID()), patientMs);
  await server.isUp();
  await eventually(
    async () => expect(await server.read()).toMatchObject({ obstacle: null, list: { revision: 0 } }),
    patientMs,
  );
};

/** Alpha needs the library; the game does not start with Crash. */
const stock = async ({ catalogue }: ModSources) => {
  const version = async (id: string, number: string) => ({
    id: `${id}v${number}00`,
    number: `${number}.0.0`,
    fileName: `${id}-${number}.jar`,
    content: await fabricMod({ id: id.toLowerCase(), version: `${number}.0.0` }),
  });
  const put = async (id: string, name: string, needs?: string) =>
    catalogue.put({
      source: 'modrinth',
      id,
      slug: name.toLowerCase(),
      name,
      versions: (await Promise.all([version(name, '1'), version(name, '2')])).map((one) => ({
        ...one,
        dependencies: needs === undefined ? [] : [{ kind: 'required', project: needs }],
      })),
    });
  await put('LIBRARY1', 'Library');
  await put('ALPHA001', 'Alpha', 'LIBRARY1');
  await put('BETA0001', 'Beta');
  await put('CRASH001', 'Crash');
  catalogue.put({
    source: 'curseforge',
    id: '238222',
    slug: 'jei',
    name: 'JEI',
    versions: [
      {
        id: '4001',
        fileName: 'jei-1.jar',
        gameVersions: ['1.21.1', 'Fabric', 'Server'],
        content: await fabricMod({ id: 'jei', version: '1.0.0' }),
      },
    ],
  });
};

export const fromModrinth = (project: string, version: string | null = null): ChangeWish => ({
  do: 'install',
  source: 'modrinth',
  project,
  version,
});
