import { spawn } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { createHistogram, performance } from 'node:perf_hooks';
import type { GameId } from '#contracts/servers/games.ts';
import { Secret } from '#runtime/secret.ts';
import { systemEnv } from '#runtime/system-env.ts';
import { gameOf } from '../../games/games.ts';
import type { Bench } from './harness/report.ts';
import { alternate } from './harness/statistics.ts';
import { type Subject, toSubject } from './portal-subjects.ts';

const commandsARound = 3000;
const warmUp = 300;
const rounds = 5;
const timeoutMs = 10_000;
const connectTimeoutMs = 15_000;
const players = 8;
const password = 'simulated-admin-password';
const microsecondsPerMs = 1000;
const simulator = join(import.meta.dirname, '../simulators/main.ts');

interface Asker extends Disposable {
  /** Sends one command and waits for its whole answer. */
  ask(): Promise<void>;
}

const startGame = (game: GameId): Promise<Subject> => {
  const args = [simulator, '--game', game, '--players', String(players)];
  const env = { ...systemEnv(), GAME_PASSWORD: password };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  return toSubject(child, (line) => Number(/"port":(\d+)/.exec(line)?.[1] ?? Number.NaN) || null);
};

const ours = async (game: GameId, port: number): Promise<Asker> => {
  const { connect: open, listPlayers } = gameOf(game);
  const opened = await open(
    { host: '127.0.0.1', port, password: new Secret(password) },
    { connectTimeoutMs },
  );
  if ('failure' in opened) throw new Error(opened.failure.detail);
  const { connection } = opened;
  return {
    async ask() {
      const { outcome } = await connection.run(listPlayers.command, { timeoutMs });
      if (outcome !== 'answered') throw new Error(`${game}: ${outcome}`);
    },
    [Symbol.dispose]: () => connection[Symbol.dispose](),
  };
};

/** Bytes to send, and how to recognize a complete answer. */
interface RawDialogue {
  readonly login: Buffer;
  readonly isLoggedIn: (received: Buffer) => boolean;
  readonly request: Buffer;
  readonly isAnswered: (received: Buffer) => boolean;
}

const frame = (id: number, type: number, body: string): Buffer => {
  const text = Buffer.from(body);
  const bytes = Buffer.alloc(14 + text.length);
  bytes.writeInt32LE(10 + text.length, 0);
  bytes.writeInt32LE(id, 4);
  bytes.writeInt32LE(type, 8);
  text.copy(bytes, 12);
  return bytes;
};

const isWholeFrame = (received: Buffer): boolean =>
  received.length >= 4 && received.length >= 4 + received.readInt32LE(0);

const rconDialogue = (command: string): RawDialogue => ({
  login: frame(1, 3, password),
  isLoggedIn: (received) => received.includes(frame(1, 2, '')),
  request: frame(2, 2, command),
  isAnswered: isWholeFrame,
});

const telnetDialogue = (command: string): RawDialogue => ({
  login: Buffer.from(`${password}\n`),
  isLoggedIn: (received) => received.includes("Press 'help'"),
  request: Buffer.from(`${command}\nzzfence\n`),
  isAnswered: (received) => received.includes("unknown command 'zzfence'"),
});

/** A loop on a bare socket: no matching of ids, no time-outs, no text. It asks, and waits until enough has arrived. */
const raw = async (game: GameId, port: number): Promise<Asker> => {
  const { command } = gameOf(game).listPlayers;
  const dialogue = game === 'seven-days-to-die' ? telnetDialogue(command) : rconDialogue(command);
  const socket = await connected(port);
  let received: Buffer = Buffer.alloc(0);
  let waiting: { readonly until: (bytes: Buffer) => boolean; readonly resolve: () => void } | null = null;
  socket.on('data', (bytes) => {
    received = received.length === 0 ? bytes : Buffer.concat([received, bytes]);
    if (!waiting?.until(received)) return;
    received = Buffer.alloc(0);
    waiting.resolve();
  });
  const exchange = (bytes: Buffer, until: (received: Buffer) => boolean): Promise<void> => {
    const answered = new Promise<void>((resolve) => {
      waiting = { until, resolve };
    });
    socket.write(bytes);
    return answered;
  };
  await exchange(dialogue.login, dialogue.isLoggedIn);
  return {
    ask: () => exchange(dialogue.request, dialogue.isAnswered),
    [Symbol.dispose]: () => socket.destroy(),
  };
};

const connected = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket));
    socket.once('error', reject);
  });

const measure = async (asker: Asker): Promise<Readonly<Record<string, number>>> => {
  for (let index = 0; index < warmUp; index++) await asker.ask();
  const histogram = createHistogram();
  const cpu = process.cpuUsage();
  const began = performance.now();
  for (let index = 0; index < commandsARound; index++) {
    const start = performance.now();
    await asker.ask();
    histogram.record(Math.max(1, Math.round((performance.now() - start) * microsecondsPerMs)));
  }
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  return {
    'commands/s': commandsARound / seconds,
    'p50 ms': histogram.percentile(50) / microsecondsPerMs,
    'p99 ms': histogram.percentile(99) / microsecondsPerMs,
    'client CPU µs': (user + system) / commandsARound,
  };
};

export const rconBench: Bench = {
  summary: 'commands over a game console, beside a raw socket loop',
  async run(say) {
    const tables: Record<string, Record<string, Readonly<Record<string, number>>>> = {};
    for (const game of ['minecraft', 'ark-asa', 'seven-days-to-die'] as const) {
      await using subject = await startGame(game);
      const round = (open: typeof ours) => async () => {
        using asker = await open(game, subject.port);
        return await measure(asker);
      };
      const figures = await alternate({ 'raw socket': round(raw), Castellan: round(ours) }, rounds, (line) =>
        say(`${game}, ${line}`),
      );
      const ratio = (figure: string) =>
        (figures.Castellan[figure] ?? Number.NaN) / (figures['raw socket'][figure] ?? Number.NaN);
      tables[game] = {
        ...figures,
        ratio: Object.fromEntries(Object.keys(figures.Castellan).map((figure) => [figure, ratio(figure)])),
      };
    }
    return {
      title: `One command after another, ${commandsARound} a round, ${rounds} rounds in alternation`,
      tables,
      aims: [],
    };
  },
};
