import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { TestScreen } from '#harness/screen.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { isAlive } from '#runtime/live-process.ts';

const scripts = resolve(import.meta.dirname, '../../build/lab');
/** Also the folder where `npm run setup:test` builds it. */
const labFolder = process.env.CASTELLAN_LAB ?? resolve(import.meta.dirname, '../../.cache/windows-lab');

export interface WindowsRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A separate Windows, in Wine, with the machine's network. */
export interface WindowsLab extends AsyncDisposable {
  /** Drive C: as a folder of this machine. */
  readonly drive: string;
  /** Runs a Windows program to its end; paths as Windows writes them. The exit code is modulo 256. */
  run(program: string, args: readonly string[], input?: string): Promise<WindowsRun>;
  /** Ends everything instantly, like a power cut. */
  cutPower(): Promise<void>;
  /** Starts Windows and its automatic services. */
  boot(): Promise<void>;
  /** The process ids, on this machine, of processes that run this program with all of these texts in the command line. */
  pids(program: string, ...texts: readonly string[]): Promise<readonly number[]>;
  /** Runs a program of the lab's Linux on the same screen. @returns its output */
  onScreen(command: readonly string[]): Promise<string>;
  /** Takes a picture of the screen. */
  picture(path: string): Promise<void>;
  /** Starts such a program; disposing ends it. */
  keepOnScreen(command: readonly string[]): AsyncDisposable;
}

/** Stdio is never a pipe: Node for Windows cannot use a Linux pipe, and Wine's server would keep it open. */
const spawnInShell = (
  command: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): ChildProcess =>
  spawn('bash', [command, ...args], { stdio: 'ignore', env: { ...process.env, ...variables } });

const endOf = async (child: ChildProcess): Promise<number> => {
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? -1;
};

const inShell = (...started: Parameters<typeof spawnInShell>): Promise<number> =>
  endOf(spawnInShell(...started));

/** Why no lab is available here; null if one is ready. */
export const labObstacle = async (): Promise<string | null> => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'the lab needs root on Linux';
  if (!existsSync(join(labFolder, 'lab.version'))) return 'no Windows lab was built';
  await using work = await temporaryFolder('windows-try');
  const code = await inShell(join(scripts, 'lab.sh'), [labFolder, work.path, 'true']);
  return code === 0 ? null : 'this machine allows no chroot with mounts of its own';
};

interface LabProcess {
  readonly pid: number;
  readonly program: string;
  readonly commandLine: string;
}

/** The processes of the lab in this folder only: several labs may run the same programs at the same time. */
const processesIn = async (work: string): Promise<readonly LabProcess[]> => {
  const found: LabProcess[] = [];
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const read = (name: string) => readFile(join('/proc', entry, name), 'utf8').catch(() => '');
    if (!(await read('mountinfo')).includes(basename(work))) continue;
    const commandLine = await read('cmdline');
    found.push({ pid: Number(entry), program: commandLine.split('\0')[0] ?? '', commandLine });
  }
  return found;
};

/** Everything in the lab has ended or hangs, which says nothing about our programs. */
export class WineServerDied extends Error {
  override readonly name = 'WineServerDied';
}

const serverLookMs = 2000;
const wineServer = /\bwineserver(?:64)?$/;

/** If Wine's server itself has died, it can no longer end any process. */
const endLeft = async (work: string): Promise<void> => {
  for (const { pid } of await processesIn(work)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has already ended.
    }
  }
};

/**
 * One lab at a time on this machine: with several, Wine's servers have died for unknown reasons. The lock is released with
 * this process, no matter how it ends.
 */
