import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { backupsHttp } from '#contracts/operations/backups.ts';
import { stackControl } from '#contracts/operations/stack.ts';
import type { DemoInfo } from '#harness/demo.ts';
import { eventually } from '#harness/eventually.ts';
import type { Panel } from '#harness/panel.ts';
import type { SmallDisk } from '#harness/small-disk.ts';
import { signalProcess } from '#runtime/live-process.ts';
import { systemEnv } from '#runtime/system-env.ts';
import { callSupervisor } from '../../../electron/control/control-client.ts';
import { from, type Situation } from './situation.ts';

const freezeMs = 200;
/** Postgres may have stopped. */
const backMs = 60_000;

const signal = (info: DemoInfo, name: string, kind: NodeJS.Signals): void => {
  const pid = info.pids[name];
  if (!pid) throw new Error(`the demo has no process called ${name}`);
  process.kill(pid, kind);
};
const frozen = (info: DemoInfo, name: string): Pick<Situation, 'plant' | 'undo'> => ({
  plant: async () => signal(info, name, 'SIGSTOP'),
  undo: async () => signal(info, name, 'SIGCONT'),
});

/** The one who may turn the whole cluster read-only. */
const asSuperuser = async ({ home, databaseUrl }: DemoInfo, ...statements: readonly string[]) => {
  const url = new URL(databaseUrl);
  const password = (await readFile(join(home, 'postgres', 'superuser.password'), 'utf8')).trim();
  const client = new pg.Client({
    host: url.hostname,
    port: Number(url.port),
    user: 'postgres',
    password,
    database: 'postgres',
  });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
};

const simulator = resolve(import.meta.dirname, '../../simulators/main.ts');
/** Starts a simulated game as the demo did. */
const startGame = async ({ home, servers }: DemoInfo, game: string): Promise<Disposable> => {
  const games = JSON.parse(await readFile(join(home, 'games', 'games.json'), 'utf8')) as {
    game: string;
    password: string;
  }[];
  const password = games.find((one) => one.game === game)?.password ?? '';
  const port = servers.find((one) => one.game === game)?.port;
  const child = spawn(
    process.execPath,
    [simulator, '--game', game, '--port', `${port}`, '--players', '3', '--busy'],
    { env: { ...systemEnv(), GAME_PASSWORD: password }, stdio: ['pipe', 'ignore', 'inherit'] },
  );
  return { [Symbol.dispose]: () => void child.kill('SIGKILL') };
};

/** Faults of games and of what stands beside them, which do not disturb each other. */
export const gameFaults = (info: DemoInfo, resources: DisposableStack): readonly Situation[] => {
  const named = (game: string) => info.servers.find((one) => one.game === game)?.name ?? '';
  const about = (name: string) => ({
    overview: new RegExp(name),
    discord: new RegExp(name),
    health: new RegExp(name),
  });
  return [
    {
      name: 'Agent away (SIGSTOP)',
      ...frozen(info, 'agent'),
      about: {
        ...about(named('minecraft')),
        overview: new RegExp(`${named('minecraft')}|Game Agents`),
        badge: /Game Agents|System health/,
        tray: /./,
        status: /agents/,
      },
      promised: {
        overview: from(30),
        badge: from(30),
        tray: from(30),
        health: from(30),
        status: from(30),
        discord: from(30),
      },
    },
    {
      name: 'Game killed',
      plant: async () => signal(info, 'ark-asa', 'SIGKILL'),
      undo: async () => resources.use(await startGame(info, 'ark-asa')),
      about: about(named('ark-asa')),
      promised: { overview: from(30), discord: from(30), health: 'quiet' },
    },
    {
      // Asked twice a minute; 7 Days to Die only once, since each question writes into its log.
      name: 'Game silent (SIGSTOP)',
      ...frozen(info, 'ark-se'),
      about: about(named('ark-se')),
      promised: { overview: from(65), discord: from(65), health: 'quiet' },
    },
  ];
};

/** The game of the agent, which starts it again at once. */
export const crash = (info: DemoInfo): Situation => {
  const name = info.servers.find(({ hasAgent }) => hasAgent)?.name ?? '';
  return {
    name: 'Game of an agent killed, and started again by it',
    plant: async () => {
      const text = await readFile(join(info.home, 'games', 'power', 'holder.json'), 'utf8');
      process.kill((JSON.parse(text) as { game: { pid: number } }).game.pid, 'SIGKILL');
    },
    undo: async () => undefined,
    about: { overview: new RegExp(name), discord: new RegExp(name), health: new RegExp(name) },
    promised: { discord: from(30), health: 'quiet' },
  };
};

/** Its supervisor ends it after half a minute and starts another, which freezes, too. */
export const botFrozen = (info: DemoInfo): Situation => {
  let timer: NodeJS.Timeout | undefined;
  let stopped = 0;
  const freeze = async () => {
    const stack = await callSupervisor(info.home, stackControl.status);
    const pid = stack?.components.find(({ name }) => name === 'bot')?.pid;
    if (!pid || pid === stopped) return;
    process.kill(pid, 'SIGSTOP');
    stopped = pid;
  };
  return {
    name: 'Bot frozen (SIGSTOP, again after each start)',
    async plant() {
      await freeze();
      timer = setInterval(() => void freeze().catch(() => undefined), freezeMs);
    },
    async undo() {
      clearInterval(timer);
      signalProcess(stopped, 'SIGCONT');
    },
    promised: { overview: from(30), tray: from(30), health: from(30), status: from(30) },
  };
};

export const supervisorFrozen = (info: DemoInfo): Situation => ({
  name: 'Supervisor frozen (SIGSTOP)',
  ...frozen(info, 'supervisor'),
  promised: { overview: from(30), health: from(30), status: from(1) },
});

/** @param panel takes the backup that could not be taken meanwhile */
export const diskFull = (disk: SmallDisk, panel: Pick<Panel, 'call'>): Situation => ({
  name: 'Disk full (tmpfs)',
  plant: () => disk.fill(),
  async undo() {
    await disk.clear();
    await eventually(() => panel.call(backupsHttp.take, {}), backMs);
  },
  promised: {
    overview: from(30),
    badge: from(30),
    tray: from(30),
    health: from(5),
    status: from(30),
    discord: from(65),
  },
});

export const discordUnavailable = (info: DemoInfo): Situation => {
  const outage = async (isOver: boolean) => {
    const { url, guildId } = info.discord ?? { url: '', guildId: '' };
    const people = await fetch(`${url}/look?${new URLSearchParams({ channel: '', member: '' })}`);
    const { members, channels } = (await people.json()) as {
      members: { user: { id: string } }[];
      channels: { id: string }[];
    };
    const answer = await fetch(`${url}/act`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        kind: 'outage',
        isOver,
        member: members[0]?.user.id,
        channel: channels[0]?.id,
        locale: 'en-US',
      }),
    });
    if (!answer.ok) throw new Error(`${guildId}: ${await answer.text()}`);
  };
  return {
    name: 'Discord server unavailable',
    plant: () => outage(false),
    undo: () => outage(true),
    promised: { overview: from(30), badge: from(30), tray: from(30), health: from(30), status: from(30) },
  };
};

export const databaseReadOnly = (info: DemoInfo): Situation => ({
  name: 'Database read-only',
  plant: () =>
    asSuperuser(info, 'alter system set default_transaction_read_only = on', 'select pg_reload_conf()'),
  undo: () =>
    asSuperuser(info, 'alter system reset default_transaction_read_only', 'select pg_reload_conf()'),
  promised: { overview: from(30), badge: from(30), tray: from(30), health: from(5), status: from(30) },
});
