import type { Log } from '#runtime/log.ts';
import {
  findSystemProxy,
  type ResolveProxy,
  resolveSystemProxy,
  type SystemProxy,
  storedSystemProxy,
  storeSystemProxy,
} from '#runtime/outside/system-proxy.ts';
import { setFoundProxy } from '#runtime/system-env.ts';

export interface SystemProxyOptions {
  readonly home: string;
  readonly resolve: ResolveProxy;
  /** What the installation reaches; a script decides for each. */
  readonly urls: () => Promise<readonly URL[]>;
  /** Another network has another proxy: programs that run know the old one. */
  readonly onChange: () => Promise<void>;
  readonly log: Log;
}

export interface SystemProxyWatch {
  /** Asks the system, and keeps its answer for the programs that cannot ask. */
  look(): Promise<SystemProxy>;
}

const isSame = (one: SystemProxy, other: SystemProxy): boolean =>
  one.proxy === other.proxy && one.noProxy === other.noProxy;

/** The proxy that this computer's settings name, as the desktop alone can find it. */
export const watchSystemProxy = ({
  home,
  resolve,
  urls,
  onChange,
  log,
}: SystemProxyOptions): SystemProxyWatch => {
  let known: SystemProxy | null = null;
  return {
    async look() {
      // What the stack was opened with.
      known ??= await findSystemProxy(home);
      const found = await resolveSystemProxy(resolve, await urls());
      const before = known;
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
    },
  };
};
