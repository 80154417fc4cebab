import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DemoPorts } from './ports.ts';
import { ask, startProgram, tryFetch, waitFor } from './program.ts';

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
    await waitFor(program, 'the portal was ready', () => isReady(`${url}/ready`), stopping);
    const { publicKey } = (await ask('portal', ['key', 'show'], env)) as { publicKey: string };
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

const isReady = async (url: string): Promise<true | null> => {
  const response = await tryFetch(url);
  await response?.body?.cancel();
  return response?.ok ? true : null;
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
