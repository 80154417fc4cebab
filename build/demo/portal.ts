import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { licensesHttp } from '#contracts/license/licenses.ts';
import { StartupError } from '#runtime/program.ts';
import type { DemoPorts } from './ports.ts';
import { ask, type RunningProgram, startProgram, waitFor } from './program.ts';

export interface DemoPortal extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
  readonly publicKey: string;
  readonly databaseUrl: string;
  /** The key of the demo's license; issued once, then kept in `file`. */
  license(file: string): Promise<string>;
}

/** A real portal with its own Postgres, ready for requests. */
export const startDemoPortal = async (
  home: string,
  ports: DemoPorts,
  stopping?: AbortSignal | undefined,
): Promise<DemoPortal> => {
  await mkdir(home, { recursive: true, mode: 0o711 });
  const env = {
    PORTAL_HOME: home,
    PORTAL_PORT: String(ports.portal),
    PORTAL_POSTGRES_PORT: String(ports.portalPostgres),
    TRUST_PROXY: 'loopback',
  };
  const program = startProgram('portal', ['serve'], env, join(home, 'portal.log'));
  const url = `http://127.0.0.1:${ports.portal}`;
  try {
    const kid = await waitFor(program, 'the portal was ready', async () => activeKid(program), stopping);
    const publicKey = await publicKeyOf(url, kid);
    const password = (await readFile(join(home, 'postgres', 'superuser.password'), 'utf8')).trim();
    return {
      url,
      pid: program.process.pid ?? 0,
      publicKey,
      databaseUrl: `postgresql://postgres:${password}@127.0.0.1:${ports.portalPostgres}/portal`,
      license: (file) => keptLicense(file, env),
      [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
    };
  } catch (error) {
    await program[Symbol.asyncDispose]();
    throw error;
  }
};

/** The portal names the key that it signs with once it is ready. */
const activeKid = (program: RunningProgram): string | null => {
  const line = program.lines().find((one) => one.includes('"portal ready"'));
  return line === undefined ? null : (JSON.parse(line) as { kid: string }).kid;
};

const publicKeyOf = async (url: string, kid: string): Promise<string> => {
  const { path, response } = licensesHttp.jwks;
  const { keys } = response.parse(await (await fetch(url + path)).json());
  const found = keys.find((key) => key.kid === kid);
  if (!found) throw new StartupError(`The portal does not publish its key ${kid}.`);
  return found.x;
};

const keptLicense = async (file: string, env: Readonly<Record<string, string>>): Promise<string> => {
  const kept = await readFile(file, 'utf8').catch(() => null);
  if (kept) return (JSON.parse(kept) as { licenseKey: string }).licenseKey;
  const args = [
    'license',
    'issue',
    '--email',
    'owner@example.com',
    '--tier',
    'community',
    '--max-clusters',
    '5',
  ];
  const issued = (await ask('portal', args, env)) as { licenseKey: string };
  await writeFile(file, JSON.stringify({ licenseKey: issued.licenseKey }), { mode: 0o600 });
  return issued.licenseKey;
};
