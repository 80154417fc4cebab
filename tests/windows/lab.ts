import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { TestScreen } from '#harness/screen.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { isAlive } from '#runtime/live-process.ts';

const scripts = resolve(import.meta.dirname, '../../build/lab');
/** Where `npm run setup:test` builds it, too. */
const labFolder = process.env.CASTELLAN_LAB ?? resolve(import.meta.dirname, '../../.cache/windows-lab');

export interface WindowsRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface LabOptions {
  /** Where Windows shows itself; without one, programs run that show nothing. */
  readonly screen?: TestScreen;
}

/** A Windows of its own, in Wine, with the machine's network. */
export interface WindowsLab extends AsyncDisposable {
  /** Drive C: as a folder of this machine. */
  readonly drive: string;
  /** Runs a Windows program to its end; paths as Windows writes them. The exit code is modulo 256. */
  run(program: string, args: readonly string[], input?: string): Promise<WindowsRun>;
  /** Ends everything at one stroke, as a power cut does. */
  cutPower(): Promise<void>;
  /** Starts Windows, and with it the services that start by themselves. */
  boot(): Promise<void>;
  /** The process ids, on this machine, of what runs this program with all of these texts in its command line. */
  pids(program: string, ...texts: readonly string[]): Promise<readonly number[]>;
  /** Runs a program of the lab's Linux on the same screen. @returns what it printed */
  onScreen(command: readonly string[]): Promise<string>;
  /** Takes a picture of the screen. */
  picture(path: string): Promise<void>;
  /** Starts such a program; disposing ends it. */
  keepOnScreen(command: readonly string[]): AsyncDisposable;
}

/** Stdio never is a pipe: Windows's Node cannot use one of Linux's, and Wine's server would keep it open. */
const spawnInShell = (command: string, args: readonly string[], display = ''): ChildProcess =>
  spawn('bash', [command, ...args], { stdio: 'ignore', env: { ...process.env, LAB_DISPLAY: display } });

const endOf = async (child: ChildProcess): Promise<number> => {
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? -1;
};

const inShell = (...started: Parameters<typeof spawnInShell>): Promise<number> =>
  endOf(spawnInShell(...started));

/** Why no lab can be had here; null when one stands. */
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

/** Of the lab that works in this folder, and no other: several may run the same programs at the same time. */
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

/** Everything that ran in the lab has ended or hangs, which says nothing about our programs. */
export class WineServerDied extends Error {
  override readonly name = 'WineServerDied';
}

const serverLookMs = 2000;
const wineServer = /\bwineserver(?:64)?$/;

/** Should Wine's server itself have died, it can end nobody any more. */
const endLeft = async (work: string): Promise<void> => {
  for (const { pid } of await processesIn(work)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended by itself meanwhile.
    }
  }
};

/**
 * One lab at a time on this machine: with several, Wine's servers were seen to die, and nobody knows what of. The lock
 * goes with us, however we end.
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

export const openWindowsLab = async ({ screen }: LabOptions = {}): Promise<WindowsLab> => {
  await using opening = new AsyncDisposableStack();
  opening.use(await holdLab());
  const work = opening.use(await temporaryFolder('windows')).path;
  const inLab = (command: readonly string[]) =>
    [join(scripts, 'lab.sh'), [labFolder, work, ...command], screen?.env.DISPLAY] as const;
  const shell = (script: string, ...args: readonly string[]) =>
    inShell(...inLab(['bash', '-c', script, 'lab', ...args]));
  /** The pid of Wine's server, while one is meant to run. */
  let booted: number | undefined;
  const cutPower = async () => {
    booted = undefined;
    await shell('wineserver -k; wineserver -w');
  };
  const server = async () => (await processesIn(work)).find(({ program }) => wineServer.test(program))?.pid;
  // Services have no screen on Windows. Here their consoles would be windows on the test's, and who closes one ends its host.
  const boot = async () => {
    await shell('wineserver -p 2>/lab/server.out; env -u DISPLAY wineboot -r >/lab/boot.out 2>&1 </dev/null');
    booted = await server();
    if (booted === undefined) throw new Error("Wine's server did not start");
  };
  let hasDied = false;
  /** Whatever ran on it has then ended with code 0, as if all were well. */
  const demandServer = async () => {
    if (booted !== undefined && (await server()) !== booted) hasDied = true;
    if (!hasDied) return;
    const said = await readFile(join(work, 'server.out'), 'utf8');
    throw new WineServerDied(`Wine's server has died. ${said}`);
  };
  /** What waits for a program that hangs without its server would wait until the test's deadline. */
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
  // A lingering explorer of the first start would stand in the way.
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
      // Others may be started before this one is.
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
      // Each of the shells on the way becomes the next one, and the last the program itself.
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
