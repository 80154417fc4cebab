import childProcess, { ChildProcess } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { essentialPrograms, optionalPrograms, programsOf } from './available.ts';
import { builtProgram } from './built-program.ts';

/**
 * Every way of Node to start a program passes here, so that a test without the tag for a program fails on the machine that has
 * it, not only on the one that lacks it.
 */
export interface ProgramGuard {
  /** @param tags of the test that runs from now on, or those that all tests of the file share */
  allow(tags: readonly string[]): void;
  /** The programs started without a tag since the last call, a sentence each. */
  violations(): readonly string[];
}

const root = resolve(import.meta.dirname, '../..');
const isBelow = (path: string, folder: string) => path.startsWith(folder + sep);
/** Where tests and the products that they run put programs of their own; a copy of the tree has each package behind a link. */
const ownFolders = [root, dirname(realpathSync(join(root, 'node_modules/vitest'))), resolve(tmpdir())];

const guardedKey = Symbol.for('castellan.program-guard');
type Guarded = typeof globalThis & { [guardedKey]?: ProgramGuard };

/** Guards this process; a second call returns the first guard. */
export const guardPrograms = (): ProgramGuard => {
  const here = globalThis as Guarded;
  here[guardedKey] ??= installGuard();
  return here[guardedKey];
};

/** What a test makes up does not exist anywhere, and whether it does is not for this guard to say. */
const exists = (program: string): boolean =>
  isAbsolute(program)
    ? existsSync(program)
    : (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));

const installGuard = (): ProgramGuard => {
  let allowed: ReadonlySet<string> = new Set();
  let found = new Set<string>();
  const report = (program: string) => {
    const isOwn =
      program === process.execPath ||
      (isAbsolute(program) && ownFolders.some((folder) => isBelow(resolve(program), folder)));
    const name = basename(program);
    if (
      isOwn ||
      essentialPrograms.has(name) ||
      optionalPrograms.has(name) ||
      allowed.has(name) ||
      !exists(program)
    )
      return;
    found.add(`starts ${program} without a tag of tests/harness/available.ts that names it`);
  };
  guardAsynchronous(report);
  guardSynchronous(report);
  return {
    allow(tags) {
      allowed = new Set(tags.flatMap(programsOf));
    },
    violations() {
      const since = [...found];
      found = new Set();
      return since;
    },
  };
};

interface ToSpawn {
  readonly file: string;
  readonly args?: readonly string[] | undefined;
}

const diskWorker = join(root, 'runtime/disk-worker/main.ts');
/** The product finds its disk worker among the sources that the tests import; what the run has built starts in a third of the time. */
const asBuilt = (argument: string): string =>
  argument === diskWorker ? builtProgram('disk-worker', diskWorker) : argument;

/** spawn, exec, execFile and fork all end here, also those that a module has imported by name before. */
const guardAsynchronous = (report: (program: string) => void) => {
  const prototype = ChildProcess.prototype as unknown as { spawn(options: ToSpawn): number };
  const { spawn } = prototype;
  prototype.spawn = function (options) {
    report(options.file);
    return spawn.call(this, { ...options, args: options.args?.map(asBuilt) });
  };
};

const guardSynchronous = (report: (program: string) => void) => {
  const synchronous = childProcess as unknown as Record<
    string,
    (program: string, ...rest: unknown[]) => unknown
  >;
  for (const name of ['spawnSync', 'execFileSync']) {
    const start = synchronous[name];
    if (start === undefined) throw new Error(`node:child_process has no ${name}`);
    synchronous[name] = (program, ...rest) => {
      report(program);
      return start(program, ...rest);
    };
  }
  syncBuiltinESMExports();
};
