import type { Socket } from 'node:net';
import { StringDecoder } from 'node:string_decoder';
import { openGameLog } from './game-log.ts';
import { eosId, steamId } from './identities.ts';
import { openListener } from './listener.ts';
import { perform } from './perform.ts';
import { noQuirks, type Quirks } from './quirks.ts';
import { runSevenDaysCommand, unknownSevenDaysCommand } from './seven-days-commands.ts';
import { sevenDaysItems } from './seven-days-items.ts';
import { banner, loggingOfSevenDays, noiseLine } from './seven-days-texts.ts';
import { assembleSimulator, type Simulator, type SimulatorOptions, usualPassword } from './simulator.ts';
import type { Wire } from './wire.ts';
import { createWorld } from './world.ts';

export interface SevenDaysQuirks extends Quirks {
  /** Telnet negotiation bytes before the prompt, and a NUL after it, as older builds send. */
  noisyPrompt: boolean;
  /** Newer builds end the prompt's line, older ones do not. */
  promptEndsLine: boolean;
  /** Number of unrelated log lines between any two lines of a reply. */
  logLinesWithinReplies: number;
  listing: 'current' | 'old';
  /** Whether the stock mod with `pm` is installed. */
  hasPrivateMessages: boolean;
  /** How often a log line is sent to a client: never, once or twice. */
  timesSent: (line: string) => number;
}

export interface SevenDaysOptions extends SimulatorOptions<SevenDaysQuirks> {
  /** How often something unrelated is logged; default: never. */
  readonly noiseEveryMs?: number;
  /** Number of wrong passwords, from all clients together, after which all further ones are ignored. */
  readonly failedLoginLimit?: number;
}

export interface SevenDaysSimulator extends Simulator<SevenDaysQuirks> {
  /** As when the game's block after too many wrong passwords has expired. */
  forgiveFailedLogins(): void;
}

interface Client {
  readonly wire: Wire;
  readonly from: string;
  isLoggedIn: boolean;
}

/** IAC WILL ECHO, so that a real telnet program hides what is typed. */
const hideTyping = Buffer.from([255, 251, 1]);
const nul = Buffer.alloc(1);
/** The game encodes this many UTF-16 units at a time; a surrogate pair that is cut is lost. */
const encodedUnits = 64;

