import { randomBytes } from 'node:crypto';
import { consoleReasons } from '#contracts/kernel/console-reasons.ts';
import { longestReply } from '#contracts/servers/games.ts';
import type { Connect, ConnectOptions, ConsoleTarget } from '../connection.ts';
import { addressOf } from '../wire/connect-failure.ts';
import { type Dialogue, openConsole, type Wire } from '../wire/open-console.ts';
import { mostReplyBytes, type Reply, toReply } from '../wire/reply.ts';
import { createLineReader } from './lines.ts';

interface ReplyLines {
  add(line: string): void;
  /** More has arrived than any reply contains. */
  isEndless(): boolean;
  toReply(): Reply;
}

const createReplyLines = (): ReplyLines => {
  const kept: string[] = [];
  let received = 0;
  let isCut = false;
  return {
    add(line) {
      if (received > longestReply) isCut = true;
      else kept.push(line);
      received += line.length + 1;
    },
    isEndless: () => received > mostReplyBytes,
    toReply: () => toReply(kept.join('\n'), isCut),
  };
};

/** Most bytes of UTF-8 in a command on 7 Days to Die's console. */
const longestTelnetCommandBytes = 4096;

/** `2026-11-21T10:00:00 123.456 INF `; some systems write the seconds with a comma. */
const logLine = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d \d+[.,]\d+ [A-Z]{3} /;
/** After one of these the game writes a stack trace: lines without a time, up to an empty one. */
const troubleLine = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d \d+[.,]\d+ (?:WRN|ERR|EXC) /;
/** `From: …`, `Parameter name: …`, `  at Name (…)`, `GameManager:DisconnectClient (ClientInfo,bool)`, `UnityEngine.Debug:Log(Object)`. */
const traceLine =
  /^From: |^Parameter name: |^\s+at |^\(Filename: |^Rethrow as |^[\w.+`<>[\],/]+[:.][\w.+`<>[\],|]+ ?\([^()]*\)(?: \(at .*\)| ?\[0x.*)?$/;
const mostTraceLines = 200;
/** The game's own chat: the only answer to `say`. */
const ownChat = / INF (?<said>Chat \(from '-non-player-', entity id '-?\d+', to 'Global'\): .*)$/;
const sayCommand = /^say\s/i;
const passwordPrompt = /please enter password:\s*$/i;
/** It has no line break, so the next words appear on its line. */
const answeredPrompt = /^please enter password:\s*/i;
const greeting = /^\*\*\* |^Press 'help'/;
const welcome = /^Logon successful/;
const refusal = /^Password incorrect|^Too many failed login attempts/;
const readyLine = /^Press 'help' to get a list of all commands/;
/** A prompt or a greeting is shorter: this much without a line break is something else. */
const longestGreetingBytes = 4096;
/** Echoes come from the game's log and may follow the reply. */
const mostAwaitedEchoes = 16;

interface Exchange {
  readonly command: string;
  readonly end: string;
  readonly reply: ReplyLines;
  executionLine: string | null;
}

/** The line that the game's log will show for a written command. */
interface Echo {
  readonly text: string;
  /** Null for the token after a command. */
  readonly of: Exchange | null;
}

/** Connects to the console of 7 Days to Die. Lines of its log in between go to `onLine`. */
export const connectTelnet: Connect = (target, options) =>
  openConsole(target, options, {
    longestCommandBytes: longestTelnetCommandBytes,
    open: (wire) => openDialogue(wire, target, options),
  });

const openDialogue = (wire: Wire, target: ConsoleTarget, { onLine }: ConnectOptions): Dialogue => {
  const lines = createLineReader();
  const address = addressOf(target);
  const echoes: Echo[] = [];
  let stage: 'greeting' | 'password sent' | 'welcome' | 'ready' = 'greeting';
  /** A line has arrived that only this game writes. */
  let isRecognised = false;
  let exchange: Exchange | null = null;
  /** Lines since the last sign of trouble: its trace, or a reply; null when there was no such sign. */
  let held: string[] | null = null;

  const takeLoginLine = (wholeLine: string) => {
    const line = stage === 'greeting' ? wholeLine : wholeLine.replace(answeredPrompt, '');
    if (refusal.test(line)) return refusePassword('console-password-refused');
    if (stage === 'greeting') recognise(line);
    if (stage === 'password sent' && welcome.test(line)) stage = 'welcome';
    // After a password prompt, only the confirmation that the password was right counts.
    if (stage === 'password sent' || !readyLine.test(line)) return;
    stage = 'ready';
    wire.ready();
  };

  /** Neither a prompt nor a refusal that ends in one has a line break. */
  const takePartialLine = (partial: string) => {
    if (lines.partialBytes() > longestGreetingBytes) refuseProtocol();
    else if (stage === 'greeting' && passwordPrompt.test(partial)) sendPassword();
    else if (refusal.test(partial.replace(answeredPrompt, ''))) refusePassword('console-password-refused');
  };

  const recognise = (line: string) => {
    if (passwordPrompt.test(line)) return sendPassword();
    if (greeting.test(line)) isRecognised = true;
    if (!isRecognised && line.trim() !== '' && !logLine.test(line)) refuseProtocol();
  };

  const sendPassword = () => {
    const password = target.password.reveal();
    if (password === '') return refusePassword('console-password-missing');
    stage = 'password sent';
    wire.write(`${password}\n`);
  };

  const refusePassword = (code: 'console-password-missing' | 'console-password-refused') =>
    wire.refuse('authentication failed', consoleReasons[code](address));

  const refuseProtocol = () => wire.refuse('wrong protocol', consoleReasons['console-no-telnet'](address));

  const takeLine = (line: string) => {
    if (logLine.test(line)) takeLogLine(line);
    else if (line.trimEnd() === exchange?.end) {
      sortHeld();
      if (exchange) finish(exchange.reply);
    } else if (!held) takeReplyLine(line);
    else if (line.trim() === '') {
      const endsTrace = held.length === 0 || traceLine.test(held.at(-1) ?? '');
      sortHeld();
      if (!endsTrace) takeReplyLine(line);
    } else {
      held.push(line);
      if (held.length > mostTraceLines) sortHeld();
    }
  };

  const takeLogLine = (line: string) => {
    sortHeld();
    if (troubleLine.test(line)) held = [];
    if (isEcho(line)) return;
    onLine?.(line);
    const said = ownChat.exec(line)?.groups?.said;
    if (said !== undefined && exchange && sayCommand.test(exchange.command)) exchange.reply.add(said);
  };

  const takeReplyLine = (line: string) => {
    if (!exchange) return sayUnasked(line);
    exchange.reply.add(line);
    if (exchange.reply.isEndless()) giveUpEndless(exchange.reply);
  };

  /** For trouble without the empty line that ends a trace: only lines that look like a trace are one. */
  const sortHeld = () => {
    const lines = held ?? [];
    held = null;
    for (const line of lines) {
      if (traceLine.test(line)) sayUnasked(line);
      else takeReplyLine(line);
    }
  };

  const sayUnasked = (line: string) => {
    if (line !== '') onLine?.(line);
  };

  const isEcho = (line: string): boolean => {
    const at = echoes.findIndex(({ text }) => line.includes(`Executing command '${text}' by Telnet from `));
    const [echo] = at === -1 ? [] : echoes.splice(at, 1);
    if (echo?.of) echo.of.executionLine = line;
    return echo !== undefined;
  };

  const finish = (reply: ReplyLines) => {
    exchange = null;
    wire.answer(reply.toReply());
  };

  const giveUpEndless = (reply: ReplyLines) => {
    exchange = null;
    wire.end('connection lost', consoleReasons['console-reply-endless'], {
      ...reply.toReply(),
      truncated: true,
    });
  };

  return {
    receive(bytes) {
      for (const line of lines.push(bytes)) {
        if (!wire.isOpen()) return;
        if (stage === 'ready') takeLine(line);
        else takeLoginLine(line);
      }
      if (wire.isOpen() && stage !== 'ready') takePartialLine(lines.partial());
    },
    closedAtLogin: () => {
      if (stage !== 'greeting')
        return {
          outcome: 'authentication failed',
          detail: consoleReasons['console-closed-on-password'](address),
        };
      return {
        outcome: lines.partialBytes() > 0 ? 'wrong protocol' : 'connection lost',
        detail: consoleReasons['console-closed-before-password'](address),
      };
    },
    lateAtLogin: () =>
      lines.isOnlyNegotiated()
        ? { outcome: 'wrong protocol', detail: consoleReasons['console-no-telnet'](address) }
        : null,
    send(command) {
      const token = `fence${randomBytes(12).toString('hex')}`;
      const end = `*** ERROR: unknown command '${token}'`;
      exchange = { command, end, reply: createReplyLines(), executionLine: null };
      echoes.push({ text: command, of: exchange }, { text: token, of: null });
      echoes.splice(0, echoes.length - mostAwaitedEchoes);
      wire.write(`${command}\n${token}\n`);
    },
    executionLine: () => exchange?.executionLine ?? null,
    stop() {
      exchange = null;
    },
  };
};
