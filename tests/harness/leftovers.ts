import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually.ts';
import { childrenOf } from './processor-time.ts';

/** How long what a file ended may take to be gone. */
const usualPatienceMs = 10_000;
/** Inherited by everything that a test file starts, also when its parent ends first. */
const mark = 'CASTELLAN_TEST_FILE';
/**
 * Caches that programs put there for the next ones: of compiled code, by Node and by a loader of Vite's; and the folder of
 * the socket by which a second Chromium or Electron would find the first, which stays when that ends by `app.exit`.
 */
const isOfOthers = (name: string): boolean =>
  name === 'node-compile-cache' || name === 'jiti' || name.startsWith('scoped_dir');

/** Watches what one test file leaves behind. */
export interface Leftovers {
  /** Waits until nothing is left. @throws {Error} that names the processes, listening sockets and files that stay */
  expectNone(): Promise<void>;
}

/** Gives the test file a temporary folder of its own, and marks what it starts, until the end of `expectNone`. */
export const watchLeftovers = (file: string, { patienceMs = usualPatienceMs } = {}): Leftovers => {
  const before = { TMPDIR: process.env.TMPDIR, [mark]: process.env[mark] };
  const folder = mkdtempSync(join(tmpdir(), 'ct-'), { encoding: 'utf8' });
  // Under root, Postgres runs as another account.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  process.env[mark] = `${process.pid}:${file}`;
  const started = new Set(childrenOf(process.pid));
  const sockets = listening();
  return {
    async expectNone() {
      try {
        await eventually(() => {
          const left = [
            ...runningOf(process.env[mark] ?? '', started).map((one) => `the process ${one}`),
            ...(listening() > sockets
              ? [`${listening() - sockets} listening sockets in its own process`]
              : []),
            ...readdirSync(folder)
              .filter((name) => !isOfOthers(name))
              .map((name) => `the file ${name} in its temporary folder`),
          ];
          if (left.length > 0) throw new Error(`${file} leaves behind ${left.join(', ')}`);
        }, patienceMs);
      } finally {
        for (const [name, value] of Object.entries(before))
          if (value === undefined) delete process.env[name];
          else process.env[name] = value;
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
};

const listening = (): number =>
  process.getActiveResourcesInfo().filter((kind) => kind === 'TCPServerWrap' || kind === 'PipeServerWrap')
    .length;

/** Null for a process that has ended, and for one of another account, which no test starts without root. */
const textOf = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
};

/** Its children and what carries the mark, by pid and command line; those that had been started before do not count. */
const runningOf = (value: string, before: ReadonlySet<number>): readonly string[] => {
  const entry = `${mark}=${value}`;
  const marked = (textOf('/proc/self/stat') === null ? [] : readdirSync('/proc'))
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid)
    .filter((pid) => textOf(`/proc/${pid}/environ`)?.split('\0').includes(entry));
  return [...new Set([...childrenOf(process.pid), ...marked])]
    .filter((pid) => !before.has(pid))
    .flatMap((pid) => {
      const command = textOf(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ').trim();
      return command ? [`${pid} (${command.slice(0, 120)})`] : [];
    });
};
