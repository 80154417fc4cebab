import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { openGameLog } from './game-log.ts';
import { offlineUuid } from './identities.ts';
import { openListener } from './listener.ts';
import {
  type MinecraftPlugins,
  type MinecraftVersion,
  runMinecraftCommand,
  unknownMinecraftCommand,
} from './minecraft-commands.ts';
import { minecraftItems } from './minecraft-items.ts';
import { createLevel, type Level } from './minecraft-level.ts';
import { createRanks, type RankReplies } from './minecraft-ranks.ts';
import { perform } from './perform.ts';
import { noQuirks, type Quirks } from './quirks.ts';
import { assembleSimulator, type Simulator, type SimulatorOptions, usualPassword } from './simulator.ts';
import {
  decodeSingleFrame,
  encodeFrame,
  type Frame,
  frameTypes,
  negativeLengthFrame,
  refusedLoginId,
} from './source-rcon-frames.ts';
import type { Wire } from './wire.ts';
import { createWorld, type WorldObserver } from './world.ts';

export interface MinecraftQuirks extends Quirks {
  /** A name as a server with name plug-ins shows it. */
  decorate: (name: string) => string;
  /**
   * Where line feeds are in a reply of several messages. The plain game has none and joins the messages, Paper and Forge end each
   * message with one.
   */
  lineFeeds: 'between' | 'none' | 'after';
  /** How a reply is cut into frames; null: not at all. */
  cut: { readonly unit: 'bytes' | 'characters'; readonly size: number } | null;
  /** What happens to a frame of an unknown type. */
  oddFrame: 'answered' | 'ignored' | 'closing';
  /** An empty frame after each reply. */
  emptyLastFrame: boolean;
  version: MinecraftVersion;
  plugins: MinecraftPlugins;
  /** The behavior of a plug-in for ranks. */
  ranks: RankReplies;
  /** Players who have switched private messages off, as EssentialsX's `/msgtoggle` does. */
  readonly deafPlayers: Set<string>;
  /** The sender of such a message is not notified. */
  swallowsMessages: boolean;
  /** How a line of chat reads in the log; plug-ins change it (EssentialsX/Essentials#5030, MCDReforged/MCDReforged#346). */
  chatLine: (name: string, text: string) => string;
  /** Marks what is not signed, as 1.19.1 and later do (MCDReforged/MCDReforged#199). */
  marksUnsigned: boolean;
  /** Reports errors in the forks of `execute`, too, unlike the plain game. */
  tellsForks: boolean;
}

export interface MinecraftOptions extends SimulatorOptions<MinecraftQuirks> {
  /** Time between two saves of world and players; in the real game, 6,000 ticks. */
  readonly autosaveMs?: number;
  /** File for saves, from which the world also starts, so that a process can be killed between two saves. */
  readonly levelFile?: string;
  /** Receives the log lines as the game's own console shows them. */
  readonly onLogLine?: (line: string) => void;
}

export interface MinecraftSimulator extends Simulator<MinecraftQuirks> {
  readonly level: Level;
  ranksOf(name: string): readonly string[];
  /** As with `kill -9`: players are not saved, and everything since the last save is lost. */
  kill(): Promise<void>;
  /** Listens again, 2 s after the kill at the earliest, since no server starts faster. Its players have to join again. */
  restart(): Promise<void>;
}

const usualAutosaveMs = 300_000;
const shortestStartMs = 2000;

type Habits = Pick<MinecraftQuirks, 'cut' | 'oddFrame' | 'emptyLastFrame'>;

/** Other servers with Minecraft's RCON, according to their sources. */
export const minecraftServers = {
  vanilla: { cut: { unit: 'characters', size: 4096 }, oddFrame: 'answered', emptyLastFrame: false },
  /** github.com/gorcon/rcon, rcontest/server.go: its switch ignores other types. */
  gorcon: { cut: { unit: 'bytes', size: 4000 }, oddFrame: 'ignored', emptyLastFrame: false },
  /** github.com/Tnze/go-mc, net/rcon.go: AcceptCmd fails on other types; its user decides where to cut. */
  goMc: { cut: { unit: 'bytes', size: 4086 }, oddFrame: 'closing', emptyLastFrame: false },
  /** github.com/CloudburstMC/Nukkit, network/rcon/RCONServer.java. */
  nukkit: { cut: null, oddFrame: 'ignored', emptyLastFrame: false },
  /** github.com/cuberite/cuberite, src/RCONServer.cpp: an empty response after each reply, and closes on unknown types. */
  cuberite: { cut: null, oddFrame: 'closing', emptyLastFrame: true },
  lantern: { cut: { unit: 'characters', size: 2048 }, oddFrame: 'answered', emptyLastFrame: false },
} as const satisfies Record<string, Habits>;

