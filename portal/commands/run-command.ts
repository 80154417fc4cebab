import { actAsOwner } from '#runtime/act-as-owner.ts';
import { isDatabaseAway } from '#runtime/database/pool.ts';
import { ConfigError } from '#runtime/env.ts';
import { createLog } from '#runtime/log.ts';
import { printableLines } from '#runtime/printable.ts';
import { configExitCode, StartupError } from '#runtime/program.ts';
import { portalHome, readPortalConfig } from '../config.ts';
import { createContext, type PortalContext } from '../context.ts';
import { reachDatabase } from '../database/reach-database.ts';
import { finishRestore } from '../home/finish-restore.ts';
import { CommandError, exitCodes, type Said } from './outcome.ts';

export type RunCommand = (
  options: { readonly json?: boolean | undefined },
  work: (context: PortalContext) => Promise<Said>,
) => Promise<void>;

export interface CommandEnvironment {
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly guardianEntry: string;
}

const stderr = 2;

/** Does one thing with the portal's database, prints the outcome, and exits with its code. */
export const createRunCommand =
  ({ variables, guardianEntry }: CommandEnvironment): RunCommand =>
  (options, work) =>
    answerCommand(options, () => withContext(variables, guardianEntry, work));

/** Prints the outcome of a command, or the reason for its failure. */
export const answerCommand = async (
  { json = false }: Parameters<RunCommand>[0],
  work: () => Promise<Said>,
): Promise<void> => {
  try {
    const said = await work();
    process.stdout.write(json ? `${JSON.stringify(said.json)}\n` : printableLines(said.text));
  } catch (error) {
    process.stderr.write(`${printableLines(messageOf(error))}\n`);
    process.exitCode = exitCodeOf(error);
  }
};

/** What was done besides the command; its own answer is on stdout. */
export const sayOnStderr = (words: string): void => {
  process.stderr.write(`${printableLines(words)}\n`);
};

/** What comes before anything is read or written in the data folder. */
export const enterHome = async (variables: CommandEnvironment['variables']): Promise<void> => {
  await actAsOwner(portalHome(variables));
  await finishRestore(variables, sayOnStderr);
};

const withContext = async <T>(
  variables: CommandEnvironment['variables'],
  guardianEntry: string,
  work: (context: PortalContext) => Promise<T>,
): Promise<T> => {
  const log = createLog({ component: 'portal', level: 'warn', fd: stderr });
  await enterHome(variables);
  const config = await readPortalConfig(variables);
  await using resources = new AsyncDisposableStack();
  const onLost = (error: unknown) => log.error({ err: error }, 'lost the database');
  const reached = await reachDatabase({ config, purpose: 'command', guardianEntry, log, resources, onLost });
  const context = resources.use(
    await createContext({
      ...reached,
      previousMasterKeys: config.previousMasterKeys,
      mailFrom: config.mailFrom,
      log,
    }),
  );
  return await work(context);
};

const isExpected = (error: unknown): error is Error =>
  error instanceof CommandError || error instanceof ConfigError || error instanceof StartupError;

const messageOf = (error: unknown): string => {
  if (isExpected(error)) return error.message;
  if (isDatabaseAway(error)) return 'The database cannot be reached. Is PORTAL_DATABASE_URL right?';
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
};

const exitCodeOf = (error: unknown): number => {
  if (error instanceof CommandError) return error.exitCode;
  return error instanceof ConfigError ? configExitCode : exitCodes.failed;
};
