import type { ConnectOptions, ConsoleTarget, GameConnection } from '../../connection.ts';
import { type SourceRconDialect, sourceRcon } from '../source-rcon.ts';

const isUnsolicited = (body: string) => body.startsWith('Keep Alive');

export const fenced: SourceRconDialect = {
  longestCommandBytes: 1446,
  endOfReply: 'odd-type-fence',
  isUnsolicited: () => false,
};
export const quiet: SourceRconDialect = {
  longestCommandBytes: 4000,
  endOfReply: 'quiet',
  isUnsolicited,
  quietMs: 300,
};

/** Generous: a loaded machine must not decide a test. */
export const patient: ConnectOptions = { connectTimeoutMs: 20_000 };
export const runPatiently = { timeoutMs: 20_000 };

export const open = async (
  target: ConsoleTarget,
  dialect: SourceRconDialect,
  options: ConnectOptions = patient,
): Promise<GameConnection> => {
  const opened = await sourceRcon(dialect)(target, options);
  if ('failure' in opened) throw new Error(`${opened.failure.outcome}: ${opened.failure.detail}`);
  return opened.connection;
};

export const failToOpen = async (
  target: ConsoleTarget,
  dialect: SourceRconDialect,
  options: ConnectOptions = patient,
) => {
  const opened = await sourceRcon(dialect)(target, options);
  if ('failure' in opened) return opened.failure;
  opened.connection[Symbol.dispose]();
  throw new Error('It connected.');
};