const holdLab = async (): Promise<AsyncDisposable> => {
  const holder = spawn('flock', ['--exclusive', `${labFolder}.lock`, 'sh', '-c', 'echo held; cat'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(holder, 'exit');
  await once(holder.stdout, 'data');
  return {
    async [Symbol.asyncDispose]() {
      holder.stdin.end();
      await ended;
    },
  };
};

/** The languages of Windows that the lab can have, by the code page that Wine takes from them. */
const languages = { 932: 'ja_JP.UTF-8', 1252: 'C.UTF-8', 65001: 'hi_IN.UTF-8' } as const;

export const openWindowsLab = async ({
  screen,
  codePage = 1252,
}: {
  /** The screen for Windows; without one, only programs without windows can run. */
  readonly screen?: TestScreen;
  /** Of programs without Unicode. */
  readonly codePage?: keyof typeof languages;
} = {}): Promise<WindowsLab> => {
  await using opening = new AsyncDisposableStack();
  opening.use(await holdLab());
  const work = opening.use(await temporaryFolder('windows')).path;
  const variables = { LAB_DISPLAY: screen?.env.DISPLAY ?? '', LAB_LANG: languages[codePage] };
  const inLab = (command: readonly string[]) =>
    [join(scripts, 'lab.sh'), [labFolder, work, ...command], variables] as const;
  const shell = (script: string, ...args: readonly string[]) =>
    inShell(...inLab(['bash', '-c', script, 'lab', ...args]));
  /** The pid of Wine's server, while one should be running. */
  let booted: number | undefined;
  const cutPower = async () => {
    booted = undefined;
    await shell('wineserver -k; wineserver -w');
  };
  const server = async () => (await processesIn(work)).find(({ program }) => wineServer.test(program))?.pid;
  // On Windows, services have no screen. Here their consoles would be windows on the test's screen, and closing one ends its host.
  const boot = async () => {
    await shell('wineserver -p 2>/lab/server.out; env -u DISPLAY wineboot -r >/lab/boot.out 2>&1 </dev/null');
    booted = await server();
    if (booted === undefined) throw new Error("Wine's server did not start");
  };
  let hasDied = false;
  /** If Wine's server dies, its programs end with code 0, as if they had succeeded. */
  const demandServer = async () => {
    if (booted !== undefined && (await server()) !== booted) hasDied = true;
    if (!hasDied) return;
    const said = await readFile(join(work, 'server.out'), 'utf8');
    throw new WineServerDied(`Wine's server has died. ${said}`);
  };
  /** Without this, waiting for a program that hangs because its server is gone would last until the test's deadline. */
  const watchServer = (): Disposable => {
    const timer = setInterval(() => {
      if (booted === undefined || isAlive(booted)) return;
      hasDied = true;
      booted = undefined;
      void endLeft(work);
    }, serverLookMs);
    return { [Symbol.dispose]: () => clearInterval(timer) };
  };

  await mkdir(join(work, 'runs'));
  opening.defer(() => endLeft(work));
  opening.defer(cutPower);
  await shell('wineboot -i >/lab/init.out 2>&1 </dev/null');
  // A lingering explorer from the first start would interfere.
  await cutPower();
  await boot();
  opening.defer(demandServer);
  opening.use(watchServer());

  let runs = 0;
  const owned = opening.move();
  return {
    drive: join(work, 'prefix', 'drive_c'),
    cutPower,
    boot,
    async pids(program, ...texts) {
      const isAsked = (one: LabProcess) =>
        one.program.endsWith(program) && texts.every((text) => one.commandLine.includes(text));
      return (await processesIn(work)).filter(isAsked).map(({ pid }) => pid);
    },
    async run(program, args, input = '') {
      runs += 1;
      // Others may start before this one does.
      const mine = runs;
      const file = (name: string) => join(work, 'runs', `${mine}.${name}`);
      const [into, out, err] = [file('in'), file('out'), file('err')];
      await writeFile(into, input);
      const script = `run=/lab/runs/${mine}; wine "$@" <$run.in >$run.out 2>$run.err`;
      const code = await shell(script, program, ...args);
      await demandServer();
      return { code, out: await readFile(out, 'utf8'), err: await readFile(err, 'utf8') };
    },
    async onScreen(command) {
      runs += 1;
      const file = `${runs}.screen`;
      const code = await shell(`"$@" >/lab/runs/${file} 2>&1 </dev/null`, ...command);
      const told = await readFile(join(work, 'runs', file), 'utf8');
      if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}: ${told}`);
      return told;
    },
    async picture(path) {
      await shell('import -window root /lab/screen.png');
      await mkdir(dirname(path), { recursive: true });
      await copyFile(join(work, 'screen.png'), path);
    },
    keepOnScreen(command) {
      // Each shell in between is replaced by the next one, and the last by the program itself.
      const child = spawnInShell(...inLab(command));
      const ended = endOf(child);
      return {
        async [Symbol.asyncDispose]() {
          child.kill();
          await ended;
        },
      };
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};