/** With an empty password it listens only on loopback and asks for none, as the game does. */
export const startSevenDays = async (options: SevenDaysOptions = {}): Promise<SevenDaysSimulator> => {
  const { password = usualPassword, logFile, failedLoginLimit = 10, now = () => new Date() } = options;
  const quirks: SevenDaysQuirks = {
    ...noQuirks(),
    noisyPrompt: true,
    promptEndsLine: false,
    logLinesWithinReplies: 0,
    listing: 'current',
    hasPrivateMessages: true,
    timesSent: () => 1,
    ...options.quirks,
  };
  const startedMs = performance.now();
  const clients = new Set<Client>();
  let failedLogins = 0;

  const log = openGameLog({
    file: logFile,
    onLine(line) {
      // To a client without a login the game writes a NUL in place of each line.
      const times = quirks.timesSent(line);
      for (const { wire, isLoggedIn } of clients)
        for (let sent = 0; sent < times; sent += 1) void wire.send(isLoggedIn ? encodeLine(line) : nul);
    },
  });
  const write = (level: 'INF' | 'ERR', message: string) => {
    const uptime = ((performance.now() - startedMs) / 1000).toFixed(3);
    log.write(`${now().toISOString().slice(0, 19)} ${uptime} ${level} ${message}`);
  };
  const world = createWorld({
    onGiven: options.onGiven,
    identify: (name) => ({ platformId: `Steam_${steamId(name)}`, crossId: `EOS_${eosId(name)}` }),
    firstNumericId: 171,
    items: sevenDaysItems,
    observer: loggingOfSevenDays((message) => write('INF', message)),
  });

  const sendLines = async (wire: Wire, lines: readonly string[]) => {
    for (const line of lines) await wire.send(encodeLine(line));
  };
  const logIn = async (client: Client, typed: string) => {
    const { wire } = client;
    await wire.wait(quirks.replyDelayMs);
    if (!quirks.refusePasswords && typed === password) {
      client.isLoggedIn = true;
      failedLogins = 0;
      return sendLines(wire, ['Logon successful.', '', '', '', ...banner(listener.port)]);
    }
    failedLogins += 1;
    if (failedLogins < failedLoginLimit)
      return sendLines(wire, ['Password incorrect, please enter password:']);
    await sendLines(wire, ['Too many failed login attempts!']);
    wire.end();
  };
  const answer = ({ wire, from }: Client, command: string) =>
    perform({
      command,
      quirks,
      world,
      wire,
      interpret(line) {
        const { listing, hasPrivateMessages } = quirks;
        return runSevenDaysCommand({ world, listing, hasPrivateMessages, now, log: write }, line);
      },
      unknownReply: unknownSevenDaysCommand(command),
      encode: (reply) => (reply === '' ? [] : reply.split('\n').map(encodeLine)),
      negativeLength: quirks.garbage,
      endlessPart: Buffer.from('e'.repeat(4096)),
      betweenParts() {
        for (let line = 0; line < quirks.logLinesWithinReplies; line += 1) write('INF', noiseLine());
      },
      onExecution: () => write('INF', `Executing command '${command}' by Telnet from ${from}`),
    });
  const obey = (client: Client, line: string) => {
    if (!client.isLoggedIn) return logIn(client, line);
    if (line.toLowerCase() === 'exit') return client.wire.end();
    return answer(client, line);
  };

  const serve = (socket: Socket, wire: Wire) => {
    const from = `${socket.remoteAddress}:${socket.remotePort}`;
    write('INF', `Telnet connection from: ${from}`);
    const client: Client = { wire, from, isLoggedIn: password === '' };
    clients.add(client);
    socket.on('close', () => {
      clients.delete(client);
      write('INF', `Telnet connection closed: ${from}`);
    });
    if (failedLogins >= failedLoginLimit) return wire.destroy();
    if (client.isLoggedIn) void sendLines(wire, banner(listener.port));
    else void wire.send(prompt(quirks));
    const readLines = createLineReader();
    let queue: Promise<void> = Promise.resolve();
    socket.on('data', (chunk: Buffer) => {
      for (const line of readLines(chunk))
        queue = queue.then(async () => {
          if (!wire.closed) await obey(client, line);
        });
    });
  };

  const host = password === '' ? '127.0.0.1' : (options.host ?? '127.0.0.1');
  const listener = await openListener({ host, port: options.port ?? 0, quirks, serve });
  const noise = options.noiseEveryMs
    ? setInterval(() => write('INF', noiseLine()), options.noiseEveryMs)
    : undefined;
  const simulator = assembleSimulator({
    listener,
    game: 'seven-days-to-die',
    password,
    world,
    quirks,
    log,
    logFile,
  });
  return Object.assign(simulator, {
    forgiveFailedLogins() {
      failedLogins = 0;
    },
    async [Symbol.asyncDispose]() {
      clearInterval(noise);
      await listener[Symbol.asyncDispose]();
    },
  });
};

const encodeLine = (line: string): Buffer => {
  const pieces: Buffer[] = [];
  for (let start = 0; start < line.length; start += encodedUnits)
    pieces.push(Buffer.from(line.slice(start, start + encodedUnits)));
  return Buffer.concat([...pieces, Buffer.from('\r\n')]);
};

const prompt = ({ noisyPrompt, promptEndsLine }: SevenDaysQuirks): Buffer => {
  const text = Buffer.from(`Please enter password:${promptEndsLine ? '\r\n' : ''}`);
  return noisyPrompt ? Buffer.concat([hideTyping, text, nul]) : text;
};

/** Both kinds of line end count; blank lines are skipped. A character may arrive in pieces. */
const createLineReader = (): ((chunk: Buffer) => string[]) => {
  const decoder = new StringDecoder('utf8');
  let pending = '';
  return (chunk) => {
    const lines = (pending + decoder.write(chunk)).split(/[\r\n]/);
    pending = lines.pop() ?? '';
    return lines.map((line) => line.trim()).filter((line) => line !== '');
  };
};
