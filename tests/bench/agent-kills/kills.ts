import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { gameAgentStatus, healthHttp } from '#contracts/operations/health.ts';
import { type ConsoleEntry, consoleHttp } from '#contracts/servers/console.ts';
import { startAgentBeside } from '#harness/agent-beside.ts';
import { eventually } from '#harness/eventually.ts';
import { replayJournal } from '../../../agent/journal/replay-journal.ts';
import { startMinecraft } from '../../simulators/minecraft-simulator.ts';
import { randomOf } from '../harness/seeded-random.ts';

export interface KillsOptions {
  /** Calls the API as its owner. */
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>;
  readonly apiUrl: string;
  /** GAME_AGENT_SECRET. */
  readonly secret: string;
  /** Minecraft servers, each of which gets a game and an agent. */
  readonly serverIds: readonly string[];
  /** Holds the agents' state. */
  readonly folder: string;
  readonly kills: number;
  readonly commands: number;
  readonly seed: number;
  readonly say: (line: string) => void;
}

export interface KillsOutcome {
  readonly commands: number;
  readonly kills: number;
  /** How often each outcome was reported to the callers of the commands. */
  readonly told: Readonly<Record<string, number>>;
  readonly ranTwice: number;
  readonly toldUnknown: readonly string[];
  readonly toldUnknownButRan: number;
  readonly toldAnsweredButNotRun: number;
  /** Commands whose outcome the agents themselves did not know when they came back. */
  readonly doubted: readonly string[];
  /** Commands that are still unknown in the history at the end. */
  readonly historyUnknown: readonly string[];
  readonly historyRevised: number;
}

/** The API accepts this many concurrent runs of one actor. */
const runsAtOnce = 10;
const commandTimeoutMs = 60_000;
const connectMs = 60_000;
const settleTries = 20;
const signals = ['SIGKILL', 'SIGTERM'] as const;

/** Sends commands without a pause while the agents, real processes, are killed at random instants and started again. */
export const runKills = async (options: KillsOptions): Promise<KillsOutcome> => {
  const { fetch, serverIds, commands, kills, say } = options;
  const random = randomOf(options.seed);
  await using owned = new AsyncDisposableStack();
  const hosts = new Map<string, Awaited<ReturnType<typeof startHost>>>();
  for (const serverId of serverIds) hosts.set(serverId, owned.use(await startHost(options, serverId)));
  const allConnected = () =>
    eventually(async () => {
      const { connected } = gameAgentStatus.parse(await (await fetch(healthHttp.gameAgent.path)).json());
      if (connected < serverIds.length) throw new Error(`${connected} agents are connected`);
    }, connectMs);
  await allConnected();

  const runs = Math.ceil(commands / serverIds.length);
  const entries: ConsoleEntry[] = [];
  let begun = 0;
  let killed = 0;
  const killOne = async () => {
    const serverId = serverIds[Math.floor(random() * serverIds.length)] ?? '';
    const signal = signals[Math.floor(random() * signals.length)] ?? 'SIGKILL';
    await delay(random() * 300);
    await hosts.get(serverId)?.restart(signal);
    killed += 1;
    say(`${begun * serverIds.length} commands, ${killed} kills`);
  };
  let killing: Promise<void> = Promise.resolve();
  const giveCommands = async () => {
    while (begun < runs) {
      const number = begun;
      begun += 1;
      // Spread over the whole run, one after another.
      const due = Math.floor((begun * kills) / runs) - Math.floor((number * kills) / runs);
      for (let index = 0; index < due; index += 1) killing = killing.then(killOne);
      entries.push(...(await giveCommand(fetch, serverIds, `say number ${number}`)));
      if (due > 0) await killing;
      // A command to an agent that is known to be away is refused immediately and proves nothing.
      await allConnected();
    }
  };
  await Promise.all(Array.from({ length: runsAtOnce }, giveCommands));
  await killing;

  const doubted = [...hosts.values()].flatMap((host) => [...host.doubted]);
  // Results may still be on their way; if they never arrive, this run shows it.
  let inTheEnd = await readHistory(fetch, serverIds);
  for (let tries = 0; tries < settleTries && !isSettled(inTheEnd, doubted); tries += 1) {
    await delay(1000);
    inTheEnd = await readHistory(fetch, serverIds);
  }
  const ranOf = ({ serverId, command }: ConsoleEntry) => hosts.get(serverId)?.ran(command) ?? 0;
  const toldUnknown = entries.filter(({ outcome }) => outcome === 'unknown');
  return {
    commands: entries.length,
    kills: killed,
    told: Object.fromEntries(
      Object.entries(Object.groupBy(entries, ({ outcome }) => String(outcome))).map(([outcome, those]) => [
        outcome,
        those?.length ?? 0,
      ]),
    ),
    ranTwice: entries.filter((entry) => ranOf(entry) > 1).length,
    toldUnknown: toldUnknown.map(agentIdOf).toSorted(),
    toldUnknownButRan: toldUnknown.filter((entry) => ranOf(entry) > 0).length,
    toldAnsweredButNotRun: entries.filter((entry) => entry.outcome === 'answered' && ranOf(entry) === 0)
      .length,
    doubted: doubted.toSorted(),
    historyUnknown: inTheEnd
      .filter(({ outcome }) => outcome === 'unknown')
      .map(agentIdOf)
      .toSorted(),
    historyRevised: inTheEnd.filter(({ revised }) => revised !== undefined).length,
  };
};

