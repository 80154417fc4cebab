import { chown, readFile, realpath, stat } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { removeHalfWritten, writeFileAtomically } from './atomic-write.ts';
import { parseEnvText } from './env.ts';
import { lockFile } from './license/record/file-lock.ts';
import { StartupError } from './program.ts';

/** New values by variable; null removes a variable. */
export type EnvChanges = Readonly<Record<string, string | null>>;

/** Values that need no quotes. */
const plainValue = /^[\w.,:/+=@?&%[\]-]+$/;

/** The mode bits that give access to everyone; Windows has none. */
const others = process.platform === 'win32' ? 0 : 0o007;

/** `NAME=`, its value in any quotes, and a comment after it. */
const lineOf = (name: string) =>
  new RegExp(`^(\\s*(?:export\\s+)?${name}\\s*=\\s*)(?:"[^"]*"|'[^']*'|\`[^\`]*\`|[^#]*?)(\\s*(?:#.*)?)$`);
const commentedLineOf = (name: string) => new RegExp(`^#\\s*${name}\\s*=`);

/**
 * The text of a `.env` with some variables changed and everything else unchanged, comments and order included. A new variable
 * takes the place of its commented-out line, or comes last; a removed one is commented out.
 * @throws {StartupError} when that is impossible without touching anything else
 */
export const editEnv = (text: string, changes: EnvChanges): string => {
  let edited = text;
  for (const [name, value] of Object.entries(changes)) edited = editVariable(edited, name, value);
  const expected = { ...parseEnvText(text), ...changes };
  const wanted = Object.fromEntries(Object.entries(expected).filter(([, value]) => value !== null));
  if (!isDeepStrictEqual({ ...parseEnvText(edited) }, wanted))
    throw new StartupError(
      `The .env is written in a way that cannot be edited safely: change ${Object.keys(changes).join(', ')} by hand.`,
    );
  return edited;
};

const editVariable = (text: string, name: string, value: string | null): string => {
  if (value !== null && !plainValue.test(value)) throw new TypeError(`the new ${name} would need quotes`);
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = text.split(lineEnd);
  const pattern = lineOf(name);
  // The last one counts.
  const index = lines.findLastIndex((line) => pattern.test(line));
  if (value === null) {
    if (index >= 0) lines[index] = `# ${name}=`;
    return lines.join(lineEnd);
  }
  if (index >= 0) {
    lines[index] = (lines[index] ?? '').replace(
      pattern,
      (_line, before: string, after: string) => `${before}${value}${after}`,
    );
    return lines.join(lineEnd);
  }
  const commented = lines.findLastIndex((line) => commentedLineOf(name).test(line));
  if (commented >= 0) lines[commented] = `${name}=${value}`;
  else lines.splice(lines.at(-1) === '' ? -1 : lines.length, 0, `${name}=${value}`);
  return lines.join(lineEnd);
};

/**
 * Edits the file itself, in one step that a crash cannot interrupt; its owner stays, and no one else may read it. Simultaneous
 * edits do not undo each other. What killed edits left, with the secrets of their time, is removed.
 */
export const editEnvFile = async (path: string, changes: EnvChanges): Promise<void> => {
  await using lock = await lockFile(`${path}.lock`);
  const target = await realpath(path);
  const { mode, uid, gid } = await stat(target);
  const text = editEnv(await readFile(target, 'utf8'), changes);
  lock.assertHeld();
  await removeHalfWritten(target);
  await writeFileAtomically(target, text, mode & 0o777 & ~others);
  // Root may edit the file of the account that the stack runs under.
  if (process.getuid?.() === 0 && uid !== 0) await chown(target, uid, gid);
};