/** The game's buffer for one read, which limits a frame's payload to 1446 bytes. */
const readBytes = 1460;
/** The repeated part of an endless reply. */
const endlessUnits = 4096;
const mostPlayers = 20;

export const startMinecraft = async (options: MinecraftOptions = {}): Promise<MinecraftSimulator> => {
  const { password = usualPassword, logFile, onLogLine, now = () => new Date() } = options;
  if (password === '') throw new Error('Minecraft opens no RCON port without a password');
  const quirks: MinecraftQuirks = {
    ...noQuirks(),
    decorate: (name) => name,
    lineFeeds: 'between',
    ...minecraftServers.vanilla,
    version: '1.21',
    plugins: 'none',
    ranks: 'none',
    deafPlayers: new Set(),
    swallowsMessages: false,
    chatLine: (name, text) => `<${name}> ${text}`,
    marksUnsigned: false,
    tellsForks: false,
    ...options.quirks,
  };
  const log = openGameLog({ file: logFile, ...(onLogLine && { onLine: onLogLine }) });
  const logAs = (thread: string, message: string) =>
    log.write(`[${now().toTimeString().slice(0, 8)}] [${thread}/INFO]: ${message}`);
  const logServer = (message: string) => logAs('Server thread', message);
  const logRanks = (message: string) => logAs('luckperms-command-executor', message);
  const observer = logging(logAs, quirks);
  const world = createWorld({
    onGiven: options.onGiven,
    identify: (name) => ({ platformId: offlineUuid(name), crossId: offlineUuid(name) }),
    firstNumericId: 1,
    items: Object.keys(minecraftItems),
    observer: {
      ...observer,
      left(player, reason) {
        level.savePlayer(player.name);
        observer.left(player, reason);
      },
    },
  });
  const level = createLevel(world, options.levelFile);
  const ranks = createRanks();

  const answer = (wire: Wire, { id, body }: Frame): Promise<void> => {
    const command = body.toString();
    return perform({
      command,
      quirks,
      world,
      wire,
      interpret(line) {
        const { decorate, version, plugins, tellsForks, deafPlayers, swallowsMessages } = quirks;
        const console = {
          world,
          level,
          version,
          plugins,
          tellsForks,
          deafPlayers,
          swallowsMessages,
          mostPlayers,
          decorate,
          // Only what `say` repeats is a message.
          log: (message: string) =>
            logServer(`${message.startsWith('[Rcon] ') ? unsigned(quirks) : ''}${message}`),
        };
        const reply = ranks.run(line, quirks.ranks, logRanks) ?? runMinecraftCommand(console, line);
        return reply === null ? null : feedLines(reply, quirks);
      },
      unknownReply: feedLines(unknownMinecraftCommand(command), quirks),
      encode: (reply) => pieces(reply, quirks).map((piece) => encodeFrame(id, frameTypes.reply, piece)),
      negativeLength: negativeLengthFrame(id),
      endlessPart: encodeFrame(id, frameTypes.reply, 'e'.repeat(endlessUnits)),
    });
  };

  const serve = (socket: Socket, wire: Wire) => {
    let isLoggedIn = false;
    const obey = async (frame: Frame) => {
      if (frame.type === frameTypes.login) {
        isLoggedIn = !quirks.refusePasswords && frame.body.toString() === password;
        await wire.wait(quirks.replyDelayMs);
        await wire.send(encodeFrame(isLoggedIn ? frame.id : refusedLoginId, frameTypes.loginReply, ''));
      } else if (frame.type !== frameTypes.command) {
        if (quirks.oddFrame === 'ignored') return;
        if (quirks.oddFrame === 'closing') return wire.end();
        // Answered with or without a login; Java prints negative numbers as unsigned.
        const text = `Unknown request ${(frame.type >>> 0).toString(16)}`;
        await wire.send(encodeFrame(frame.id, frameTypes.reply, text));
      } else if (isLoggedIn) await answer(wire, frame);
      else await wire.send(encodeFrame(refusedLoginId, frameTypes.loginReply, ''));
    };
    const take = async (chunk: Buffer) => {
      for (let start = 0; start < chunk.length && !wire.closed; start += readBytes) {
        const frame = decodeSingleFrame(chunk.subarray(start, start + readBytes));
        if (!frame) return wire.destroy();
        await obey(frame);
      }
    };
    // One thread reads and executes: data that arrives in between waits in the system and is read as one.
    socket.on('data', (chunk: Buffer) => {
      socket.pause();
      void take(chunk).then(() => socket.resume());
    });
  };

  const listener = await openListener({
    host: options.host ?? '127.0.0.1',
    port: options.port ?? 0,
    quirks,
    serve,
  });
  const logStart = () => logAs('Server thread', `RCON running on 0.0.0.0:${listener.port}`);
  logStart();
  const saveByItself = () => {
    if (level.autosaves) level.save();
  };
  const autosave = setInterval(saveByItself, options.autosaveMs ?? usualAutosaveMs).unref();
  let killedMs = -shortestStartMs;
  const simulator = assembleSimulator({ listener, game: 'minecraft', password, world, quirks, log, logFile });
  return Object.assign(simulator, {
    level,
    ranksOf: ranks.of,
    async kill() {
      killedMs = performance.now();
      level.kill();
      world.vanish();
      await listener.goOffline();
    },
    async restart() {
      await delay(Math.max(0, killedMs + shortestStartMs - performance.now()));
      level.start();
      await listener.comeBack();
      logStart();
    },
    async [Symbol.asyncDispose]() {
      clearInterval(autosave);
      await listener[Symbol.asyncDispose]();
    },
  });
};

