import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { healthHttp, stackHealth } from '#contracts/health.ts';
import { licenseStatus } from '#contracts/license-state.ts';
import { stackStatus } from '#contracts/stack.ts';
import { readEnvFile } from '#runtime/env.ts';
import { editEnvFile } from '#runtime/env-file.ts';
import { StartupError } from '#runtime/program.ts';
import { readStackConfig } from '#runtime/stack-config.ts';
import { type DemoDiscord, withoutDiscord } from './discord.ts';
import type { DemoPortal } from './portal.ts';
import type { DemoPorts } from './ports.ts';
import { ask, startProgram, tryFetch, waitFor } from './program.ts';

export interface DemoStack extends AsyncDisposable {
  readonly apiUrl: string;
  readonly databaseUrl: string;
  readonly hwid: string;
  readonly pids: Readonly<Record<string, number>>;
  /** GAME_AGENT_SECRET. */
  readonly agentSecret: string;
  /** An owner's sign-in. */
  readonly admin: { readonly name: string; readonly password: string };
}

/** The real stack under its supervisor, activated with the demo's license, healthy. */
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
  readonly licenseKey: string;
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
  try {
    const apiUrl = `http://127.0.0.1:${ports.api}`;
    await waitFor(program, 'the API answered', () => answers(apiUrl), stopping);
    await ask('castellan', ['license', 'activate'], env, licenseKey);
    await waitFor(program, 'the stack was healthy', () => isHealthy(apiUrl), stopping);
    const admin = await keptOwner(join(home, 'demo-admin.json'), env);
    const status = stackStatus.parse(await ask('castellan', ['status'], env));
    if (status.pid !== program.process.pid) throw new StartupError(`Another stack runs in ${home} already.`);
    const license = licenseStatus.parse(await ask('castellan', ['license', 'status'], env));
    const config = await readStackConfig(home);
    return {
      apiUrl,
      databaseUrl: config.databaseUrl.reveal(),
      hwid: license.hwid ?? '',
      admin,
      agentSecret: config.gameAgentSecret.reveal(),
      pids: {
        supervisor: status.pid,
        ...Object.fromEntries(status.components.map(({ name, pid }) => [name, pid ?? 0])),
      },
      [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
    };
  } catch (error) {
    await program[Symbol.asyncDispose]();
    throw error;
  }
};

/** The demo's owner; created once, then kept in `file`. */
const keptOwner = async (
  file: string,
  env: Readonly<Record<string, string>>,
): Promise<DemoStack['admin']> => {
  const kept = await readFile(file, 'utf8').catch(() => null);
  if (kept) return JSON.parse(kept) as DemoStack['admin'];
  const admin = { name: 'owner', password: randomBytes(12).toString('base64url') };
  await ask('castellan', ['admin', 'create', '--name', admin.name], env, admin.password);
  await writeFile(file, JSON.stringify(admin), { mode: 0o600 });
  return admin;
};

/** What a build ships in a product; the first start completes the file. */
const firstLines = (ports: DemoPorts, portal: DemoPortal): string => `LICENSE_SERVER_URL=${portal.url}
LICENSE_SERVER_PUBLIC_KEY=${portal.publicKey}
API_PORT=${ports.api}
DATABASE_URL=postgresql://castellan:${randomBytes(24).toString('base64url')}@127.0.0.1:${ports.postgres}/castellan?connection_limit=20
`;

const answers = async (apiUrl: string): Promise<true | null> => {
  const response = await tryFetch(apiUrl + healthHttp.stack.path);
  await response?.body?.cancel();
  return response ? true : null;
};

const isHealthy = async (apiUrl: string): Promise<true | null> => {
  const response = await tryFetch(apiUrl + healthHttp.stack.path);
  if (response?.status !== 200) {
    await response?.body?.cancel();
    return null;
  }
  return stackHealth.parse(await response.json()).status === 'ok' ? true : null;
};
