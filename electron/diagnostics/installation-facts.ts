import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeText, isTextFault } from '#runtime/decode-text.ts';
import { ConfigError, parseEnvText } from '#runtime/env.ts';
import { readKeyRecord } from '#runtime/key-record.ts';
import { outsideFaults } from '#runtime/outside/outside.ts';
import type { Secret } from '#runtime/secret.ts';
import {
  readStackConfig,
  type StackConfig,
  stackEnv,
  stackEnvPath,
  stackSecrets,
} from '#runtime/stack-config.ts';
import { readHolderRecord } from '../control/holder-record.ts';
import { frugalServices, serviceEnvFolder } from '../services/service-env.ts';
import { postgresFolder, readOperatorPassword } from '../stack/operator-role.ts';

/** What is known of an installation before anything of it is put into a bundle. */
export interface InstallationFacts {
  /** Null when `.env` cannot be used; `settings` says why. */
  readonly config: StackConfig | null;
  /** The settings by name and without secrets, as text. */
  readonly settings: string;
  /** All that were found; one that could not be read is missing here, but cannot get into a bundle from that place either. */
  readonly secrets: readonly (Secret | string)[];
}

/** Never rejects: diagnostics are needed most for a broken installation. */
export const readInstallationFacts = async (home: string): Promise<InstallationFacts> => {
  const text = await readFile(stackEnvPath(home)).then(roughText, (error: Error) => error);
  const config = await readStackConfig(home).catch((error: Error) => error);
  const variables = typeof text === 'string' ? parseEnvText(text) : {};
  const fault = text instanceof Error ? wordsOf(text) : config instanceof Error ? wordsOf(config) : null;
  return {
    config: config instanceof Error ? null : config,
    settings: describe(variables, fault) + (config instanceof Error ? '' : unusedIn(config)),
    secrets: [
      ...Object.entries(variables).flatMap(([name, value]) =>
        shown.has(name) ? [] : spellings(value ?? ''),
      ),
      ...(typeof text === 'string' ? pastedValues(text) : []),
      ...(config instanceof Error ? [] : stackSecrets(config)),
      ...(await secretsInFiles(home, config instanceof Error ? null : config)),
    ],
  };
};

/** Secrets in a file that cannot be relied upon are secrets, too: in UTF-16, every second byte of theirs is zero. */
const roughText = (bytes: Buffer): string => {
  const read = decodeText(bytes);
  return isTextFault(read) ? bytes.toString('latin1').replaceAll('\0', '') : read.text;
};

/**
 * Faults of the settings name variables, never values; other errors may quote the text they failed on. With a colon, a fault
 * would look like a secret after its name.
 */
const wordsOf = (error: Error): string =>
  error instanceof ConfigError
    ? error.faults.map(({ variable, message }) => `${variable} – ${message}`).join('\n')
    : `.env cannot be read (${(error as NodeJS.ErrnoException).code})`;

/** What helpers may see, as far as the value is valid; every other value counts as secret. */
const shown: ReadonlySet<string> = new Set<keyof typeof stackEnv.shape>([
  'API_HOST',
  'API_PORT',
  'TRUST_PROXY',
  'TLS_CERT_FILE',
  'TLS_KEY_FILE',
  'LOG_LEVEL',
  'AUDIT_LOG_RETENTION_DAYS',
  'EVENT_LOG_RETENTION_DAYS',
  'LICENSE_GRACE_PERIOD_DAYS',
  'LICENSE_SERVER_URL',
  'TRUSTED_CA_FILE',
  'API_URL',
  'CLIENT_ID',
  'GUILD_ID',
]);

const describe = (variables: Readonly<Record<string, string | undefined>>, fault: string | null): string => {
  const known = Object.entries(stackEnv.shape);
  const lines = known.map(([name, schema]) => {
    const value = variables[name];
    if (!value) return `${name} is not set`;
    if (!schema.safeParse(value).success) return `${name} is set, to something that it must not be`;
    return shown.has(name) ? `${name}=${withoutPath(value)}` : `${name} is set`;
  });
  // A line pasted into the wrong place counts as a name, too.
  const others = Object.keys(variables).filter((name) => !(name in stackEnv.shape)).length;
  return [...(fault === null ? [] : [fault, '']), ...lines, `Other names in the file: ${others}`, ''].join(
    '\n',
  );
};

const unusedIn = ({ outside }: StackConfig): string =>
  outsideFaults(outside)
    .map((text) => `${text}\n`)
    .join('');

/** The path of an address can be a secret. */
const withoutPath = (value: string): string =>
  /^https?:/i.test(value) && URL.canParse(value) ? new URL(value).origin : value;

/** A list holds several; an address holds a password. */
const spellings = (value: string): string[] => {
  const { password } = URL.parse(value) ?? { password: '' };
  return [value, ...value.split(',').map((part) => part.trim()), password, decoded(password)].filter(
    (part) => part !== '',
  );
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    // Not encoded, so it is taken literally.
    return text;
  }
};

/** Shorter ones are examples and words. */
const shortestPasted = 16;

/** What may once have been a value, in a broken file or in commented lines. */
const pastedValues = (text: string): string[] =>
  text.split(/\r?\n/).flatMap((line) => {
    const [, name = '', value = ''] =
      /^[\s#]*(?:export\s+)?([\w.-]*)\s*=\s*["'`]?(.*?)["'`]?\s*$/.exec(line) ?? [];
    return shown.has(name) || /\s/.test(value) || value.length < shortestPasted ? [] : [value];
  });

const secretsInFiles = async (home: string, config: StackConfig | null): Promise<(Secret | string)[]> => {
  const lines = (path: string) =>
    readFile(path, 'utf8').then(
      (text) => text.split(/\r?\n/).map((line) => line.trim()),
      () => [],
    );
  const services = await Promise.all(
    frugalServices.map((service) => lines(join(serviceEnvFolder(home, service), 'service.env'))),
  );
  return [
    (await readHolderRecord(home))?.token ?? '',
    ...(await lines(join(postgresFolder(home), 'superuser.password'))),
    await readOperatorPassword(home).catch(() => ''),
    ...pastedValues(services.flat().join('\n')),
    // Also when `.env` cannot be used.
    ...(await readKeyRecord(home)).keys,
    // The link to the first owner's account is in the log on purpose: anyone who can read it there has the machine.
    ...(await lines(join(home, 'setup-link.txt'))).flatMap((line) => [line, line.split('token=')[1] ?? '']),
    // Line by line, as it would be in a log.
    ...(config?.tls ? await lines(config.tls.keyFile) : []),
  ];
};
