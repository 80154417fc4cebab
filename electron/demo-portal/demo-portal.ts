import { join } from 'node:path';
import * as z from 'zod';
import { product } from '#contracts/kernel/product.ts';
import type { Activation } from '#contracts/license/license-answers.ts';
import { demoLicenseTier } from '#contracts/license/license-state.ts';
import { writeFileAtomically } from '#runtime/atomic-write.ts';
import { backOffDelay } from '#runtime/back-off.ts';
import { editEnvFile } from '#runtime/env-file.ts';
import { openLicenseFromConfig } from '#runtime/license/open-from-config.ts';
import { createLog, type Log } from '#runtime/log.ts';
import { findFreePort } from '#runtime/ports.ts';
import { StartupError } from '#runtime/program.ts';
import { readJsonFile } from '#runtime/read-json.ts';
import { sleep } from '#runtime/sleep.ts';
import { readStackConfig, type StackConfig, stackEnvPath } from '#runtime/stack-config.ts';
import type { LicenseServer } from '../first-start/license-server.ts';
import { lookUpPortal } from '../first-start/look-up-portal.ts';
import { demandPort } from '../stack/port-check.ts';
import { CannotStartError } from '../supervisor/component.ts';
import {
  askPortal,
  demoPortalFolder,
  hasDemoPortal,
  type PortalPlace,
  startPortalProcess,
} from './portal-process.ts';

type Programs = Pick<PortalPlace, 'home' | 'programsFolder' | 'node'>;

const demoRecord = z.object({
  port: z.int(),
  publicKey: z.string(),
  /** Key of the license issued for this data folder, so that a failed activation can be repeated. */
  licenseKey: z.string(),
});
type DemoRecord = z.infer<typeof demoRecord>;

const recordPath = (home: string): string => join(demoPortalFolder(home), 'demo.json');

/** Null where the data folder has no demo portal, or its record is damaged. */
const readRecord = (home: string): Promise<DemoRecord | null> => readJsonFile(demoRecord, recordPath(home));
const writeRecord = (home: string, record: DemoRecord): Promise<void> =>
  writeFileAtomically(recordPath(home), `${JSON.stringify(record, null, 2)}\n`, 0o600);

/** The portal of a data folder that is being set up. Disposing stops it; the desktop starts it again with the stack. */
interface NewDemoPortal extends AsyncDisposable {
  readonly server: LicenseServer;
  /** Call it once the data folder has its `.env`. */
  activate(): Promise<Activation>;
}

/**
 * Starts a portal in a data folder, with a license for this machine; continues what an earlier attempt has left.
 * @param used ports that the stack will have
 * @throws {StartupError}
 */
