import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { makeLicenseKey } from '#contracts/license/license-key.ts';
import { endedProcessesVariable, processIdVariable } from '#contracts/operations/supervision.ts';
import { confirmationBy, confirmationHeader } from '#runtime/desktop-confirmation.ts';
import { openLicenseClient } from '#runtime/license/license-client.ts';
import { createLog } from '#runtime/log.ts';
import { Secret } from '#runtime/secret.ts';
import { stackEnvPath } from '#runtime/stack-config.ts';
import { systemEnv } from '#runtime/system-env.ts';
import { startFakePortal } from '../../runtime/license/testing/fake-portal.ts';
import { builtProgram } from './built-program.ts';
import { eventually } from './eventually.ts';
import { freePort } from './ports.ts';
import { temporaryFolder } from './temporary-folder.ts';

export interface ApiProcess extends AsyncDisposable {
  /** As the supervisor would name it, and the database knows it. */
  readonly id: string;
  readonly process: ChildProcess;
  /** Resolves when the database is in use. */
  readonly ready: Promise<void>;
  /** Fetches with the local owner's credential and confirmation, unless the headers say otherwise. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

export interface ApiStart {
  /** In addition to what every program of the stack gets. */
  readonly env?: Readonly<Record<string, string>>;
  /** Replace the initial variables of `.env`, which is rewritten. */
  readonly variables?: Readonly<Record<string, string>>;
  /** False for a process that may be killed before it is ready. */
  readonly untilReady?: boolean;
  /** How long it may take to become ready; by default 100 s. */
  readonly startMs?: number;
}

/** A licensed data folder with its own database, whose API runs as a separate process when started. */
export interface Installation extends AsyncDisposable {
  readonly home: string;
  readonly apiUrl: string;
  /** The initial variables of `.env`. */
  readonly variables: Readonly<Record<string, string>>;
  readonly licenseKey: string;
  readonly databaseUrl: Secret;
  readonly credential: string;
  /** Resolves when the database is in use, unless told not to wait. The process is killed when the installation is disposed. */
  startApi(options?: ApiStart): Promise<ApiProcess>;
  /** Everything that the API's processes have printed so far. */
  output(): Promise<string>;
}

const source = resolve(import.meta.dirname, '../../server/main.ts');
const startDeadlineMs = 100_000;

/**
 * An installation with a database that the caller owns, and the API from `program`.
 * @param lines additional variables for `.env`
 */
export const installOver = async (
  databaseUrl: Secret,
  lines: Readonly<Record<string, string>> = {},
  program: string = builtProgram('api', source),
): Promise<Installation> => {
  await using building = new AsyncDisposableStack();
  const home = building.use(await temporaryFolder('installation')).path;
  const portal = building.use(await startFakePortal(Date.now));
  const licenseKey = makeLicenseKey(randomBytes(15));
  const port = await freePort();
  const apiUrl = `http://127.0.0.1:${port}`;
  const secret = () => randomBytes(32).toString('base64url');
  const variables: Record<string, string> = {
    CONFIG_ENCRYPTION_KEY: randomBytes(32).toString('hex'),
    GAME_AGENT_SECRET: secret(),
    INTERNAL_API_SECRET: secret(),
    INSTANCE_ID: randomUUID(),
    DATABASE_URL: databaseUrl.reveal(),
    API_PORT: String(port),
    LICENSE_SERVER_URL: portal.url,
    LICENSE_SERVER_PUBLIC_KEY: portal.key.publicKey,
    ...lines,
  };
  const writeEnv = (more: Readonly<Record<string, string>> = {}) => {
    const all = Object.entries({ ...variables, ...more });
    const text = all.map(([name, value]) => `# About ${name}.\n${name}=${value}\n`);
    return writeFile(stackEnvPath(home), text.join('\n'), { mode: 0o600 });
  };
  await writeEnv();
  await mkdir(join(home, 'logs'), { mode: 0o700 });
  await activate(home, licenseKey, variables);

  const credential = secret();
  const logFile = join(home, 'logs', 'api.log');
  /** Processes that start at the same time read `.env` one after the other. */
  let isEnvRead = Promise.resolve();
  const endedProcesses: string[] = [];
  const startApi = async ({
    env = {},
    variables: changed,
    untilReady = true,
    startMs = startDeadlineMs,
  }: ApiStart = {}): Promise<ApiProcess> => {
    const mayWrite = isEnvRead;
    const { promise, resolve: envIsRead } = Promise.withResolvers<void>();
    isEnvRead = promise;
    await mayWrite;
    if (changed) await writeEnv(changed);
    const url = changed?.API_PORT === undefined ? apiUrl : `http://127.0.0.1:${changed.API_PORT}`;
    const id = randomUUID();
    // As the supervisor names them.
    const names = { [processIdVariable]: id, [endedProcessesVariable]: endedProcesses.join(',') };
    const child = spawn(process.execPath, [program], {
      env: { ...systemEnv(), CASTELLAN_HOME: home, ...names, ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const exited = once(child, 'exit');
    child.once('exit', () => endedProcesses.push(id));
    for (const stream of [child.stdout, child.stderr])
      stream?.pipe(createWriteStream(logFile, { flags: 'a' }));
    const ask: ApiProcess['fetch'] = (path, init) => {
      const headers = new Headers(init?.headers);
      if (!headers.has('Authorization') && !headers.has('Cookie'))
        headers.set('Authorization', `Bearer ${credential}`);
      if (headers.get('Authorization') === `Bearer ${credential}`)
        headers.set(confirmationHeader, confirmationBy(new Secret(credential)));
      return fetch(url + path, { ...init, headers });
    };
    const becomeReady = async (): Promise<void> => {
      const isReady = await eventually(async () => {
        if (child.exitCode !== null || child.signalCode !== null) return false;
        const answer = await ask('/api/health');
        envIsRead();
        const health = (await answer.json()) as { components?: { queues: { status: string } } };
        if (health.components?.queues.status !== 'ok')
          throw new Error(`not ready: ${JSON.stringify(health)}`);
        return true;
      }, startMs);
      if (!isReady) throw new Error(`the API ended:\n${await readFile(logFile, 'utf8')}`);
    };
    child.send({ type: 'credential', credential, user: 'tester' });
    const api: ApiProcess = {
      id,
      process: child,
      ready: becomeReady().finally(envIsRead),
      fetch: ask,
      async [Symbol.asyncDispose]() {
        if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
        await exited;
      },
    };
    owned.defer(async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await exited;
    });
    if (untilReady) await api.ready;
    else api.ready.catch(() => undefined);
    return api;
  };
  const owned = building.move();
  return {
    home,
    apiUrl,
    variables,
    licenseKey,
    databaseUrl,
    credential,
    startApi,
    output: () => readFile(logFile, 'utf8'),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};

const activate = async (
  home: string,
  licenseKey: string,
  variables: Readonly<Record<string, string>>,
): Promise<void> => {
  await using client = await openLicenseClient({
    home,
    portalUrl: variables.LICENSE_SERVER_URL ?? '',
    publicKey: variables.LICENSE_SERVER_PUBLIC_KEY ?? '',
    instanceId: variables.INSTANCE_ID ?? '',
    version: '1.2.3',
    graceDays: 7,
    log: createLog({ component: 'test', level: 'silent' }),
    scheduled: false,
  });
  const activation = await client.activate(licenseKey);
  if (activation.outcome !== 'activated') throw new Error(`not activated: ${activation.outcome}`);
};
