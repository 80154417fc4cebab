import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { parseEnv } from 'node:util';
import * as z from 'zod';
import { valueFaultOf } from '#contracts/kernel/value-faults.ts';
import { ifAbsent } from './absent-file.ts';
import { decodeText, isTextFault, linesOf, type TextFault } from './decode-text.ts';
import { canonicalAddress } from './ip-address.ts';

interface ConfigFault {
  readonly variable: string;
  readonly message: string;
}

/** All faults of the configuration together. Values are never shown. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly faults: readonly ConfigFault[];

  constructor(source: string, faults: readonly ConfigFault[]) {
    const lines = faults.map((fault) => `  ${fault.variable}: ${fault.message}`);
    super(
      `${source} has ${faults.length} wrong value${faults.length === 1 ? '' : 's'}:\n${lines.join('\n')}`,
    );
    this.faults = faults;
  }
}

type Values = Readonly<Record<string, string | undefined>>;

/**
 * Checks variables against an object schema. An empty value counts as absent.
 * @param source what people should fix, such as the path of the file
 * @param strayLines of that file, which set nothing
 * @throws {ConfigError} naming every fault
 */
export const readEnv = <Schema extends z.ZodObject>(
  schema: Schema,
  values: Values,
  source: string,
  strayLines: readonly number[] = [],
): z.output<Schema> => {
  const present = Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined && value !== ''),
  );
  const quoted = Object.keys(present).filter(
    (name) => name in schema.shape && typographic.test(present[name] ?? ''),
  );
  if (quoted.length > 0)
    throw new ConfigError(
      source,
      quoted.map((variable) => ({ variable, message: 'is in typographic quotes; write " instead, or none' })),
    );
  const result = z.safeParse(schema, present, {
    error: (issue) => (issue.input === undefined ? 'is missing' : undefined),
  });
  if (result.success) return result.data;
  const faults = result.error.issues.map((issue) => {
    const variable = issue.path.join('.');
    const { message } = valueFaultOf(issue);
    const mistyped = issue.input === undefined ? mistypedFault(schema, present, variable) : null;
    return mistyped ?? { variable, message };
  });
  throw new ConfigError(source, [...faults, ...strayFaults(strayLines)]);
};

/** As word processors and chats make them of straight ones, which the file's format takes off. */
const typographic = /^[“”„‟‘’‚‛«»‹›″＂].*[“”„‟‘’‚‛«»‹›″＂]$/s;

/** What to say of lines that set nothing. */
export const strayFaults = (lines: readonly number[]): ConfigFault[] =>
  lines.map((line) => ({ variable: `line ${line}`, message: 'is not NAME=value' }));

/** Null unless another variable, which means nothing, looks like this one that is missing. */
export const mistypedFault = (
  { shape }: z.ZodObject,
  values: Values,
  variable: string,
): ConfigFault | null => {
  const found = Object.keys(values).find((name) => !(name in shape) && isAlmost(name, variable));
  return found === undefined ? null : { variable, message: `is missing; is ${found} meant to be it?` };
};

/**
 * Variables that are not set although the file seems to mean them: a name that means nothing looks like theirs, or a line that sets
 * nothing has it.
 * @param names those that are asked about
 */
export const meantFaults = (
  schema: z.ZodObject,
  { text, values, strayLines }: EnvFile,
  names: readonly string[],
): ConfigFault[] => {
  const lines = linesOf(text ?? '');
  const means = (line: number, name: string) =>
    (lines[line - 1]?.match(/\w+/g) ?? []).some((word) => isAlmost(word, name));
  return [
    ...names.flatMap((name) => mistypedFault(schema, values, name) ?? []),
    ...strayFaults(strayLines.filter((line) => names.some((name) => means(line, name)))),
  ];
};

/**
 * Variables that a later line of the file empties, such as a template's below a person's own. The last line counts.
 * @param names those that are asked about
 */
