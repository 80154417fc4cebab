import { randomBytes, randomUUID } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { product } from '#contracts/kernel/product.ts';
import { writeFileAtomically } from '#runtime/atomic-write.ts';
import { newSecretText } from '#runtime/auth/secret-token.ts';
import { isRestoreUnfinished } from '#runtime/backup/restore-journal.ts';
import { linesOf } from '#runtime/decode-text.ts';
import {
  ConfigError,
  type EnvFile,
  emptiedFaults,
  meantFaults,
  mistypedFault,
  openEnvFile,
  readEnv,
  strayFaults,
} from '#runtime/env.ts';
import { type HeldLock, lockFile } from '#runtime/license/record/file-lock.ts';
import { isThere } from '#runtime/path-access.ts';
import { findFreePort } from '#runtime/ports.ts';
import { databaseIn } from '#runtime/postgres/database-state.ts';
import { StartupError } from '#runtime/program.ts';
import { stackEnv, stackEnvPath } from '#runtime/stack-config.ts';
import { demandOwnHome } from '../data-folder/move-marks.ts';
import { postgresFolder } from '../stack/operator-role.ts';
import { renderAdditions, renderEnv, type StackValues, type StackVariable } from './env-template.ts';
import type { LicenseServer } from './license-server.ts';

const onlyOwner = 0o600;
/** The bits of a file's mode that give everyone access; Windows has none. */
const others = process.platform === 'win32' ? 0 : 0o007;

/** What a person chose before the first start; the ports are known to be free. */
interface ChosenValues {
  readonly postgresPort: number;
  readonly values: StackValues & Required<Pick<StackValues, 'API_PORT'>>;
}

/**
 * Ensures that the data folder has a complete `.env`. A first one is written whole, with fresh secrets; an existing one
 * keeps every line, and what it lacks is added at its end. If several programs call this at the same time, the first one
 * does the work. Nothing is written when nothing is missing, so a full disk then does not matter.
 * @param chosen used only in a first one
 * @returns what was done, in words, for the person who started us
 * @throws {StartupError} for a data folder that was moved elsewhere
 * @throws {ConfigError} naming every wrong value, or the lost key of a database; the file then stays unchanged
 */
export const ensureEnv = async (
  home: string,
  licenseServer: LicenseServer | null,
  chosen?: ChosenValues,
): Promise<string[]> => {
  await demandOwnHome(home);
  if (isRestoreUnfinished(home))
    throw new StartupError('A restore was interrupted. The next start completes it: castellan start');
  const path = stackEnvPath(home);
  const found = await readExisting(home, path, licenseServer);
  if (found?.added === null) return found.said;

  await using lock = await lockEnv(path);
  // Another program may have written it since.
  const present = await readExisting(home, path, licenseServer);
  if (present === null) return await writeFirst(path, licenseServer, lock, chosen);
  const { added, said } = present;
  if (added === null) return said;
  await write(added.target, added.text, added.mode, lock);
  return added.said;
};

interface Existing {
  /** About the file as it is. */
  readonly said: string[];
  /** What it lacks; null: nothing. */
  readonly added: {
    readonly target: string;
    readonly text: string | Buffer;
    readonly mode: number;
    readonly said: string[];
  } | null;
}

/** Null when there is no `.env`. */
const readExisting = async (
  home: string,
  path: string,
  licenseServer: LicenseServer | null,
): Promise<Existing | null> => {
  const file = await openEnvFile(path).catch((error: Error) => {
    if (error instanceof ConfigError) throw error;
    throw new StartupError(`${path} cannot be read: ${error.message}`, { cause: error });
  });
  const { text, encoding, values, strayLines } = file;
  if (text === null) demandNotRenamed(home, path);
  demandKeyOfDatabase(home, path, file);
  if (text === null) return null;

  const target = await realpath(path);
  const { mode } = await stat(target);
  const unset = Object.keys(stackEnv.shape).filter((name) => !values[name]);
  // Said, not refused: a stack that has run without them keeps running.
  const meant = [...meantFaults(stackEnv, file, unset), ...emptiedFaults(file, unset)].map(
    ({ variable, message }) => `${path}: ${variable} ${message}`,
  );
  const said =
    mode & others ? [`${path} can be read by other accounts. Close it with: chmod o-rwx ${path}`] : [];
  const ports = values.DATABASE_URL ? usualPorts : await freePorts();
  const missing = without(
    {
      ...freshValues(licenseServer, ports.postgres),
      ...(ports.api === product.apiPort ? {} : { API_PORT: String(ports.api) }),
    },
    values,
  );
  demandNoneMeant(path, file, Object.keys(missing));
  readEnv(stackEnv, { ...values, ...missing }, path, strayLines);
  if (Object.keys(missing).length > 0) demandNotCutOff(home, path, text);
  if (Object.keys(missing).length === 0) return { said: [...said, ...meant], added: null };
  const gap = text === '' || /[\r\n]$/.test(text) ? '' : '\n';
  return {
    said,
    added: {
      target,
      text: Buffer.from(`${text}${gap}\n${renderAdditions(missing)}`, encoding),
      mode: mode & 0o777 & ~others,
      said: [`${path}: added ${Object.keys(missing).join(', ')}`, ...ports.said(missing), ...meant],
    },
  };
};

