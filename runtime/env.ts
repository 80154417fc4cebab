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
 * @throws {ConfigError} naming every fault
 */
export const readEnv = <Schema extends z.ZodObject>(
  schema: Schema,
  values: Values,
  source: string,
): z.output<Schema> => {
  const present = Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined && value !== ''),
  );
  const result = z.safeParse(schema, present, {
    error: (issue) => (issue.input === undefined ? 'is missing' : undefined),
  });
  if (result.success) return result.data;
  const faults = result.error.issues.map((issue) => ({
    variable: issue.path.join('.'),
    message: valueFaultOf(issue).message,
  }));
  throw new ConfigError(source, faults);
};

/** The variables in the text of a `.env` file. Windows's Notepad writes a byte order mark before the first one. */
export const parseEnvText = (text: string): Record<string, string | undefined> =>
  parseEnv(text.replace(/^\uFEFF/, ''));

/** The variables of a `.env` file; none when the file does not exist. */
export const readEnvFile = async (path: string): Promise<Record<string, string | undefined>> => {
  try {
    return parseEnvText(await readFile(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
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