export const emptiedFaults = ({ text, values }: EnvFile, names: readonly string[]): ConfigFault[] => {
  const lines = linesOf(text ?? '').map((line) => (isComment(line) ? {} : parseEnvText(line)));
  return names.flatMap((variable) => {
    if (values[variable]) return [];
    const set = lines.findIndex((line) => line[variable]) + 1;
    const emptied = lines.findLastIndex((line) => variable in line) + 1;
    const message = `is set on line ${set} and emptied again on line ${emptied}; remove one of them`;
    return set === 0 || emptied <= set ? [] : [{ variable, message }];
  });
};

/** Mistyped letters, in any case. */
const mostMistyped = 2;

const isAlmost = (typed: string, name: string): boolean =>
  distance(typed.toUpperCase(), name) <= mostMistyped;

/** Letters to add, remove or replace (Levenshtein's). */
const distance = (one: string, other: string): number => {
  let above = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (const [row, letter] of [...one].entries()) {
    const line = [row + 1];
    for (let column = 0; column < other.length; column += 1)
      line.push(
        Math.min(
          (above[column + 1] ?? 0) + 1,
          (line[column] ?? 0) + 1,
          (above[column] ?? 0) + (letter === other[column] ? 0 : 1),
        ),
      );
    above = line;
  }
  return above.at(-1) ?? 0;
};

/**
 * The variables in the text of a `.env` file. Windows's Notepad writes a byte order mark before the first one, and joined files have
 * one in their middle.
 */
export const parseEnvText = (text: string): Record<string, string | undefined> =>
  parseEnv(text.replace(/^\uFEFF/gm, '').replace(/\r\n?/g, '\n'));

/** What the text of a `.env` file says, and the numbers of lines that are neither empty, a comment nor `NAME=value`. */
export interface EnvFile {
  /** Null when there is no file. */
  readonly text: string | null;
  /** How the text is written back: `latin1` keeps, byte for byte, comments in an encoding that only their author knows. */
  readonly encoding: 'utf8' | 'latin1';
  readonly values: Record<string, string | undefined>;
  readonly strayLines: readonly number[];
}

/** @throws {ConfigError} naming the line that leaves doubt about what the file says; a file that does not exist is empty */
export const openEnvFile = async (path: string): Promise<EnvFile> => {
  const bytes = await readFile(path).catch(ifAbsent(null));
  return bytes === null
    ? { text: null, encoding: 'utf8', values: {}, strayLines: [] }
    : readEnvBytes(path, bytes);
};

/** @throws {ConfigError} as {@link openEnvFile} does */
export const readEnvBytes = (path: string, bytes: Buffer): EnvFile & { readonly text: string } => {
  const read = decodeText(bytes);
  if (isTextFault(read)) {
    if (read.kind === 'not-utf8') return withForeignComments(path, bytes, read);
    throw lineFault(path, read);
  }
  const { text } = read;
  const values = parseEnvText(text);
  const strayLines = strayLinesIn(text);
  const doubtful = read.from === 'utf-8' ? undefined : (doubtfulLine(text) ?? strayLines[0]);
  if (doubtful !== undefined)
    throw lineFault(path, {
      line: doubtful,
      message: 'is not NAME=value, or is saved in another encoding than UTF-16; save the file as UTF-8',
    });
  return { text, encoding: 'utf8', values, strayLines };
};

const lineFault = (path: string, { line, message }: Pick<TextFault, 'line' | 'message'>) =>
  new ConfigError(path, [{ variable: `line ${line}`, message }]);

const isAscii = (text: string): boolean => !/[^\0-\x7F]/.test(text);
const isComment = (line: string): boolean => /^\s*#/.test(line);