/** A new secret beside the mistyped line of the old one would lock out the agents or the bot. */
const demandNoneMeant = (path: string, file: EnvFile, missing: readonly string[]) => {
  const faults = [...meantFaults(stackEnv, file, missing), ...emptiedFaults(file, missing)];
  if (faults.length > 0) throw new ConfigError(path, faults);
};

/** A fresh key would open nothing that the lost one has sealed. */
const demandKeyOfDatabase = (home: string, path: string, file: EnvFile) => {
  const { values, strayLines } = file;
  if (values.CONFIG_ENCRYPTION_KEY || !hasDatabase(home)) return;
  const variable = 'CONFIG_ENCRYPTION_KEY';
  const emptied = emptiedFaults(file, [variable]);
  if (emptied.length > 0) throw new ConfigError(path, emptied);
  const message = 'is missing, but there is a database whose secrets need it: put the old key back';
  throw new ConfigError(path, [
    mistypedFault(stackEnv, values, variable) ?? { variable, message },
    ...strayFaults(strayLines),
  ]);
};

/** Notepad appends .txt to what it saves, and Windows does not show it. */
const demandNotRenamed = (home: string, path: string) => {
  if (isThere(`${path}.txt`, home))
    throw new StartupError(
      `The settings are in ${path}.txt, which Castellan does not read. Rename it to .env.`,
    );
};

const hasDatabase = (home: string): boolean => databaseIn(join(postgresFolder(home), 'data')) !== 'none';

/** Fresh secrets in place of those that a full disk or a torn copy has cut off would lock out the agents. */
const demandNotCutOff = (home: string, path: string, text: string) => {
  if (text === '' || /[\r\n]$/.test(text) || !hasDatabase(home)) return;
  const message =
    'ends without a line break, and lines after it are missing: put the file back from a backup, or end the line if it is whole';
  throw new ConfigError(path, [{ variable: `line ${linesOf(text).length}`, message }]);
};

const writeFirst = async (
  path: string,
  licenseServer: LicenseServer | null,
  lock: HeldLock,
  chosen?: ChosenValues,
): Promise<string[]> => {
  if (chosen) {
    const values = { ...freshValues(licenseServer, chosen.postgresPort), ...chosen.values };
    readEnv(stackEnv, values, path);
    await write(path, renderEnv(values), onlyOwner, lock);
    return [`${path}: written with your choices`];
  }
  const ports = await freePorts();
  const values = { ...freshValues(licenseServer, ports.postgres), API_PORT: String(ports.api) };
  await write(path, renderEnv(values), onlyOwner, lock);
  return [`${path}: written with new secrets`, ...ports.said(values)];
};

/** What every installation must have and must differ between any two. */
const freshValues = (licenseServer: LicenseServer | null, postgresPort: number): StackValues => {
  return {
    CONFIG_ENCRYPTION_KEY: randomBytes(32).toString('hex'),
    GAME_AGENT_SECRET: newSecretText(),
    INTERNAL_API_SECRET: newSecretText(),
    INSTANCE_ID: randomUUID(),
    DATABASE_URL: `postgresql://castellan:${newSecretText()}@127.0.0.1:${postgresPort}/castellan?connection_limit=20`,
    ...(licenseServer
      ? { LICENSE_SERVER_URL: licenseServer.url, LICENSE_SERVER_PUBLIC_KEY: licenseServer.publicKey }
      : {}),
  };
};

/** An empty value counts as absent, as everywhere. */
const without = (fresh: StackValues, present: NodeJS.Dict<string>): StackValues =>
  Object.fromEntries(Object.entries(fresh).filter(([name]) => !present[name as StackVariable]));

interface Ports {
  readonly api: number;
  readonly postgres: number;
  /** What to tell a person about the ports that were written into `.env`. */
  said(written: StackValues): string[];
}

const usualPorts: Ports = { api: product.apiPort, postgres: product.postgresPort, said: () => [] };

/** For an installation without a database: the usual ports, or the next free ones. */
const freePorts = async (): Promise<Ports> => {
  const api = await freePortNear(product.apiPort);
  const postgres = await freePortNear(product.postgresPort);
  return {
    api,
    postgres,
    said: ({ API_PORT, DATABASE_URL }) => [
      ...(API_PORT && api !== product.apiPort
        ? [`port ${product.apiPort} is in use, so the API gets ${api}`]
        : []),
      ...(DATABASE_URL && postgres !== product.postgresPort
        ? [`port ${product.postgresPort} is in use, so Postgres gets ${postgres}`]
        : []),
    ],
  };
};

const freePortNear = async (port: number): Promise<number> => (await findFreePort(port)) ?? port;

const lockEnv = async (path: string): Promise<HeldLock> => {
  try {
    return await lockFile(`${path}.lock`);
  } catch (error) {
    throw cannotBeWritten(path, error);
  }
};

const write = async (path: string, text: string | Buffer, mode: number, lock: HeldLock) => {
  try {
    lock.assertHeld();
    await writeFileAtomically(path, text, mode);
  } catch (error) {
    throw cannotBeWritten(path, error);
  }
};

const cannotBeWritten = (path: string, error: unknown): StartupError =>
  new StartupError(`${path} cannot be written: ${(error as Error).message}`, { cause: error });