const isSettled = (history: readonly ConsoleEntry[], doubted: readonly string[]): boolean =>
  history.every(
    (entry) => entry.outcome !== null && (entry.outcome !== 'unknown' || doubted.includes(agentIdOf(entry))),
  );

const agentIdOf = ({ id }: ConsoleEntry): string => `console-${id}`;

const giveCommand = async (
  fetch: KillsOptions['fetch'],
  serverIds: readonly string[],
  command: string,
): Promise<ConsoleEntry[]> => {
  const response = await fetch(consoleHttp.run.path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ serverIds, command, timeoutMs: commandTimeoutMs }),
  });
  const answer: unknown = await response.json();
  if (!response.ok) throw new Error(JSON.stringify(answer));
  return consoleHttp.run.response.parse(answer).entries;
};

const readHistory = async (
  fetch: KillsOptions['fetch'],
  serverIds: readonly string[],
): Promise<ConsoleEntry[]> => {
  const rows: ConsoleEntry[] = [];
  for (const serverId of serverIds)
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query = new URLSearchParams({ serverId, limit: '100', ...(cursor && { cursor }) });
      const response = await fetch(`${consoleHttp.history.path}?${query}`);
      const page = consoleHttp.history.response.parse(await response.json());
      rows.push(...page.rows);
      cursor = page.nextCursor;
    }
  return rows;
};

/** A game and its agent. */
const startHost = async ({ apiUrl, secret, folder }: KillsOptions, serverId: string) => {
  await using owned = new AsyncDisposableStack();
  const game = owned.use(await startMinecraft({ quirks: { replyDelayMs: 40 } }));
  const { port, password } = game;
  const agent = owned.use(
    await startAgentBeside({
      apiUrl,
      serverId,
      secret,
      game: 'minecraft',
      console: { port, password },
      folder,
    }),
  );
  /** Read by each process at its start, since the journal forgets commands whose result the API has accepted. */
  const doubted = new Set<string>();
  const stack = owned.move();
  return {
    ran: (command: string) => game.world.commands.filter((given) => given === command).length,
    doubted,
    restart: (signal: NodeJS.Signals) =>
      agent.restart(signal, async () => {
        const journal = await readFile(join(agent.stateFolder, 'commands.journal'), 'utf8');
        for (const id of replayJournal(journal).unknownIds) doubted.add(id);
      }),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
};
