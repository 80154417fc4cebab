import { consoleReasons } from '#contracts/kernel/console-reasons.ts';
import type { ConnectFailure, ConsoleTarget } from '../connection.ts';

/** From the most telling to the least: among several addresses of one name, the one that got farthest counts. */
const errorCodes = [
  ['connection refused', /^ECONNREFUSED$/],
  ['connection lost', /^(?:ECONNRESET|EPIPE|ECONNABORTED)$/],
  ['timeout', /TIMEDOUT$/],
  ['name not found', /^(?:ENOTFOUND|ENODATA|EAI_\w+|ERR_INVALID_ARG_VALUE|ERR_INVALID_IP_ADDRESS)$/],
] as const satisfies readonly (readonly [ConnectFailure['outcome'], RegExp])[];

/** `host:port` as people write it. */
export const addressOf = ({ host, port }: ConsoleTarget): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;

/** The meaning of a socket error before the game has answered. */
export const failureOf = (error: unknown, target: ConsoleTarget): ConnectFailure => {
  const codes = codesOf(error);
  const outcome =
    errorCodes.find(([, pattern]) => codes.some((code) => pattern.test(code)))?.[0] ?? 'unreachable';
  const shown = codes.length > 0 ? [consoleReasons['error-code']([...new Set(codes)].join(', '))] : [];
  return { outcome, detail: [sentences[outcome](target), ...shown].join(' ') };
};

const sentences = {
  'connection refused': (target) => consoleReasons['console-refused'](addressOf(target)),
  'connection lost': (target) => consoleReasons['console-cut'](addressOf(target)),
  timeout: (target) => consoleReasons['console-timeout'](addressOf(target)),
  'name not found': ({ host }) => consoleReasons['console-name-unknown'](host),
  unreachable: (target) => consoleReasons['console-unreachable'](addressOf(target)),
} as const satisfies Partial<Record<ConnectFailure['outcome'], (target: ConsoleTarget) => string>>;

/** A name with several addresses fails with all their errors together. */
const codesOf = (error: unknown): readonly string[] => {
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.flatMap(codesOf);
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? [code] : [];
};
