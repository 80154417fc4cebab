import { type KeySuccession, keySuccession, keySuccessionHttp } from '#contracts/license/key-succession.ts';
import { readJson } from '../../read-json.ts';
import { exchange, type Question } from '../portal/exchange.ts';

/** The keys that the portal publishes; null when they cannot be fetched. Nothing in them is trusted yet. */
export const fetchSuccession = async (
  portalUrl: string,
  way: Pick<Question, 'timeoutMs' | 'stop' | 'proxy'>,
): Promise<KeySuccession | null> => {
  const url = new URL(portalUrl.replace(/\/*$/, keySuccessionHttp.succession.path));
  try {
    const { status, text } = await exchange({ url, ...way });
    return status === 200 ? readJson(keySuccession, text) : null;
  } catch {
    // Offline, too slow, too large: the key stays unknown, and the next check tries again.
    return null;
  }
};
