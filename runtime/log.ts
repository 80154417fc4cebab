import { type Logger, pino, stdSerializers } from 'pino';
import { createRedactor, type Redact } from './redact.ts';

export type Log = Logger;

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** What waits for room on a full disk, longer than any line; what is beyond is dropped. */
const mostWaitingBytes = 4 * 2 ** 20;
const fullCodes: readonly unknown[] = ['ENOSPC', 'EDQUOT'];

/** A file on a full disk takes its lines once there is room, and does not end the program. */
const toDescriptor = (fd: number) => {
  const destination = pino.destination({ fd, sync: true, maxLength: mostWaitingBytes });
  destination.on('error', (error: NodeJS.ErrnoException) => {
    if (!fullCodes.includes(error.code)) throw error;
  });
  return destination;
};

/** JSON lines, by default on stdout; the host of the process keeps them in a file. */
export const createLog = ({
  component,
  level = 'info',
  redact = createRedactor(),
  fd = 1,
  destination = toDescriptor(fd),
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
