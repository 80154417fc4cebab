import { consoleReasons } from '#contracts/kernel/console-reasons.ts';
import { withoutReply } from '#contracts/servers/games.ts';
import type {
  Connect,
  ConnectFailure,
  ConnectOptions,
  ConsoleTarget,
  GameConnection,
} from '../connection.ts';
import { createCommandQueue, type LastCommand, longestTimerMs } from '../wire/command-queue.ts';
import { addressOf } from '../wire/connect-failure.ts';
import { type Reply, toReply } from '../wire/reply.ts';
import { isSendable, obstacleOf } from '../wire/sendable.ts';
import { type AskServer, createAskServer, type RestAnswer, type RestRequest } from './ask-server.ts';

/** The differences between games. */
interface RestDialect {
  /** In bytes of UTF-8; the password may not be longer either. */
  readonly longestCommandBytes: number;
  /** The user name that goes with the console's password. */
  readonly user: string;
  /** Changes nothing; the game answers with a JSON object if the password is right. */
  readonly login: RestRequest;
  /** Whether that object is this game's: other programs have APIs, too. */
  isWelcome(object: object): boolean;
  /** The request that a line of text stands for; null if the game has no such command. */
  requestOf(command: string): RestRequest | null;
}

/**
 * A console that answers over HTTP. There is no lasting connection: it counts as connected from the login to the first request
 * that fails. A game that restarts between two requests goes unnoticed.
 */
export const restConsole =
  (dialect: RestDialect): Connect =>
  async (target, options) => {
    const obstacle = obstacleOf(target, options, dialect.longestCommandBytes);
    if (obstacle) return { failure: obstacle };
    const ask = createAskServer(target, dialect.user);
    const failure = await logIn(ask, target, dialect, options);
    return failure ? { failure } : { connection: openConnection(ask, target, dialect) };
  };

const logIn = async (
  ask: AskServer,
  target: ConsoleTarget,
  { login, isWelcome }: RestDialect,
  { connectTimeoutMs, signal }: ConnectOptions,
): Promise<ConnectFailure | null> => {
  const deadline = AbortSignal.timeout(Math.min(connectTimeoutMs, longestTimerMs));
  const answer = await ask(login, signal ? AbortSignal.any([deadline, signal]) : deadline);
  const address = addressOf(target);
  if (signal?.aborted) return { outcome: 'cancelled', detail: consoleReasons['console-cancelled'] };
  if (deadline.aborted) return { outcome: 'timeout', detail: consoleReasons['console-timeout'](address) };
  if ('failure' in answer) return answer.failure;
  if (isRefusedPassword(answer)) {
    const code = target.password.reveal() === '' ? 'console-password-missing' : 'console-password-refused';
    return { outcome: 'authentication failed', detail: consoleReasons[code](address) };
  }
  if (answer.status >= 500)
    return {
      outcome: 'connection lost',
      detail: consoleReasons['console-http-fault'](address, answer.status),
    };
  const object = objectIn(answer);
  if (answer.status === 200 && object !== null && isWelcome(object)) return null;
  return { outcome: 'wrong protocol', detail: consoleReasons['console-no-rest'](address) };
};

const openConnection = (ask: AskServer, target: ConsoleTarget, dialect: RestDialect): GameConnection => {
  const closing = new AbortController();
  const ended = Promise.withResolvers<string>();

  const end = (outcome: 'connection lost' | 'wrong protocol', detail: string, last?: LastCommand) => {
    if (closing.signal.aborted) return;
    closing.abort();
    // First, so that a caller whose command settles already sees this connection as ended.
    ended.resolve(detail);
    queue.end(outcome, last);
  };

  const carryOut = async (request: RestRequest) => {
    const answer = await ask(request, closing.signal);
    if (closing.signal.aborted) return;
    const address = addressOf(target);
    if ('failure' in answer) {
      const { failure, isUnsent } = answer;
      const outcome = failure.outcome === 'wrong protocol' ? failure.outcome : 'connection lost';
      return end(outcome, failure.detail, { isUnsent });
    }
    if (answer.status >= 300 && answer.status < 400)
      return end('wrong protocol', consoleReasons['console-no-rest'](address));
    // Nothing was carried out, so the command may be sent again with another password.
    if (isRefusedPassword(answer))
      return end('connection lost', consoleReasons['console-password-refused'](address), { isUnsent: true });
    // From the game, or from a proxy in front of it: what the command did is unknown.
    if (answer.status >= 500)
      return end('connection lost', consoleReasons['console-http-fault'](address, answer.status));
    const reply = replyOf(request, answer);
    if (answer.isCut) return end('connection lost', consoleReasons['console-reply-endless'], { reply });
    queue.answer(reply);
  };

  const queue = createCommandQueue({
    send(command) {
      const request = dialect.requestOf(command);
      if (request) void carryOut(request);
    },
    unfinished: () => null,
    executionLine: () => null,
    abandon: (why) => end('connection lost', why),
  });
  return {
    name: null,
    run: async (command, runOptions) =>
      isSendable(command, dialect.longestCommandBytes) && dialect.requestOf(command) !== null
        ? queue.run(command, runOptions)
        : withoutReply('invalid command'),
    ended: ended.promise,
    [Symbol.dispose]: () => end('connection lost', consoleReasons['console-closed-here']),
  };
};

const isRefusedPassword = ({ status }: RestAnswer): boolean => status === 401 || status === 403;

const objectIn = ({ text, isCut }: RestAnswer): object | null => {
  try {
    return isCut || !/^\s*\{/.test(text) ? null : JSON.parse(text);
  } catch {
    return null;
  }
};

/**
 * The answer as text. Its status alone says whether a command was carried out, so it is the first line (`HTTP 200`), with the body
 * below unless that says no more than `OK`. The answer to a question is its body.
 */
const replyOf = ({ method }: RestRequest, { status, text, isCut }: RestAnswer): Reply => {
  if (method === 'GET' && status === 200) return toReply(text, isCut);
  const said = text.trim();
  return toReply(said === '' || /^ok$/i.test(said) ? `HTTP ${status}` : `HTTP ${status}\n${said}`, isCut);
};
