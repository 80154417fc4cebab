import { lstat, readdir, readFile, statfs } from 'node:fs/promises';
import { arch, cpus, freemem, machine, release, version as systemVersion, totalmem, uptime } from 'node:os';
import { join } from 'node:path';
import { product } from '#contracts/kernel/product.ts';
import { healthHttp } from '#contracts/operations/health.ts';
import { portOwner, tryPort } from '#runtime/ports.ts';
import type { StackConfig } from '#runtime/stack-config.ts';
import { version } from '#runtime/version.ts';
import { readDatabaseUrl } from '../stack/database-url.ts';
import { postgresFolder } from '../stack/operator-role.ts';

/** @param program more versions from the caller, such as Electron's */
export const versionFacts = async (home: string, program: Readonly<Record<string, string>>) => ({
  product: version,
  node: process.versions.node,
  ...program,
  postgresData: await readFile(join(postgresFolder(home), 'data', 'PG_VERSION'), 'utf8').then(
    (text) => text.trim(),
    () => 'there is none',
  ),
  system: `${process.platform} ${release()}, ${systemVersion()}, ${machine()} (${arch()})`,
  processors: cpus().length,
  memoryBytes: { free: freemem(), all: totalmem() },
  machineUpSeconds: Math.round(uptime()),
  locale: Intl.DateTimeFormat().resolvedOptions().locale,
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
});

export const portFacts = async (config: StackConfig | null) => {
  const database = config === null ? product.postgresPort : readDatabaseUrl(config.databaseUrl).port;
  const ports = { api: config?.apiPort ?? product.apiPort, database };
  const entries = Object.entries(ports).map(async ([name, port]) => {
    const obstacle = await tryPort(port);
    return [name, { port, obstacle, owner: obstacle === null ? null : await portOwner(port) }];
  });
  return Object.fromEntries(await Promise.all(entries));
};

export const diskFacts = async (home: string) => {
  const { bavail, blocks, bsize } = await statfs(home);
  return { freeBytes: bavail * bsize, allBytes: blocks * bsize };
};

const askMs = 5000;
const longestAnswer = 256 * 1024;

/** What the API tells this machine about itself, unchanged. */
export const healthFacts = async ({ apiOrigin }: StackConfig) => {
  const ask = async (path: string) => {
    try {
      const response = await fetch(apiOrigin + path, {
        signal: AbortSignal.timeout(askMs),
        redirect: 'error',
      });
      return { status: response.status, answer: parsed(await beginningOf(response)) };
    } catch (error) {
      const { message, cause } = error as Error;
      return { unanswered: cause instanceof Error ? `${message}: ${cause.message}` : message };
    }
  };
  const answers = Object.values(healthHttp).map(async ({ path }) => [path, await ask(path)]);
  return Object.fromEntries(await Promise.all(answers));
};

/** The program on the port may never stop sending. */
const beginningOf = async ({ body }: Response): Promise<string> => {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > longestAnswer) break;
  }
  return text.slice(0, longestAnswer);
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // Another program answers on that port.
    return text;
  }
};

/** Crash reports by name only: they are images of a program's memory, and of the secrets in it. */
export const crashReports = async (folder: string) => {
  const names = await readdir(folder, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const reports = names
    .filter((name) => name.endsWith('.dmp'))
    .map(async (name) => {
      const { size, mtime } = await lstat(join(folder, name));
      return { name, bytes: size, at: mtime.toISOString() };
    });
  return Promise.all(reports);
};
