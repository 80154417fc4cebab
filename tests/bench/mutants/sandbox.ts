import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { temporaryFolder } from '#harness/temporary-folder.ts';

const root = resolve(import.meta.dirname, '../../..');
/** Generated and fetched files and git's own files are not copied. */
const left = /^(?:\.git|\.cache|node_modules|dist.*|.*\.log)$/;
/** After this time the processes of a run are killed (longer than `endAllAtSignal` takes). */
const endMs = 30_000;

export interface TestRun {
  readonly outcome: 'passed' | 'failed' | 'out of time';
  /** Test files with a failure; empty if the failure belongs to no file. */
  readonly failed: readonly string[];
}

/** A copy of the tree in which faults are planted. It shares only the installed packages with the original. */
export interface Sandbox extends AsyncDisposable {
  /** Runs `act` while the file has this source. */
  withSource<T>(file: string, source: string, act: () => Promise<T>): Promise<T>;
  runTests(files: readonly string[], limitMs: number): Promise<TestRun>;
  /** Whether the part and its references pass the type check. */
  compiles(part: string): Promise<boolean>;
}

export const openSandbox = async (): Promise<Sandbox> => {
  await using opening = new AsyncDisposableStack();
  // A short name, because socket paths are created below it.
  const folder = opening.use(await temporaryFolder('m')).path;
  const removeNow = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  // A signal ends the bench without disposing.
  process.once('exit', removeNow);
  opening.defer(() => void process.off('exit', removeNow));
  const tree = join(folder, 'tree');
  const scratch = join(folder, 't');
  await copyTree(tree);
  const report = join(folder, 'report.json');
  const kept = opening.move();

  const start = (script: string, args: readonly string[]): ChildProcess =>
    spawn(process.execPath, [script, ...args], {
      cwd: tree,
      env: { ...process.env, TMPDIR: scratch },
      stdio: 'ignore',
    });

  return {
    async withSource(file, source, act) {
      const path = join(tree, file);
      const before = await readFile(path);
      await writeFile(path, source);
      try {
        return await act();
      } finally {
        await writeFile(path, before);
      }
    },
    async runTests(files, limitMs) {
      // Postgres runs as another account, which needs access to this folder.
      await rm(scratch, { recursive: true, force: true, maxRetries: 5 });
      await mkdir(scratch, { mode: 0o711 });
      await rm(report, { force: true });
      const vitest = join(tree, 'node_modules/vitest/vitest.mjs');
      const options = ['--project', 'units', '--bail', '1'];
      const child = start(join(import.meta.dirname, 'run-tests-main.ts'), [
        vitest,
        'run',
        ...options,
        ...['--reporter=json', `--outputFile=${report}`],
        ...files,
      ]);
      const limit = AbortSignal.timeout(limitMs);
      const [exitCode] = await once(child, 'exit', { signal: limit }).catch(async (error) => {
        if (!limit.aborted) throw error;
        child.kill('SIGTERM');
        await once(child, 'exit', { signal: AbortSignal.timeout(endMs) });
        return [null];
      });
      if (exitCode === null) return { outcome: 'out of time', failed: [] };
      if (exitCode === 0) return { outcome: 'passed', failed: [] };
      return { outcome: 'failed', failed: await failedFiles(report, tree) };
    },
    async compiles(part) {
      const child = start(join(tree, 'node_modules/typescript/bin/tsc'), ['-b', part]);
      const [exitCode] = await once(child, 'exit');
      return exitCode === 0;
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
};

const copyTree = async (tree: string): Promise<void> => {
  await mkdir(tree, { mode: 0o711 });
  for (const name of await readdir(root))
    if (!left.test(name)) await cp(join(root, name), join(tree, name), { recursive: true });
  // The compiler's output, if there is any, so that it checks only changed files.
  const types = join('.cache', 'types');
  if (existsSync(join(root, types))) await cp(join(root, types), join(tree, types), { recursive: true });
  // A folder of links instead of one link, so that vitest's own files in it stay in the copy.
  const packages = join(tree, 'node_modules');
  await mkdir(packages);
  for (const name of await readdir(join(root, 'node_modules')))
    if (!/^\.(?!bin$)/.test(name)) await symlink(join(root, 'node_modules', name), join(packages, name));
};

interface VitestReport {
  readonly testResults: readonly {
    readonly name: string;
    /** Why the file could not be loaded. */
    readonly message: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

const failedFiles = async (report: string, tree: string): Promise<readonly string[]> => {
  const text = await readFile(report, 'utf8').catch(() => null);
  if (text === null) return [];
  const { testResults } = JSON.parse(text) as VitestReport;
  return (
    testResults
      // Not the file's own status: a file that was given up after another's failure has that status, too.
      .filter(
        ({ message, assertionResults }) =>
          message !== '' || assertionResults.some(({ status }) => status === 'failed'),
      )
      .map(({ name }) => relative(tree, name).replaceAll('\\', '/'))
  );
};
