import { setTimeout as delay } from 'node:timers/promises';
import { type ComponentName, componentNames, type StackStatus } from '#contracts/operations/stack.ts';
import type { Log } from '#runtime/log.ts';
import { StartupError } from '#runtime/program.ts';
import type { Secret } from '#runtime/secret.ts';
import { readStackConfig } from '#runtime/stack-config.ts';
import type { ServiceControl } from '#runtime/windows/service-control.ts';
import { serviceNames } from '#runtime/windows/service-names.ts';
import type { ServiceState } from '#runtime/windows/service-state.ts';
import { readStartRefusal } from '../control/start-refusal.ts';
import { askApi } from '../stack/api-health.ts';
import { databaseFault } from '../stack/database-fault.ts';
import { readDatabaseUrl } from '../stack/database-url.ts';
import { callApi, fetchApi } from '../stack/local-api-call.ts';
import type { Stack } from '../stack/stack.ts';
import type { Health } from '../supervisor/component.ts';
import { stackState } from '../supervisor/stack-state.ts';
import { askForProof, isKeyUnknown } from './known-api.ts';
import { initialSnapshot, nextSnapshot, type ServiceSnapshot } from './service-snapshot.ts';
import { servicesHolder } from './services-holder.ts';

type ServicesOrder = 'start' | 'stop' | 'restart';

const usualPollMs = { calm: 5000, busy: 1000 };
const askMs = 4000;

/**
 * The stack of a data folder where Windows runs it. It is only watched, and controlled by asking an administrator: disposing
 * stops nothing.
 */
