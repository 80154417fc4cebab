import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeLicenseKey } from '#contracts/license/license-key.ts';
import type { LicenseStatus } from '#contracts/license/license-state.ts';
import type { TimerClock } from '../../clock.ts';
import { createLog } from '../../log.ts';
import type { IdentifierName } from '../hwid/identifier.ts';
import { createMachine } from '../hwid/machine.ts';
import { type LicenseClient, openLicenseClient } from '../license-client.ts';
import { recordFileName } from '../record/record-store.ts';
import { type FakePortal, startFakePortal } from './fake-portal.ts';

interface FakeClock extends TimerClock {
  nowMs(): number;
  /** Lets time pass; timers run in order, each at its own moment. */
  advance(ms: number): void;
  /** Sets only the wall clock, as a person would. */
  set(wallMs: number): void;
}

interface Timer {
  readonly dueMs: number;
  readonly run: () => void;
}

/** @param startMs wall clock, milliseconds since epoch */
const createFakeClock = (startMs: number): FakeClock => {
  let elapsedMs = 0;
  let offsetMs = startMs;
  const timers = new Set<Timer>();
  const nextDue = (untilMs: number) =>
    [...timers].filter((timer) => timer.dueMs <= untilMs).sort((a, b) => a.dueMs - b.dueMs)[0];

  const nowMs = () => offsetMs + elapsedMs;
  return {
    nowMs,
    now: () => new Date(nowMs()),
    monotonicMs: () => elapsedMs,
    setTimer(delayMs, run) {
      const timer = { dueMs: elapsedMs + delayMs, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance(ms) {
      const untilMs = elapsedMs + ms;
      for (let timer = nextDue(untilMs); timer; timer = nextDue(untilMs)) {
        timers.delete(timer);
        elapsedMs = Math.max(elapsedMs, timer.dueMs);
        timer.run();
      }
      elapsedMs = untilMs;
    },
    set(wallMs) {
      offsetMs = wallMs - elapsedMs;
    },
  };
};

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
  open(options?: Partial<Parameters<typeof openLicenseClient>[0]>): Promise<LicenseClient>;
  /** Opens a client and activates it. */
  activated(options?: Partial<Parameters<typeof openLicenseClient>[0]>): Promise<LicenseClient>;
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
