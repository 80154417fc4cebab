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
  /** How many tests passed or failed; without a test that did, the run shows nothing. */
  readonly ran: number;
  /** Why the first test or file failed, on one line. */
  readonly reason?: string | undefined;
}

interface RunOptions {
  /** Only tests whose full name contains it. */
  readonly name?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** A copy of the tree in which faults are planted. It shares only the installed packages with the original. */
export interface Sandbox extends AsyncDisposable {
  /** Other files may be put beside the tree. */
  readonly folder: string;
  /** Runs `act` while the files have these sources. */
  withSources<T>(sources: ReadonlyMap<string, string>, act: () => Promise<T>): Promise<T>;
  /** Runs test files of any project; the first failure ends the run. */
  runTests(files: readonly string[], limitMs: number, options?: RunOptions): Promise<TestRun>;
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

  // A copy of the programs that was made for another run has no fault in it.
  const { CASTELLAN_PROGRAMS: _, CASTELLAN_TEST_PROGRAMS: _copy, ...inherited } = process.env;
  const start = (script: string, args: readonly string[], env: RunOptions['env'] = {}): ChildProcess =>
    spawn(process.execPath, [script, ...args], {
      cwd: tree,
      env: { ...inherited, TMPDIR: scratch, ...env },
      stdio: 'ignore',
    });

  return {
    folder,
    async withSources(sources, act) {
      await using changed = new AsyncDisposableStack();
      for (const [file, source] of sources) {
        const path = join(tree, file);
        const before = await readFile(path);
        changed.defer(() => writeFile(path, before));
        await writeFile(path, source);
      }
      return await act();
    },
    async runTests(files, limitMs, { name, env } = {}) {
      // Postgres runs as another account, which needs access to this folder.
      await rm(scratch, { recursive: true, force: true, maxRetries: 5 });
      await mkdir(scratch, { mode: 0o711 });
      await rm(report, { force: true });
      const vitest = join(tree, 'node_modules/vitest/vitest.mjs');
      const options = ['--bail', '1', '--reporter=json', `--outputFile=${report}`];
      if (name !== undefined) options.push('--testNamePattern', RegExp.escape(name));
      const main = join(import.meta.dirname, 'run-tests-main.ts');
      const child = start(main, [vitest, 'run', ...options, ...files], env);
      const limit = AbortSignal.timeout(limitMs);
      const [exitCode] = await once(child, 'exit', { signal: limit }).catch(async (error) => {
        if (!limit.aborted) throw error;
        child.kill('SIGTERM');
        await once(child, 'exit', { signal: AbortSignal.timeout(endMs) });
        return [null];
      });
      if (exitCode === null) return { outcome: 'out of time', failed: [], ran: 0 };
      return { outcome: exitCode === 0 ? 'passed' : 'failed', ...(await readReport(report, tree)) };
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
  await mkdir(join(tree, '.cache'));
  if (existsSync(join(root, types))) await cp(join(root, types), join(tree, types), { recursive: true });
  // Fetched files, such as the browser, are only read.
  for (const name of await readdir(join(root, '.cache')).catch(() => []))
    if (name !== 'types' && !name.startsWith('.'))
      await symlink(join(root, '.cache', name), join(tree, '.cache', name));
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
    readonly assertionResults: readonly {
      readonly status: string;
      readonly failureMessages?: readonly string[];
    }[];
  }[];
}

const readReport = async (report: string, tree: string): Promise<Omit<TestRun, 'outcome'>> => {
  const text = await readFile(report, 'utf8').catch(() => null);
  if (text === null) return { failed: [], ran: 0 };
  const { testResults } = JSON.parse(text) as VitestReport;
  const failed = testResults
    // Not the file's own status: a file that was given up after another's failure has that status, too.
    .filter(
      ({ message, assertionResults }) =>
        message !== '' || assertionResults.some(({ status }) => status === 'failed'),
    )
    .map(({ name }) => relative(tree, name).replaceAll('\\', '/'));
  const ran = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'passed' || status === 'failed');
  const [reason] = testResults
    .flatMap(({ message, assertionResults }) => [
      message,
      ...assertionResults.flatMap(({ failureMessages = [] }) => failureMessages),
    ])
    .filter((text) => text !== '');
  return { failed, ran: ran.length, reason: reason?.split('\n')[0] };
};
