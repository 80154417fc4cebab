import { randomInt } from 'node:crypto';
import type { Socket } from 'node:net';
import { noResponse, runArkCommand } from './ark-commands.ts';
import { openGameLog } from './game-log.ts';
import { eosId, steamId } from './identities.ts';
import { openListener } from './listener.ts';
import { perform } from './perform.ts';
import { noQuirks, type Quirks } from './quirks.ts';
import { assembleSimulator, type Simulator, type SimulatorOptions, usualPassword } from './simulator.ts';
import {
  createFrameReader,
  encodeFrame,
  type Frame,
  frameTypes,
  negativeLengthFrame,
  refusedLoginId,
} from './source-rcon-frames.ts';
import type { Wire } from './wire.ts';
import { createWorld } from './world.ts';

export interface ArkQuirks extends Quirks {
  /** The optional empty frame of type 0 before the reply to a login. */
  emptyFrameBeforeLoginReply: boolean;
  /** Unsolicited `Keep Alive` bodies also come before each reply. */
  keepAliveBeforeReply: boolean;
  /** Their id: 0, or one that no request had. */
  keepAliveId: 'zero' | 'stray';
  /** Bytes of a reply per frame, even if that cuts a character; null: a single frame. */
  frameBytes: number | null;
  /** An empty frame after a reply whose last frame is full. */
  emptyFrameAfterFull: boolean;
  losesGives: boolean;
}

export interface ArkOptions extends SimulatorOptions<ArkQuirks> {
  readonly variant?: 'se' | 'asa';
  /** Sessions opened within this time log in and are never answered; 'manual': until `finishBoot()`. */
  readonly bootMs?: number | 'manual';
  /** How often each session gets an unsolicited `Keep Alive`; default: never. */
  readonly keepAliveEveryMs?: number;
}

export interface ArkSimulator extends Simulator<ArkQuirks> {
  finishBoot(): void;
  /** Sends one to each logged-in session now. */
  sendKeepAlive(): void;
}

const firstPlayerId = 100_000_001;
const keepAliveText = 'Keep Alive';

