import type { Request } from 'express';

/** The requests that API keys have open in this process, so that a revoked key's requests are over before the revocation is reported. */
export interface KeysInUse {
  /** Before the key is looked up, so that no request slips between the lookup and the revocation. */
  begin(keyId: string, request: Request): void;
  /**
   * Resolves when the keys, which no longer open anything, have no request left; requests that take longer than a few
   * seconds are cut off.
   * @param except the current request, which may have used the key itself
   */
  ended(keyIds: readonly string[], except?: Request): Promise<void>;
}

const patienceMs = 5000;

export const createKeysInUse = (longestMs: number = patienceMs): KeysInUse => {
  const open = new Map<string, Set<Request>>();
  return {
    begin(keyId, request) {
      const { res: response } = request;
      if (!response || response.closed) return;
      const requests = open.get(keyId) ?? new Set();
      open.set(keyId, requests.add(request));
      response.once('close', () => {
        requests.delete(request);
        if (requests.size === 0 && open.get(keyId) === requests) open.delete(keyId);
      });
    },
    async ended(keyIds, except) {
      const left = keyIds.flatMap((id) => [...(open.get(id) ?? [])]).filter((request) => request !== except);
      await Promise.all(left.map((request) => closed(request, longestMs)));
    },
  };
};

const closed = (request: Request, withinMs: number): Promise<void> =>
  new Promise((resolve) => {
    const { res: response } = request;
    if (!response || response.closed) return resolve();
    const impatience = setTimeout(() => response.destroy(), withinMs);
    response.once('close', () => {
      clearTimeout(impatience);
      resolve();
    });
  });
