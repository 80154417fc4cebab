import type { Log } from '#runtime/log.ts';
import { onOutsideFailure } from '#runtime/outside/outside-failure.ts';
import {
  findSystemProxy,
  type ResolveProxy,
  resolveSystemProxy,
  type SystemProxy,
  storedSystemProxy,
  storeSystemProxy,
} from '#runtime/outside/system-proxy.ts';
import { ownNetwork } from '#runtime/own-addresses.ts';
import { runPeriodically } from '#runtime/run-periodically.ts';
import { singleFlight } from '#runtime/single-flight.ts';
import { setFoundProxy } from '#runtime/system-env.ts';

export interface Intervals {
  /** How often the network is compared. */
  readonly networkMs: number;
  /** After a request that did not get out: failures come in rows. */
  readonly failureMs: number;
  /** On the same network, settings may change and a script may decide again. */
  readonly lookMs: number;
}

const usual: Intervals = { networkMs: 15_000, failureMs: 60_000, lookMs: 5 * 60_000 };

export interface SystemProxyWatch extends Disposable {
  /** Asks the system, and keeps its answer for the programs that cannot ask; without a network, what was known stays. */
  look(): Promise<SystemProxy>;
}

/**
 * The proxy that this computer's settings name, as the desktop alone can find it. A laptop comes into another network without having
 * slept: the system is asked again when this computer's addresses have changed, after a request that did not get out, and now and
 * then.
 */
export const watchSystemProxy = ({
  home,
  resolve,
  urls,
  onChange,
  log,
  network = ownNetwork,
  intervals = usual,
}: {
  readonly home: string;
  readonly resolve: ResolveProxy;
  /** What the installation reaches; a script decides for each. Always the same, or exceptions would change with them. */
  readonly urls: () => Promise<readonly URL[]>;
  /** Another network has another proxy: programs that run know the old one. */
  readonly onChange: () => Promise<void>;
  readonly log: Log;
  /** Which network this computer is in; empty: none. */
  readonly network?: () => Promise<string>;
  readonly intervals?: Intervals;
}): SystemProxyWatch => {
  let known: SystemProxy | null = null;
  let seen = { network: '', atMs: Number.NEGATIVE_INFINITY };
  let hasFailed = false;

  /** Never two at once: each would restart what uses the proxy. */
  const look = singleFlight(async (): Promise<SystemProxy> => {
    // What the stack was opened with.
    known ??= await findSystemProxy(home);
    const here = await network();
    if (here === '') return known;
    const before = known;
    const atMs = performance.now();
    const found = await resolveSystemProxy(resolve, await urls(), before.proxy);
    // The answer may be that of the network before, or of none.
    if ((await network()) !== here) return known;
    seen = { network: here, atMs };
    hasFailed = false;
    known = found;
    setFoundProxy(found);
    const stored = await storedSystemProxy(home);
    if (stored === null || !isSame(stored, found) || stored.unread !== found.unread)
      await storeSystemProxy(home, found).catch((error: Error) =>
        // The folder of services belongs to their accounts.
        log.warn({ err: error }, 'could not store the proxy of this computer'),
      );
    if (!isSame(before, found)) {
      log.info({ unread: found.unread }, 'the proxy of this computer has changed');
      await onChange();
    }
    return found;
  });
  const isDue = async (): Promise<boolean> => {
    const here = await network();
    if (here === '' || look.underWay()) return false;
    const sinceMs = performance.now() - seen.atMs;
    return here !== seen.network || sinceMs >= (hasFailed ? intervals.failureMs : intervals.lookMs);
  };

  const resources = new DisposableStack();
  resources.use(
    onOutsideFailure(() => {
      hasFailed = true;
    }),
  );
  resources.use(
    runPeriodically({
      intervalMs: intervals.networkMs,
      async work() {
        if (await isDue()) await look();
      },
      failure: 'could not find out which proxy this computer uses',
      log,
    }),
  );
  return { look, [Symbol.dispose]: () => resources.dispose() };
};

const isSame = (one: SystemProxy, other: SystemProxy): boolean =>
  one.proxy === other.proxy && one.noProxy === other.noProxy;
