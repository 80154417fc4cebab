import { chown, readFile, realpath, stat } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { removeHalfWritten, writeFileAtomically } from './atomic-write.ts';
import { parseEnvText, readEnvBytes } from './env.ts';
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
  new RegExp(
    `^(\\uFEFF?\\s*(?:export\\s+)?${name}\\s*=\\s*)(?:"[^"]*"|'[^']*'|\`[^\`]*\`|[^#]*?)(\\s*(?:#.*)?)$`,
  );
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
  const lineEnd = /\r\n|\r|\n/.exec(text)?.[0] ?? '\n';
  // Every line keeps its end, whatever other programs have added.
  const parts = text.split(/(\r\n|\r|\n)/);
  const lines = parts.filter((_part, index) => index % 2 === 0);
  const joined = () => lines.map((line, index) => line + (parts[index * 2 + 1] ?? '')).join('');
  const pattern = lineOf(name);
  // The last one counts.
  const index = lines.findLastIndex((line) => pattern.test(line));
  if (value === null) {
    if (index >= 0) lines[index] = `# ${name}=`;
    return joined();
  }
  if (index >= 0) {
    lines[index] = (lines[index] ?? '').replace(
      pattern,
      (_line, before: string, after: string) => `${before}${value}${after}`,
    );
    return joined();
  }
  const commented = lines.findLastIndex((line) => commentedLineOf(name).test(line));
  if (commented >= 0) {
    lines[commented] = `${name}=${value}`;
    return joined();
  }
  return lines.at(-1) === '' ? `${text}${name}=${value}${lineEnd}` : `${text}${lineEnd}${name}=${value}`;
};

/**
 * Edits the file itself, in one step that a crash cannot interrupt; its owner stays, and no one else may read it. Simultaneous
 * edits do not undo each other. What killed edits left, with the secrets of their time, is removed.
 * @throws {ConfigError} naming the line that leaves doubt about what the file says
 */
export const editEnvFile = async (path: string, changes: EnvChanges): Promise<void> => {
  await using lock = await lockFile(`${path}.lock`);
  const target = await realpath(path);
  const { mode, uid, gid } = await stat(target);
  const { text, encoding } = readEnvBytes(path, await readFile(target));
  const edited = Buffer.from(editEnv(text, changes), encoding);
  lock.assertHeld();
  await removeHalfWritten(target);
  await writeFileAtomically(target, edited, mode & 0o777 & ~others);
  // Root may edit the file of the account that the stack runs under.
  if (process.getuid?.() === 0 && uid !== 0) await chown(target, uid, gid);
};