export const setUpDemoPortal = async (
  programs: Programs,
  used: readonly number[],
): Promise<NewDemoPortal> => {
  const { home } = programs;
  const earlier = await readRecord(home);
  const port = await freePort(earlier?.port ?? product.portalPort, used);
  const place = { ...programs, port, postgresPort: await freePort(product.portalPostgresPort, used) };
  await using starting = new AsyncDisposableStack();
  const { url } = starting.use(await startPortalProcess(place));
  const { publicKey } = keyShown.parse(await askPortal(place, ['key', 'show']));
  const isTakenUp = earlier !== null && earlier.publicKey === publicKey;
  const { licenseKey } = isTakenUp ? earlier : issued.parse(await askPortal(place, issueDemoLicense));
  await writeRecord(home, { port, publicKey, licenseKey });
  const resources = starting.move();
  return {
    server: { url, publicKey },
    activate: async () => activate(home, await readStackConfig(home), licenseKey),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
};

const keyShown = z.object({ publicKey: z.string() });
const issued = z.object({ licenseKey: z.string() });
const issueDemoLicense = ['license', 'issue', '--email', 'owner@example.com', '--tier', demoLicenseTier];

const freePort = async (first: number, used: readonly number[]): Promise<number> => {
  const found = await findFreePort(first);
  if (found === null) throw new StartupError(`No port from ${first} upwards is free for the demo portal.`);
  return used.includes(found) ? freePort(found + 1, used) : found;
};

/** Activates, or has the portal confirm the activation; a running stack sees the result immediately. */
const activate = async (home: string, config: StackConfig, licenseKey: string): Promise<Activation> => {
  const log = createLog({ component: 'demo-portal', level: 'silent' });
  await using license = await openLicenseFromConfig(config, { home, log, scheduled: false });
  const { state } = license.status();
  if (state === 'unlicensed' || state === 'rejected') return await license.activate(licenseKey);
  await license.checkNow();
  return { outcome: 'activated' };
};

/** A demo portal that the settings of a data folder point to. */
interface SettledDemoPortal {
  readonly port: number;
  /** Ports that the stack uses. */
  readonly used: readonly number[];
  readonly licenseKey: string;
}

/**
 * Looks for the demo portal of a data folder; null where there is none, or the settings now point to another portal. Call it
 * before the stack reads `.env`: it replaces a port that is taken there.
 */
export const settleDemoPortal = async ({
  home,
  programsFolder,
}: Pick<Programs, 'home' | 'programsFolder'>): Promise<SettledDemoPortal | null> => {
  const record = hasDemoPortal(programsFolder) ? await readRecord(home) : null;
  if (record === null) return null;
  const config = await readStackConfig(home);
  if (config.licenseServerPublicKey !== record.publicKey) return null;
  const used = [config.apiPort, Number(new URL(config.databaseUrl.reveal()).port)];
  const port = await portFor(record, used);
  if (port !== record.port) {
    await editEnvFile(stackEnvPath(home), { LICENSE_SERVER_URL: `http://127.0.0.1:${port}` });
    await writeRecord(home, { ...record, port });
  }
  return { port, used, licenseKey: record.licenseKey };
};

/** The port it had, unless another program has it; a portal that a killed desktop left there is waited for. */
const portFor = async ({ port, publicKey }: DemoRecord, used: readonly number[]): Promise<number> => {
  try {
    await demandPort({ port, host: '127.0.0.1', remedy: () => '' }, new AbortController().signal);
    return port;
  } catch (error) {
    if (!(error instanceof CannotStartError)) throw error;
    const there = await lookUpPortal({ url: `http://127.0.0.1:${port}`, publicKey, isPlainConfirmed: false });
    return there.outcome === 'found' ? port : freePort(port + 1, used);
  }
};

/** The demo portal of a data folder, kept running. Disposing stops it in order. */
interface DemoPortal extends AsyncDisposable {
  /** For good, such as before the data folder is moved. */
  stop(): Promise<void>;
}

const restart = { firstMs: 1000, mostMs: 60_000 };

interface DemoPortalOptions extends Programs {
  readonly log: Log;
}

/** Keeps a demo portal running, and its license confirmed; does nothing where there is none. */
export const keepDemoPortal = (settled: SettledDemoPortal | null, options: DemoPortalOptions): DemoPortal => {
  const stopping = new AbortController();
  const running = settled ? keepRunning(settled, options, stopping.signal) : Promise.resolve();
  const stop = () => {
    stopping.abort();
    return running;
  };
  return { stop, [Symbol.asyncDispose]: stop };
};

const keepRunning = async (
  { port, used, licenseKey }: SettledDemoPortal,
  options: DemoPortalOptions,
  signal: AbortSignal,
): Promise<void> => {
  const { home, log } = options;
  const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  let failures = 0;
  while (!signal.aborted) {
    try {
      const postgresPort = await freePort(product.portalPostgresPort, used);
      await using portal = await startPortalProcess({ ...options, port, postgresPort }, signal);
      log.info({ url: portal.url }, 'demo portal running');
      failures = 0;
      const activation = await activate(home, await readStackConfig(home), licenseKey);
      if (activation.outcome !== 'activated') log.warn(activation, 'could not activate the demo license');
      await Promise.race([portal.ended, stopped]);
      if (!signal.aborted) log.warn('the demo portal ended; restarting it');
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, 'could not start the demo portal');
    }
    failures += 1;
    await sleep(backOffDelay(restart, failures), signal);
  }
};
