import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { clustersHttp } from '#contracts/servers/clusters.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { gameId, games } from '#contracts/servers/games.ts';
import { findFreePort } from '#runtime/ports.ts';
import { StartupError } from '#runtime/program.ts';
import { type ApiCaller, signInToApi } from './api-caller.ts';
import { prepareManagedGame } from './managed-game.ts';
import type { DemoPorts } from './ports.ts';
import { hasEnded, type RunningProgram, startFile, startProgram, waitFor } from './program.ts';
import type { DemoStack } from './stack.ts';

/** A simulated game, kept so that the next start in the same data folder finds its server again. */
const demoGame = z.object({
  name: z.string(),
  game: gameId,
  port: z.int(),
  password: z.string(),
  /** The API reaches it through a Game Agent beside it, not directly. */
  hasAgent: z.boolean(),
});
type DemoGame = z.infer<typeof demoGame>;

export interface DemoGameServer extends Pick<DemoGame, 'name' | 'game' | 'port' | 'hasAgent'> {
  readonly id: string;
}

export interface DemoGames extends AsyncDisposable {
  readonly servers: readonly DemoGameServer[];
  readonly pids: Readonly<Record<string, number>>;
}

/** One for each game. */
const wanted: readonly Pick<DemoGame, 'name' | 'game' | 'hasAgent'>[] = [
  { name: 'The Quarry', game: 'minecraft', hasAgent: true },
  { name: 'Fjordland', game: 'ark-asa', hasAgent: false },
  { name: 'Navezgane', game: 'seven-days-to-die', hasAgent: false },
  { name: 'Old Island', game: 'ark-se', hasAgent: false },
  { name: 'Palpagos', game: 'palworld', hasAgent: false },
];
const clusterName = 'Demo';
const simulatorFile = resolve(import.meta.dirname, '../../tests/simulators/main.ts');

/** The simulated games that no agent starts, before any API knows them. */
interface DemoSimulators extends AsyncDisposable {
  readonly folder: string;
  readonly chosen: readonly DemoGame[];
  /** By game. */
  readonly programs: ReadonlyMap<string, RunningProgram>;
}

/**
 * @param base free ports are taken from this one upwards; null: from each game's usual port
 * @param ports what the demo itself will use
 */
export const startDemoSimulators = async (
  home: string,
  base: number | null,
  ports: DemoPorts,
): Promise<DemoSimulators> => {
  await using starting = new AsyncDisposableStack();
  const folder = join(home, 'games');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const chosen = await keptGames(join(folder, 'games.json'), base, ports);
  const programs = new Map<string, RunningProgram>();
  starting.defer(async () => {
    await Promise.all([...programs.values()].map((program) => program[Symbol.asyncDispose]()));
  });
  for (const simulated of chosen.filter(({ hasAgent }) => !hasAgent))
    programs.set(simulated.game, startSimulator(simulated, folder));
  const owned = starting.move();
  return { folder, chosen, programs, [Symbol.asyncDispose]: () => owned.disposeAsync() };
};

/** One simulated server of each game, all known to the API, and a Game Agent beside one of them. */
export const startDemoGames = async ({
  simulators,
  isKept,
  stack,
  stopping,
}: {
  readonly simulators: DemoSimulators;
  /** Whether the data folder stays for another start. */
  readonly isKept: boolean;
  readonly stack: Pick<DemoStack, 'apiUrl' | 'admin' | 'agentSecret'>;
  readonly stopping?: AbortSignal | undefined;
}): Promise<DemoGames> => {
  await using starting = new AsyncDisposableStack();
  const { folder, chosen } = simulators;
  const programs = new Map(simulators.programs);
  const demandAlive = () => {
    for (const [name, program] of programs)
      if (hasEnded(program)) throw new StartupError(`${name} ended: ${program.lastWords()}`);
  };
  const api = await signInToApi(stack);
  const servers = await enterServers(api, chosen);
  const heldPids: Record<string, number> = {};
  for (const server of servers.filter(({ hasAgent }) => hasAgent)) {
    const { password } = chosen.find(({ name }) => name === server.name) ?? { password: '' };
    const passwordFile = join(folder, 'password.txt');
    await writeFile(passwordFile, password, { mode: 0o600 });
    const held = await prepareManagedGame({
      api,
      serverId: server.id,
      folder,
      command: [
        process.execPath,
        ...[simulatorFile, ...simulatorArguments(server, folder)],
        ...['--password-file', passwordFile, '--ends-with', String(process.pid), '--echo'],
      ],
    });
    const config = {
      apiUrl: stack.apiUrl,
      useWebSocket: true,
      serverId: server.id,
      secret: stack.agentSecret,
      game: server.game,
      console: { host: '127.0.0.1', port: server.port, password },
      logFile: logFileOf(server, folder),
      server: held.server,
    };
    const file = join(folder, 'config.json');
    await writeFile(file, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 });
    starting.defer(held.end);
    const agent = starting.use(startProgram('agent', ['--config', file], {}, join(folder, 'agent.out')));
    programs.set('agent', agent);
    // How the game ended does not matter when its data folder is deleted. What is not stopped this way is ended below.
    if (isKept) starting.defer(() => held.stop().catch(() => undefined));
    const look = async () => {
      demandAlive();
      const pid = await held.start();
      if (pid === null) return null;
      heldPids[server.game] = pid;
      return areOnline(api, servers);
    };
    await waitFor(agent, 'all game servers were online', look, stopping);
  }
  const startedPids = [...programs].map(([name, { process }]) => [name, process.pid ?? 0]);
  const pids = { ...Object.fromEntries(startedPids), ...heldPids };
  const owned = starting.move();
  return { servers, pids, [Symbol.asyncDispose]: () => owned.disposeAsync() };
};

