import type { StackStatus } from '#contracts/operations/stack.ts';
import { waitAtMost } from '#runtime/within.ts';
import type { Stack } from '../stack/stack.ts';

/** How the desktop's pages reach the API. */
export interface ApiProxy {
  /**
   * Waits a while for an API that is starting, when `isPatient`.
   * @returns why no request can be made now, in words; null when one can
   */
  refusal(isPatient: boolean): Promise<string | null>;
  /** Asks as the owner of this machine; the page never holds the credential. */
  readonly fetch: Stack['fetchApi'];
  /** The state of the stack has changed. */
  noteChange(): void;
}

/** Longer than a first start takes on most machines. */
const patienceMs = 15_000;

/**
 * Open only while our own API holds its port: any other program that listens there would get the owner's credential. The port
 * was free before the API started (port-check), and the API ends when it cannot have it. For an API that runs as a service,
 * we cannot know this; it proves itself at each request (electron/services/known-api.ts).
 */
export const createApiProxy = (
  stack: Pick<Stack, 'status' | 'fetchApi'>,
  isConfirmed: () => boolean,
  longestWaitMs: number = patienceMs,
): ApiProxy => {
  let change = Promise.withResolvers<void>();
  return {
    async refusal(isPatient) {
      const untilMs = performance.now() + (isPatient ? longestWaitMs : 0);
      for (;;) {
        const status = stack.status();
        const why = whyClosed(status);
        const leftMs = untilMs - performance.now();
        if (why === null || status.state !== 'starting' || leftMs <= 0) return why;
        await waitAtMost(leftMs, change.promise);
      }
    },
    // What the page itself says about confirmation does not count.
    fetch: (path, init) => stack.fetchApi(path, { ...init, isConfirmed: isConfirmed() }),
    noteChange() {
      change.resolve();
      change = Promise.withResolvers();
    },
  };
};

const whyClosed = ({ components }: Pick<StackStatus, 'components'>): string | null => {
  const api = components.find(({ name }) => name === 'api');
  if (api?.state === 'running' || api?.state === 'unhealthy') return null;
  const blocked = components.find(({ state }) => state === 'failed' || state === 'crashed');
  const named = blocked ?? api;
  const said = `${named?.name ?? 'api'} is ${named?.state ?? 'stopped'}`;
  return named?.reason ? `${said}: ${named.reason}` : said;
};