const feedLines = (reply: string, { lineFeeds }: MinecraftQuirks): string => {
  if (lineFeeds === 'none') return reply.replaceAll('\n', '');
  return lineFeeds === 'after' && reply !== '' ? `${reply}\n` : reply;
};

/** At least one piece, and none after one that is exactly full. A character that is cut becomes two question marks. */
const pieces = (reply: string, { cut, emptyLastFrame }: Habits): Buffer[] => {
  const frames: Buffer[] = [];
  if (cut === null) frames.push(Buffer.from(reply));
  else if (cut.unit === 'bytes') frames.push(...slices(Buffer.from(reply), cut.size));
  else
    for (const units of slices(reply, cut.size))
      frames.push(Buffer.from(units.replace(/\p{Surrogate}/gu, '?')));
  return emptyLastFrame ? [...frames, Buffer.alloc(0)] : frames;
};

const slices = <Whole extends { readonly length: number; slice(from: number, to: number): Whole }>(
  whole: Whole,
  size: number,
): Whole[] =>
  Array.from({ length: Math.max(1, Math.ceil(whole.length / size)) }, (_, at) =>
    whole.slice(at * size, (at + 1) * size),
  );

const unsigned = ({ marksUnsigned }: Pick<MinecraftQuirks, 'marksUnsigned'>): string =>
  marksUnsigned ? '[Not Secure] ' : '';

const logging = (
  logAs: (thread: string, message: string) => void,
  quirks: MinecraftQuirks,
): WorldObserver => ({
  joined({ name, platformId, numericId }) {
    logAs('User Authenticator #1', `UUID of player ${name} is ${platformId}`);
    logAs(
      'Server thread',
      `${name}[/127.0.0.1:50000] logged in with entity id ${numericId} at (8.5, 64.0, 8.5)`,
    );
    logAs('Server thread', `${name} joined the game`);
  },
  left({ name }, reason) {
    logAs('Server thread', `${name} lost connection: ${reason ?? 'Disconnected'}`);
    logAs('Server thread', `${name} left the game`);
  },
  chatted: ({ name }, text) => logAs('Server thread', `${unsigned(quirks)}${quirks.chatLine(name, text)}`),
});
