import { type Logger, pino, stdSerializers } from 'pino';
import { createRedactor, type Redact } from './redact.ts';

export type Log = Logger;

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** JSON lines, by default on stdout; the host of the process keeps them in a file. */
export const createLog = ({
  component,
  level = 'info',
  redact = createRedactor(),
  fd = 1,
  destination = pino.destination({ fd, sync: true }),
}: {
  /** The program that logs. */
  readonly component: string;
  readonly level?: LogLevel;
  readonly redact?: Redact;
  /** File descriptor; 1 unless a command line keeps stdout for its answer. */
  readonly fd?: number;
  /** Receives the lines instead of a file descriptor. */
  readonly destination?: { write(line: string): void };
}): Log =>
  pino(
    {
      level,
      base: { component },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: stdSerializers.errWithCause },
      hooks: { streamWrite: redact },
    },
    destination,
  );