/** As Notepad's "ANSI" writes them: no setting depends on letters whose encoding is not known. */
const withForeignComments = (path: string, bytes: Buffer, fault: TextFault) => {
  const text = bytes.toString('latin1');
  const values = parseEnvText(text);
  if (
    !Object.entries(values)
      .flat()
      .every((word = '') => isAscii(word))
  ) {
    const line = linesOf(text).findIndex((each) => !isAscii(each) && !isComment(each)) + 1;
    throw lineFault(path, { ...fault, line: line || fault.line });
  }
  return { text, encoding: 'latin1' as const, values, strayLines: strayLinesIn(text) };
};

/** A setting with letters whose two bytes are letters, too: text of one byte a letter, added to a file in UTF-16, looks like that. */
const doubtfulLine = (text: string): number | undefined => {
  const index = linesOf(text).findIndex(
    (line) => !isComment(line) && /[^\0-\xFF]/.test(line) && [...line].some(isTwoLetters),
  );
  return index < 0 ? undefined : index + 1;
};

const isTwoLetters = (letter: string): boolean => {
  const code = letter.charCodeAt(0);
  return [code >> 8, code & 0xff].every((byte) => byte === 10 || byte === 13 || (byte >= 32 && byte < 127));
};

/** The text of another file of settings, without a mark. @throws {ConfigError} naming the line at which it cannot be read */
export const settingsText = (path: string, bytes: Buffer): string => {
  const read = decodeText(bytes);
  if (isTextFault(read)) throw lineFault(path, read);
  return read.text.replace(/^\uFEFF/, '');
};

/** The variables of a `.env` file; none when the file does not exist. */
export const readEnvFile = async (path: string): Promise<Record<string, string | undefined>> =>
  (await openEnvFile(path)).values;

const assignment = /^\uFEFF?\s*(?:export\s+)?[\w.-]+\s*=/;

const strayLinesIn = (text: string): number[] => {
  // Lines within a value in quotes belong to it.
  const whole = text.replace(
    /=[^\S\r\n]*(["'`])[^"'`]*?\1/g,
    (value) => `=${value.slice(1).replace(/[^\r\n]/g, '#')}`,
  );
  return linesOf(whole).flatMap((line, index) =>
    /^\uFEFF?\s*(?:#|$)/.test(line) || assignment.test(line) ? [] : [index + 1],
  );
};

export const portField = z.coerce.number('must be a port number').int().min(1).max(65535);

export const integerField = (min: number, max: number) =>
  z.coerce
    .number(`must be a whole number from ${min} to ${max}`)
    .int(`must be a whole number from ${min} to ${max}`)
    .min(min, `must be at least ${min}`)
    .max(max, `must be at most ${max}`);

const proxyNames: ReadonlySet<string> = new Set(['loopback', 'linklocal', 'uniquelocal']);

/** A few wider ones together could cover every address. */
const shortestPrefix = { 4: 8, 6: 16 } as const;

const isProxy = (text: string): boolean => {
  if (proxyNames.has(text)) return true;
  const [, written = '', prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const address = canonicalAddress(written);
  if (address === null) return false;
  if (prefix === undefined) return true;
  // An IPv4 subnet written as IPv6 has 96 bits more.
  const bits = Number(prefix) - (isIP(written) === 6 && isIP(address) === 4 ? 96 : 0);
  return isIP(address) === 4
    ? bits >= shortestPrefix[4] && bits <= 32
    : bits >= shortestPrefix[6] && bits <= 128;
};

/**
 * TRUST_PROXY: absent (no proxy is trusted), a number of hops, or a comma-separated list of addresses, subnets and the names
 * loopback, linklocal, uniquelocal. Trusting everyone is not offered: any client could then choose its address.
 */
export const trustProxyField = z
  .string()
  .transform((text) => (/^\d+$/.test(text) ? Number(text) : text.split(',').map((part) => part.trim())))
  .refine((value) => (typeof value === 'number' ? value <= 10 : value.every(isProxy)), {
    error:
      'must be a number of hops (at most 10) or a list of proxy addresses and subnets, none wider than /8 (IPv6: /16)',
  });