export const openServicesStack = async (options: {
  readonly home: string;
  readonly control: Pick<ServiceControl, 'state'>;
  readonly log: Log;
  /** Runs with an administrator's rights. @throws {StartupError} when it did not succeed */
  readonly order: (order: ServicesOrder, component?: ComponentName) => Promise<void>;
  /** The key of this user's desktop to the API; null when there is none. */
  readonly key: () => Secret | null;
  /** The API no longer accepts that key. */
  readonly onKeyRefused: () => void;
  readonly onChange: () => void;
  readonly pollMs?: { readonly calm: number; readonly busy: number };
}): Promise<Stack> => {
  const { home, control, log, order, key, onKeyRefused, onChange, pollMs = usualPollMs } = options;
  let config = await readStackConfig(home);
  let snapshots = new Map<ComponentName, ServiceSnapshot>(
    componentNames.map((name) => [name, initialSnapshot]),
  );
  const since = new Map<ComponentName, string>();
  let ordered: ServicesOrder | null = null;
  const over = new AbortController();
  const snapshotOf = (name: ComponentName) => snapshots.get(name) ?? initialSnapshot;

  const probes: Readonly<Record<ComponentName, () => Promise<Health | null>>> = {
    async postgres() {
      const fault = await databaseFault(config.databaseUrl);
      return fault === null ? { condition: 'ok', detail: null } : null;
    },
    api: () => askApi(config.apiOrigin, AbortSignal.timeout(askMs)),
    // It answers only its own supervisor; its state is in what the API says, unless its service has not even started it.
    bot: async () =>
      (await readStartRefusal(home, 'bot')) === null ? { condition: 'ok', detail: null } : null,
  };
  const lookOnce = async (isPatient: boolean) => {
    // It may have been changed; the services read it at their next start.
    config = await readStackConfig(home).catch(() => config);
    const states = await Promise.all(
      componentNames.map((name) => control.state(serviceNames[name]).catch(() => null)),
    );
    const stands = (state: ServiceState | null) => state === 'stopped' || state === 'absent';
    const answers = await Promise.all(
      componentNames.map(async (name, index) =>
        isPatient && states[index] === 'running' ? probes[name]().catch(() => null) : null,
      ),
    );
    // Its service tries again and again, and only what it has written says why none succeeds.
    const refusals = await Promise.all(
      componentNames.map(async (name, index) =>
        states[index] === 'running' && answers[index] === null
          ? readStartRefusal(home, name === 'api' ? undefined : name)
          : null,
      ),
    );
    const next = new Map<ComponentName, ServiceSnapshot>();
    for (const [index, name] of componentNames.entries()) {
      const sight = {
        service: states[index] ?? null,
        answer: answers[index] ?? null,
        refusal: refusals[index]?.reason ?? null,
        othersRun: states.some((state, other) => other !== index && !stands(state)),
      };
      next.set(name, nextSnapshot(snapshotOf(name), sight, performance.now()));
    }
    if (!over.signal.aborted) settle(next);
  };
  let looking: Promise<void> = Promise.resolve();
  /** One after another, so that none reports older facts than the one before it. */
  const look = (isPatient = true): Promise<void> => {
    looking = looking
      .then(() => lookOnce(isPatient))
      .catch((error: Error) => log.error({ err: error }, 'could not query the services'));
    return looking;
  };
  const settle = (next: Map<ComponentName, ServiceSnapshot>) => {
    const changed = componentNames.filter((name) => {
      const [before, after] = [snapshotOf(name), next.get(name) ?? initialSnapshot];
      if (before.state !== after.state) since.set(name, new Date().toISOString());
      return (
        before.state !== after.state || before.reason !== after.reason || before.license !== after.license
      );
    });
    snapshots = next;
    if (changed.length === 0) return;
    for (const name of changed) {
      const { state, reason } = snapshotOf(name);
      log.info({ name, state, reason }, `the ${name} service is ${state}`);
    }
    onChange();
  };

  let wake = Promise.withResolvers<void>();
  const isBusy = () =>
    ordered !== null ||
    [...snapshots.values()].some(({ state }) => state === 'starting' || state === 'stopping');
  const watch = async () => {
    while (!over.signal.aborted) {
      await look();
      const pause = delay(isBusy() ? pollMs.busy : pollMs.calm, undefined, { signal: over.signal });
      await Promise.race([pause.catch(() => undefined), wake.promise]);
      wake = Promise.withResolvers();
    }
  };
  const opening = new Date().toISOString();
  // A user who wants to see a window does not wait for a process that hangs.
  await look(false);
  void watch();

  const give = async (wanted: ServicesOrder, component?: ComponentName) => {
    ordered = wanted;
    onChange();
    wake.resolve();
    try {
      await order(wanted, component);
    } finally {
      ordered = null;
      await look();
      onChange();
    }
  };
  const state = (): StackStatus['state'] => {
    const some = [...snapshots.values()].some(({ service }) => service !== 'stopped' && service !== 'absent');
    const wanted = ordered === null ? some : ordered !== 'stop';
    return stackState(
      wanted,
      componentNames.map((name) => ({ ...snapshotOf(name), name })),
    );
  };
  const ports = () => ({
    postgres: readDatabaseUrl(config.databaseUrl).port,
    api: config.apiPort,
    bot: null,
  });

  return {
    log,
    start: () => give('start'),
    pause: () => give('stop'),
    // Only Windows stops them; a desktop that ends just stops watching.
    stop: async () => undefined,
    guardianPid: () => null,
    onResume: () => wake.resolve(),
    restart: (name) => give('restart', name),
    async callApi(call) {
      const shown = key();
      if (!shown) throw new StartupError('This desktop has no key for the API of the services.');
      const { apiOrigin } = config;
      const refusal = await askForProof(apiOrigin, shown);
      if (refusal) throw new StartupError(`The API answered ${refusal.status}.`);
      return callApi(apiOrigin, shown, call);
    },
    async fetchApi(path, init) {
      const shown = key();
      const { apiOrigin } = config;
      // Without a key the API says itself what is missing, such as a license.
      if (!shown) {
        const { isConfirmed: _nothingToConfirmBy, ...plain } = init;
        return fetch(apiOrigin + path, { ...plain, redirect: 'error' });
      }
      const refusal = await askForProof(apiOrigin, shown);
      if (refusal && isKeyUnknown(refusal)) onKeyRefused();
      return refusal ?? fetchApi(apiOrigin, shown, path, init);
    },
    status: () => ({
      state: state(),
      home,
      pid: process.pid,
      heldBy: servicesHolder,
      apiUrl: config.apiOrigin,
      components: componentNames.map((name) => {
        const { state, reason } = snapshotOf(name);
        return {
          name,
          state,
          reason,
          pid: null,
          port: ports()[name],
          since: since.get(name) ?? opening,
          restarts: 0,
          lastLines: [],
        };
      }),
    }),
    async [Symbol.asyncDispose]() {
      over.abort();
    },
  };
};