export const startArk = async (options: ArkOptions = {}): Promise<ArkSimulator> => {
  const { variant = 'asa', password = usualPassword, logFile, bootMs = 0, now = () => new Date() } = options;
  if (password === '') throw new Error('ARK opens no RCON port without an admin password');
  const quirks: ArkQuirks = {
    ...noQuirks(),
    emptyFrameBeforeLoginReply: false,
    keepAliveBeforeReply: false,
    keepAliveId: 'zero',
    frameBytes: 4096,
    emptyFrameAfterFull: false,
    losesGives: false,
    ...options.quirks,
  };
  const log = openGameLog({ file: logFile });
  const unreadChat: string[] = [];
  const loggedIn = new Set<Wire>();
  let isBooted = bootMs === 0;

  const write = (message: string) => {
    const [date = '', time = ''] = now().toISOString().split(/[TZ]/);
    const stamp = `${date.replaceAll('-', '.')}-${time.replaceAll(':', '.').replace(/\.(\d+)$/, ':$1')}`;
    log.write(
      `[${stamp}][${String(randomInt(1000)).padStart(3)}]${stamp.slice(0, 19).replace('-', '_')}: ${message}`,
    );
  };
  const identity = variant === 'asa' ? eosId : steamId;
  const nameInLog = (name: string, id: string) =>
    variant === 'asa' ? `${name} [UniqueNetId:${id} Platform:None]` : name;
  const world = createWorld({
    onGiven: options.onGiven,
    identify: (name) => ({ platformId: identity(name), crossId: identity(name) }),
    firstNumericId: firstPlayerId,
    items: [],
    observer: {
      joined: ({ name, platformId }) => write(`${nameInLog(name, platformId)} joined this ARK!`),
      left: ({ name, platformId }) => write(`${nameInLog(name, platformId)} left this ARK!`),
      chatted({ name }, text) {
        const line = `${name} (${name}): ${text}`;
        unreadChat.push(line);
        write(line);
      },
    },
  });

  const sendKeepAlive = async (wire: Wire) => {
    const id = quirks.keepAliveId === 'zero' ? 0 : randomInt(1_000_000_000, 2_000_000_000);
    await wire.send(encodeFrame(id, frameTypes.reply, keepAliveText));
  };
  const logIn = async (wire: Wire, { id, body }: Frame) => {
    const isRight = !quirks.refusePasswords && body.toString() === password;
    await wire.wait(quirks.replyDelayMs);
    if (quirks.emptyFrameBeforeLoginReply) await wire.send(encodeFrame(id, frameTypes.reply, ''));
    await wire.send(encodeFrame(isRight ? id : refusedLoginId, frameTypes.loginReply, ''));
    if (isRight) loggedIn.add(wire);
  };
  const answer = async (wire: Wire, { id, body }: Frame) => {
    if (quirks.keepAliveBeforeReply) await sendKeepAlive(wire);
    await perform({
      command: body.toString(),
      quirks,
      world,
      wire,
      interpret: (line) => runArkCommand({ world, unreadChat, losesGives: quirks.losesGives }, line),
      unknownReply: noResponse,
      encode: (reply) =>
        bodies(Buffer.from(reply), quirks).map((part) => encodeFrame(id, frameTypes.reply, part)),
      negativeLength: negativeLengthFrame(id),
      endlessPart: encodeFrame(id, frameTypes.reply, 'e'.repeat(4096)),
    });
  };

  const serve = (socket: Socket, wire: Wire) => {
    const readFrames = createFrameReader();
    const cameTooEarly = !isBooted;
    let isBusy = false;
    const take = async (frame: Frame) => {
      if (frame.type === frameTypes.login) return logIn(wire, frame);
      // Other types are not requests: a fence is not echoed.
      if (frame.type !== frameTypes.command) return;
      if (!loggedIn.has(wire)) return wire.send(encodeFrame(refusedLoginId, frameTypes.loginReply, ''));
      // One command in flight: any other command in that time is lost.
      if (cameTooEarly || isBusy) return;
      isBusy = true;
      await answer(wire, frame);
      isBusy = false;
    };
    socket.on('data', (chunk: Buffer) => {
      const frames = readFrames(chunk);
      if (!frames) return wire.destroy();
      for (const frame of frames) void take(frame);
    });
    const keepAlive = options.keepAliveEveryMs
      ? setInterval(() => loggedIn.has(wire) && void sendKeepAlive(wire), options.keepAliveEveryMs)
      : undefined;
    socket.on('close', () => {
      clearInterval(keepAlive);
      loggedIn.delete(wire);
    });
  };

  const listener = await openListener({
    host: options.host ?? '127.0.0.1',
    port: options.port ?? 0,
    quirks,
    serve,
  });
  const finishBoot = () => {
    if (isBooted) return;
    isBooted = true;
    write('Server has completed startup and is now advertising for join.');
  };
  const boot = typeof bootMs === 'number' ? setTimeout(finishBoot, bootMs) : undefined;
  const game = variant === 'se' ? 'ark-se' : 'ark-asa';
  const simulator = assembleSimulator({ listener, game, password, world, quirks, log, logFile });
  return Object.assign(simulator, {
    finishBoot,
    sendKeepAlive() {
      for (const wire of loggedIn) void sendKeepAlive(wire);
    },
    async [Symbol.asyncDispose]() {
      clearTimeout(boot);
      await listener[Symbol.asyncDispose]();
    },
  });
};

const bodies = (reply: Buffer, { frameBytes, emptyFrameAfterFull }: ArkQuirks): Buffer[] => {
  const size = frameBytes ?? reply.length;
  const parts: Buffer[] = [];
  for (let start = 0; start === 0 || start < reply.length; start += size)
    parts.push(reply.subarray(start, start + size));
  if (emptyFrameAfterFull && parts.at(-1)?.length === frameBytes) parts.push(Buffer.alloc(0));
  return parts;
};
