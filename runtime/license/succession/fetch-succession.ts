import { type KeySuccession, keySuccession, keySuccessionHttp } from '#contracts/key-succession.ts';
import { exchange } from '../portal/exchange.ts';

/** What the portal publishes of its keys; null when nothing of that kind could be had. Nothing in it is believed yet. */
export const fetchSuccession = async (
  portalUrl: string,
  timeoutMs: number,
  stop?: AbortSignal,
): Promise<KeySuccession | null> => {
  const url = new URL(portalUrl.replace(/\/*$/, keySuccessionHttp.succession.path));
  try {
    const { status, text } = await exchange(url, null, timeoutMs, stop);
    return status === 200 ? (keySuccession.safeParse(JSON.parse(text)).data ?? null) : null;
  } catch {
    // Offline, too slow, too large, no JSON: the key stays unknown, and the next check asks again.
    return null;
  }
};
