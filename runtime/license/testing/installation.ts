import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeLicenseKey } from '#contracts/license-key.ts';
import type { LicenseStatus } from '#contracts/license-state.ts';
import { createLog } from '../../log.ts';
import type { IdentifierName } from '../hwid/identifier.ts';
import { createMachine } from '../hwid/machine.ts';
import { type LicenseClient, type LicenseClientOptions, openLicenseClient } from '../license-client.ts';
import { recordFileName } from '../record/record-store.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';
import { type FakePortal, startFakePortal } from './fake-portal.ts';

export type Parts = Partial<Record<IdentifierName, string>>;

export interface TestInstallation extends AsyncDisposable {
  readonly home: string;
  readonly portal: FakePortal;
  readonly clock: FakeClock;
  readonly licenseKey: string;
  readonly instanceId: string;
  /** The parts that the machine is made of; can be replaced. */
  parts: Parts;
  /** Closed with the installation, if not earlier. */
  open(options?: Partial<LicenseClientOptions>): Promise<LicenseClient>;
  /** Opens a client and activates it. */
  activated(options?: Partial<LicenseClientOptions>): Promise<LicenseClient>;
}

export const someParts = (): Parts => ({
  machineId: randomUUID(),
  smbiosUuid: randomUUID(),
  diskSerial: randomUUID(),
});

/** A data folder, a machine, a clock and a portal for one test. */
export const install = async (): Promise<TestInstallation> => {
  const resources = new AsyncDisposableStack();
  const home = resources.use(await mkdtempDisposable(join(tmpdir(), 'castellan-license-'))).path;
  const clock = createFakeClock(Date.UTC(2026, 0, 1, 12));
  const portal = resources.use(await startFakePortal(() => clock.nowMs()));
  const installation: TestInstallation = {
    home,
    portal,
    clock,
    licenseKey: makeLicenseKey(randomBytes(15)),
    instanceId: randomUUID(),
    parts: someParts(),
    async open(options = {}) {
      const { instanceId } = installation;
      const client = await openLicenseClient({
        home,
        portalUrl: portal.url,
        publicKey: portal.key.publicKey,
        instanceId,
        version: '1.2.3',
        graceDays: 7,
        log: createLog({ component: 'test', level: 'silent' }),
        clock,
        readMachine: () => createMachine(async (name) => installation.parts[name] ?? null),
        ...options,
      });
      return resources.use(client);
    },
    async activated(options) {
      const client = await installation.open(options);
      const activation = await client.activate(installation.licenseKey);
      if (activation.outcome !== 'activated') throw new Error(`not activated: ${activation.outcome}`);
      return client;
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
  return installation;
};

export const recordPath = ({ home }: TestInstallation): string => join(home, recordFileName);

/** license.json as it is on disk, unchecked. */
export const readRecord = async (installation: TestInstallation) =>
  JSON.parse(await readFile(recordPath(installation), 'utf8'));

/** Lets time pass until the next check, and waits until the portal has answered it. */
export const toNextCheck = async (
  client: LicenseClient,
  { clock }: TestInstallation,
): Promise<LicenseStatus> => {
  const { nextCheckAt } = client.status();
  if (nextCheckAt === null) throw new Error('no check is planned');
  clock.advance(Date.parse(nextCheckAt) - clock.nowMs());
  return client.checkNow();
};