const logFileOf = ({ game }: Pick<DemoGame, 'game'>, folder: string): string => join(folder, `${game}.log`);

const simulatorArguments = (
  simulated: Pick<DemoGame, 'game' | 'port'>,
  folder: string,
): readonly string[] => {
  const { game, port } = simulated;
  const args = ['--game', game, '--port', String(port), '--players', '3', '--busy'];
  return [...args, '--log-file', logFileOf(simulated, folder)];
};

/** The password is passed in the environment, since every account on the machine can read arguments. */
const startSimulator = (simulated: DemoGame, folder: string): RunningProgram => {
  const { game, password } = simulated;
  const args = simulatorArguments(simulated, folder);
  return startFile(simulatorFile, args, { GAME_PASSWORD: password }, join(folder, `${game}.out`));
};

const keptGames = async (file: string, base: number | null, ports: DemoPorts): Promise<DemoGame[]> => {
  const kept = await readFile(file, 'utf8').catch(() => null);
  // An earlier version simulated fewer games.
  const chosen = kept === null ? [] : z.array(demoGame).parse(JSON.parse(kept));
  const missing = wanted.filter(({ game }) => !chosen.some((one) => one.game === game));
  const taken = new Set([...Object.values(ports), ...chosen.map(({ port }) => port)]);
  for (const server of missing) {
    const port = await freePortFrom(base ?? games[server.game].defaultPort, taken);
    taken.add(port);
    chosen.push({ ...server, port, password: randomBytes(12).toString('base64url') });
  }
  if (missing.length > 0) await writeFile(file, JSON.stringify(chosen), { mode: 0o600 });
  return chosen;
};

const freePortFrom = async (first: number, taken: ReadonlySet<number>): Promise<number> => {
  const port = await findFreePort(first);
  if (port === null) throw new StartupError(`No port from ${first} on is free.`);
  return taken.has(port) ? freePortFrom(port + 1, taken) : port;
};

/** Creates those that the API does not know yet. */
const enterServers = async (api: ApiCaller, chosen: readonly DemoGame[]): Promise<DemoGameServer[]> => {
  const clusters = await api.call(clustersHttp.list);
  const cluster =
    clusters.rows.find(({ name }) => name === clusterName) ??
    (await api.call(clustersHttp.create, { name: clusterName, description: 'Simulated game servers.' }));
  const { rows: known } = await api.call(gameServersHttp.list);
  const entered: DemoGameServer[] = [];
  for (const { name, game, port, password, hasAgent } of chosen) {
    const reach = hasAgent ? { host: null, port } : { host: '127.0.0.1', port, password };
    const { id } =
      known.find((server) => server.name === name) ??
      (await api.call(gameServersHttp.create, { clusterId: cluster.id, name, game, ...reach }));
    entered.push({ id, name, game, port, hasAgent });
  }
  return entered;
};

const areOnline = async (api: ApiCaller, servers: readonly DemoGameServer[]): Promise<true | null> => {
  const { rows } = await api.call(gameServersHttp.list);
  const online = new Set(rows.filter(({ status }) => status.state === 'online').map(({ id }) => id));
  return servers.every(({ id }) => online.has(id)) ? true : null;
};
