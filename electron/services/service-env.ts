import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { writeFileAtomically } from '#runtime/atomic-write.ts';
import { StartupError } from '#runtime/program.ts';
import type { StackConfig } from '#runtime/stack-config.ts';
import { botEnv } from '../stack/bot-env.ts';
import { demandPlain } from './plain-path.ts';

/** Services that work without the stack's `.env`, whose other secrets they must not know. */
export const frugalServices = ['postgres', 'bot'] as const;
type FrugalService = (typeof frugalServices)[number];

/**
 * A folder with one file in it: the service's permissions are on the folder, so that they outlast a replacement of the
 * file.
 */
export const serviceEnvFolder = (home: string, service: FrugalService): string =>
  join(home, 'services', service);

const serviceEnvPath = (home: string, service: FrugalService): string =>
  join(serviceEnvFolder(home, service), 'service.env');

const head = '# Written by Castellan from .env, at each: castellan services start\n';

const variablesOf = (config: StackConfig): Readonly<Record<FrugalService, Record<string, string>>> => ({
  postgres: { DATABASE_URL: config.databaseUrl.reveal() },
  bot: botEnv(config),
});

export const writeServiceEnvs = async (home: string, config: StackConfig): Promise<void> => {
  const variables = variablesOf(config);
  await demandPlain([home, join(home, 'services')]);
  for (const service of frugalServices) {
    await demandPlain([serviceEnvFolder(home, service)]);
    await mkdir(serviceEnvFolder(home, service), { recursive: true, mode: 0o700 });
    const lines = Object.entries(variables[service]).map(([name, value]) => `${name}=${quoted(value)}\n`);
    await writeFileAtomically(serviceEnvPath(home, service), head + lines.join(''), 0o600);
  }
};

/** Uses quotes that the value does not contain; in double ones, `\n` would become a line break. */
const quoted = (value: string): string => {
  const marks = value.includes('\\n') ? ["'", '`'] : ["'", '`', '"'];
  const mark = marks.find((each) => !value.includes(each));
  if (mark === undefined) throw new StartupError('a setting of a service holds every kind of quotes');
  return mark + value + mark;
};

/** @throws {StartupError} when it cannot be read */
export const readServiceEnv = async (
  home: string,
  service: FrugalService,
): Promise<Readonly<Record<string, string>>> => {
  const path = serviceEnvPath(home, service);
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new StartupError(`${path} cannot be read: ${error.message}`, { cause: error });
  });
  return parseEnv(text) as Record<string, string>;
};

export const removeServiceEnvs = (home: string): Promise<void> =>
  rm(join(home, 'services'), { recursive: true, force: true });
