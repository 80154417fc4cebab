import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { parseEnv } from 'node:util';
import * as z from 'zod';
import { valueFaultOf } from '#contracts/value-faults.ts';
import { canonicalAddress } from './ip-address.ts';

export interface ConfigFault {
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

/** What to say of lines that set nothing. */
export const strayFaults = (lines: readonly number[]): ConfigFault[] =>
  lines.map((line) => ({ variable: `line ${line}`, message: 'has no “=”: NAME=value' }));

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
 * nothing begins with it.
 * @param names those that are asked about
 */
export const meantFaults = (
  schema: z.ZodObject,
  { text, values, strayLines }: EnvFile,
  names: readonly string[],
): ConfigFault[] => {
  const lines = text?.split('\n') ?? [];
  const firstWord = (line: number) => /\w+/.exec(lines[line - 1] ?? '')?.[0] ?? '';
  return [
    ...names.flatMap((name) => mistypedFault(schema, values, name) ?? []),
    ...strayFaults(strayLines.filter((line) => names.some((name) => isAlmost(firstWord(line), name)))),
  ];
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

/** The variables in the text of a `.env` file. Windows's Notepad writes a byte order mark before the first one. */
export const parseEnvText = (text: string): Record<string, string | undefined> =>
  parseEnv(text.replace(/^\uFEFF/, ''));

/** What the text of a `.env` file says, and the numbers of lines that are neither empty, a comment nor `NAME=value`. */
export interface EnvFile {
  /** Null when there is no file. */
  readonly text: string | null;
  readonly values: Record<string, string | undefined>;
  readonly strayLines: readonly number[];
}

/** @throws {ConfigError} when it is not text in UTF-8; a file that does not exist is empty */
export const openEnvFile = async (path: string): Promise<EnvFile> => {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (bytes === null) return { text: null, values: {}, strayLines: [] };
  const text = utf8Text(path, bytes);
  return { text, values: parseEnvText(text), strayLines: strayLinesIn(text) };
};

/** The text of a file of settings. @throws {ConfigError} when it is not in UTF-8 */
export const utf8Text = (path: string, bytes: Buffer): string => {
  if (isUtf16(bytes) || !isUtf8(bytes))
    throw new ConfigError(path, [
      { variable: 'the file', message: 'is not saved as UTF-8; save it as UTF-8' },
    ]);
  return bytes.toString('utf8');
};

/** The variables of a `.env` file; none when the file does not exist. */
export const readEnvFile = async (path: string): Promise<Record<string, string | undefined>> =>
  (await openEnvFile(path)).values;

/** By its byte order mark, or by the zero bytes of its letters; a file in UTF-8 has none. */
const isUtf16 = (bytes: Buffer): boolean =>
  bytes.includes(0) || /^(?:fffe|feff)/.test(bytes.toString('hex', 0, 2));

const strayLinesIn = (text: string): number[] => {
  // Lines within a value in quotes belong to it.
  const whole = text.replace(/=[^\S\n]*(["'`])[^"'`]*?\1/g, (value) => `=${value.replace(/[^\n]/g, '#')}`);
  return whole.split('\n').flatMap((line, index) => (/^\s*(?:#|$)|[=#]/.test(line) ? [] : [index + 1]));
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
