import type { FileHandle } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { ProgramFault } from '#contracts/kernel/program-faults.ts';
import { openNamedFile } from '../../folders/named-file.ts';
import { isElf, machineName, readElf, runsOn } from './elf-file.ts';
import { fault } from './fault.ts';
import { fileObstacle, findProgram } from './find-program.ts';
import { readElfFile } from './linux-libraries.ts';
import { isRunByAnother } from './other-formats.ts';
import { isPe, readPe, windowsMachineName } from './pe-file.ts';

/** Linux reads so much of a script's first line. */
const headBytes = 256;
/** An interpreter may be a script; Linux follows so many. */
const mostInterpreters = 4;

/**
 * Why the system would not load this file as a program; null when it would, or when that cannot be told. Reads the beginning of
 * the file and runs nothing.
 * @param folder the game's working folder
 */
export const inspectProgram = (path: string, folder: string): Promise<ProgramFault | null> =>
  process.platform === 'win32' ? inspectOnWindows(path) : inspectOnLinux(path, folder, mostInterpreters);

const headOf = async (file: FileHandle): Promise<Buffer> => {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
  return buffer.subarray(0, bytesRead);
};

const inspectOnLinux = async (
  path: string,
  folder: string,
  interpretersLeft: number,
): Promise<ProgramFault | null> => {
  const obstacle = await fileObstacle(path);
  if (obstacle !== null) return obstacle;
  // A program may be executable without being readable: nothing is known of it then.
  await using file = await openNamedFile(path).catch(() => null);
  if (file === null) return null;
  const head = await headOf(file);
  if (head.toString('latin1', 0, 2) === '#!') return inspectScript(path, head, folder, interpretersLeft);
  if (!isElf(head)) {
    if (isText(head) || (await isRunByAnother(path, head))) return null;
    if (!isPe(head)) return fault('not-a-program', path);
    const program = await readPe(file);
    return wrongMachine(path, program ? windowsMachineName(program.machine) : 'DOS', await ownMachine());
  }
  const program = await readElf(file);
  const own = await ownMachine();
  if (program !== null && (own === null || runsOn(program.machine, own))) {
    const { interpreter } = program;
    if (interpreter === null) return null;
    const missing = await fileObstacle(resolve(folder, interpreter));
    return missing && fault('interpreter-missing', path, interpreter);
  }
  if (await isRunByAnother(path, head)) return null;
  return program === null
    ? fault('not-a-program', path)
    : wrongMachine(path, machineName(program.machine), own);
};

const wrongMachine = (path: string, its: string, own: number | null): ProgramFault =>
  fault('wrong-architecture', path, its, own === null ? process.arch : machineName(own));

/** Of the programs that this system runs, by this very program; null when that cannot be told. */
const ownMachine = async (): Promise<number | null> => (await readElfFile(process.execPath))?.machine ?? null;

const inspectScript = async (
  path: string,
  head: Buffer,
  folder: string,
  interpretersLeft: number,
): Promise<ProgramFault | null> => {
  const line = head.toString('utf8', 2).split('\n', 1)[0] ?? '';
  const [, interpreter, rest = ''] = /^[ \t]*([^ \t]+)([\s\S]*)$/.exec(line) ?? [];
  if (interpreter === undefined) return fault('not-a-program', path);
  if (interpretersLeft === 0) return fault('not-a-program', path);
  const seen = await inspectOnLinux(resolve(folder, interpreter), folder, interpretersLeft - 1);
  if (seen !== null)
    return line.endsWith('\r')
      ? fault('script-line-endings', path)
      : seen.code === 'program-missing'
        ? fault('interpreter-missing', path, interpreter)
        : seen;
  const [named] = rest.split(/[ \t]+/).filter(Boolean);
  // `env` looks for the interpreter in the PATH; with an option or a variable before its name, nothing is claimed.
  if (!interpreter.endsWith('/env') || !named || /^-|=/.test(named)) return null;
  if (named.endsWith('\r')) return fault('script-line-endings', path);
  const found = await findProgram(named.includes('/') ? folder : null, named);
  return 'fault' in found ? fault('interpreter-missing', path, named) : null;
};

/** Without a first line that names its interpreter, a script is run by the shell: so does `execvp`, which Node uses. */
const isText = (head: Buffer): boolean => {
  const line = head.subarray(0, head.indexOf('\n') === -1 ? head.length : head.indexOf('\n'));
  return (
    head.length > 0 && line.every((byte) => byte >= 0x20 || (byte >= 0x07 && byte <= 0x0d) || byte === 0x1b)
  );
};

const inspectOnWindows = async (path: string): Promise<ProgramFault | null> => {
  const obstacle = await fileObstacle(path);
  if (obstacle !== null) return obstacle;
  await using file = await openNamedFile(path).catch(() => null);
  if (file === null) return null;
  const head = await headOf(file);
  const own = process.arch === 'arm64' ? 0xaa64 : 0x8664;
  if (isElf(head)) return fault('wrong-architecture', path, 'Linux', windowsMachineName(own));
  const program = await readPe(file);
  if (program === null) return fault('not-a-program', path);
  return program.machine === 0xaa64 && own !== 0xaa64 && !runsOnArm()
    ? fault('wrong-architecture', path, windowsMachineName(program.machine), windowsMachineName(own))
    : null;
};

/** Windows on ARM runs an agent for x86-64, too. */
const runsOnArm = (): boolean =>
  // biome-ignore lint/style/noProcessEnv: of the machine
  (process.env.PROCESSOR_IDENTIFIER ?? '').startsWith('ARM');
