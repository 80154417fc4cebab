import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { licenseStatus } from '#contracts/license/license-state.ts';
import { healthHttp, type StackHealth, stackHealth } from '#contracts/operations/health.ts';
import { setupHttp, setupLinkFile } from '#contracts/operations/setup.ts';
import { stackStatus } from '#contracts/operations/stack.ts';
import { readEnvFile } from '#runtime/env.ts';
import { editEnvFile } from '#runtime/env-file.ts';
import { openCluster } from '#runtime/postgres/cluster.ts';
import { StartupError } from '#runtime/program.ts';
import { readStackConfig } from '#runtime/stack-config.ts';
import { callApi } from './api-caller.ts';
import { type DemoDiscord, withoutDiscord } from './discord.ts';
import type { DemoPortal } from './portal.ts';
import type { DemoPorts } from './ports.ts';
import { ask, type RunningProgram, startProgram, tryFetch, waitFor } from './program.ts';

export interface DemoStack extends AsyncDisposable {
  readonly apiUrl: string;
  readonly databaseUrl: string;
  readonly hwid: string;
  /** GAME_AGENT_SECRET. */
  readonly agentSecret: string;
  /** An owner's sign-in. */
  readonly admin: { readonly name: string; readonly password: string };
  /** Resolves once all of it is healthy. @returns its processes, by name */
  healthy(): Promise<Readonly<Record<string, number>>>;
}

/** Creates the stack's empty database, which takes a second that a first start can use for something else. */
export const createDemoDatabase = async (home: string, ports: DemoPorts): Promise<void> => {
  // Its `.env` may lack the key that a database must have.
  if (existsSync(join(home, '.env'))) return;
  await openCluster({ folder: join(home, 'postgres'), port: ports.postgres });
};

/** The real stack under its supervisor, activated with the demo's license, and with an owner. */
export const startDemoStack = async ({
  home,
  ports,
  portal,
  licenseKey,
  discord,
  stopping,
}: {
  readonly home: string;
  readonly ports: DemoPorts;
  readonly portal: DemoPortal;
  /** The stack is started before it is there. */
  readonly licenseKey: string | Promise<string>;
  /** Null: the bot has no token, unless one was entered in the panel. */
  readonly discord: DemoDiscord | null;
  readonly stopping?: AbortSignal | undefined;
}): Promise<DemoStack> => {
  const envFile = join(home, '.env');
  if (!existsSync(envFile)) await writeFile(envFile, firstLines(ports, portal), { mode: 0o600 });
  const { DISCORD_API_URL: earlier } = await readEnvFile(envFile);
  if (discord) await editEnvFile(envFile, discord.env);
  else if (earlier) await editEnvFile(envFile, withoutDiscord);
  const env = { CASTELLAN_HOME: home };
  const program = startProgram('castellan', ['start'], env, join(home, 'castellan.out'));
  const activating = Promise.resolve(licenseKey).then((key) =>
    ask('castellan', ['license', 'activate'], env, key),
  );
  // Both fail on a wrong setting; what the stack itself says is also in its log.
  activating.catch(() => undefined);
  try {
    const apiUrl = `http://127.0.0.1:${ports.api}`;
    await waitFor(program, 'the API answered', () => answers(apiUrl), stopping);
    const license = licenseStatus.parse(await activating);
    // Another process has written it; the API notices that a moment later.
    await waitFor(program, 'the API was licensed', () => isLicensed(apiUrl), stopping);
    const admin = await keptOwner({ program, home, apiUrl, stopping });
    const config = await readStackConfig(home);
    return {
      apiUrl,
      databaseUrl: config.databaseUrl.reveal(),
      hwid: license.hwid ?? '',
      admin,
      agentSecret: config.gameAgentSecret.reveal(),
      async healthy() {
        await waitFor(program, 'the stack was healthy', () => isHealthy(apiUrl), stopping);
        const status = stackStatus.parse(await ask('castellan', ['status'], env));
        if (status.pid !== program.process.pid)
          throw new StartupError(`Another stack runs in ${home} already.`);
        return {
          supervisor: status.pid,
          ...Object.fromEntries(status.components.map(({ name, pid }) => [name, pid ?? 0])),
        };
      },
      [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
    };
  } catch (error) {
    await Promise.allSettled([program[Symbol.asyncDispose](), activating]);
    throw error;
  }
};

/** The demo's owner; created once, as a person does with the set-up link, then kept. */
const keptOwner = async ({
  program,
  home,
  apiUrl,
  stopping,
}: {
  readonly program: RunningProgram;
  readonly home: string;
  readonly apiUrl: string;
  readonly stopping?: AbortSignal | undefined;
}): Promise<DemoStack['admin']> => {
  const file = join(home, 'demo-admin.json');
  const kept = await readFile(file, 'utf8').catch(() => null);
  if (kept) return JSON.parse(kept) as DemoStack['admin'];
  const admin = { name: 'owner', password: randomBytes(12).toString('base64url') };
  const link = () => readFile(join(home, setupLinkFile), 'utf8').then(whole, () => null);
  const token = (await waitFor(program, 'there was a set-up link', link, stopping)).split('token=')[1] ?? '';
  await callApi(apiUrl, setupHttp.createOwner, { ...admin, token: token.trim() });
  await writeFile(file, JSON.stringify(admin), { mode: 0o600 });
  return admin;
};

/** Null while it is being written. */
const whole = (text: string): string | null => (text.endsWith('\n') ? text : null);

/** What a build ships in a product, and the key that the existing database must have; the first start completes the file. */
const firstLines = (ports: DemoPorts, portal: DemoPortal): string => `LICENSE_SERVER_URL=${portal.url}
LICENSE_SERVER_PUBLIC_KEY=${portal.publicKey}
API_PORT=${ports.api}
DATABASE_URL=postgresql://castellan:${randomBytes(24).toString('base64url')}@127.0.0.1:${ports.postgres}/castellan?connection_limit=20
CONFIG_ENCRYPTION_KEY=${randomBytes(32).toString('hex')}
`;

const answers = async (apiUrl: string): Promise<true | null> => {
  const response = await tryFetch(apiUrl + healthHttp.stack.path);
  await response?.body?.cancel();
  return response ? true : null;
};

const readHealth = async (apiUrl: string): Promise<StackHealth | null> => {
  const response = await tryFetch(apiUrl + healthHttp.stack.path);
  if (response?.status === 200) return stackHealth.parse(await response.json());
  await response?.body?.cancel();
  return null;
};
const isHealthy = async (apiUrl: string): Promise<true | null> =>
  (await readHealth(apiUrl))?.status === 'ok' || null;
const isLicensed = async (apiUrl: string): Promise<true | null> =>
  (await readHealth(apiUrl))?.license === 'valid' || null;
