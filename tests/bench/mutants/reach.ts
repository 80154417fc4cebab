import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, openSync, writeSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { join } from 'node:path';
import type { NamedTest } from './named-tests.ts';
import type { Mutant } from './planted-faults.ts';
import { consoleMark, plantProbes } from './probes.ts';
import type { Sandbox, TestRun } from './sandbox.ts';

/** What a test executes of the probed files. */
export interface Reach {
  readonly run: TestRun;
  readonly reaches: (mutant: Mutant) => boolean;
}

/**
 * Runs a test on sources that report what is executed, and not with Node's coverage: that is lost when a process is killed, and it counts
 * positions in bundles.
 * @param files path → source
 */
export const measureReach = async (
  sandbox: Sandbox,
  test: NamedTest,
  files: ReadonlyMap<string, string>,
  limitMs: number,
): Promise<Reach> => {
  const report = join(sandbox.folder, 'reached');
  // Programs of other accounts report, too.
  await writeFile(report, '', { mode: 0o666 });
  const probed = new Map(
    [...files].map(([file, source], id) => [file, { id, ...plantProbes(source, file, id, report) }]),
  );
  const sources = new Map([...probed].map(([file, { source }]) => [file, source]));
  const isInBrowsers = [...files.keys()].some((file) => /^(?:renderer|contracts)\//.test(file));
  await using consoles = isInBrowsers ? await readConsoles(join(sandbox.folder, 'consoles')) : null;
  const run = await sandbox.withSources(sources, () =>
    sandbox.runTests([test.file], limitMs, { name: test.name, env: { ...test.variables, ...consoles?.env } }),
  );
  const inProcesses = (await readFile(report, 'utf8')).split('\n');
  const reached = new Set([...inProcesses, ...((await consoles?.all()) ?? [])]);
  return {
    run,
    reaches({ file, start }) {
      const found = probed.get(file);
      const probe = found?.probeAt(start);
      return found !== undefined && probe != null && reached.has(`${found.id}:${probe}`);
    },
  };
};

interface Consoles extends AsyncDisposable {
  readonly env: Readonly<Record<string, string>>;
  /** The probes that browsers have reported until now. */
  all(): Promise<ReadonlySet<string>>;
}

const mark = new RegExp(`${consoleMark}(\\d+:\\d+|end)`, 'g');
/** Longer than a mark, which may arrive in two parts. */
const overlap = 100;

/** Playwright can write what it exchanges with browsers, and so their consoles, to a file: here a pipe, since it may be gigabytes. */
const readConsoles = async (path: string): Promise<Consoles> => {
  await rm(path, { force: true });
  const [exitCode] = await once(spawn('mkfifo', ['-m', '666', path]), 'exit');
  if (exitCode !== 0) throw new Error('mkfifo failed');
  const reached = new Set<string>();
  const end = Promise.withResolvers<void>();
  // Also opened for writing, so that it does not end with the first process that writes to it.
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  const socket = new Socket({ fd, writable: false });
  let last = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    const both = last + text;
    for (const [, probe = ''] of both.matchAll(mark)) reached.add(probe);
    if (reached.has('end')) end.resolve();
    last = both.slice(-overlap);
  });
  return {
    env: { DEBUG: 'pw:protocol', DEBUG_FILE: path },
    async all() {
      // What stands before it in the pipe has been read when it arrives.
      writeSync(fd, `${consoleMark}end\n`);
      await end.promise;
      return reached;
    },
    async [Symbol.asyncDispose]() {
      socket.destroy();
      await rm(path, { force: true });
    },
  };
};
