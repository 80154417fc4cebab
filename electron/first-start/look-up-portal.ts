import type { DesktopInput } from '#contracts/desktop/desktop.ts';
import type { PortalReport } from '#contracts/desktop/desktop-first-run.ts';
import { jwks, licensesHttp } from '#contracts/license/licenses.ts';
import { isLoopback } from '#runtime/http/this-machine.ts';
import { exchange } from '#runtime/license/portal/exchange.ts';
import { explainFailure } from '#runtime/license/portal/failure.ts';
import { keyFingerprint, readPublicKey } from '#runtime/license/succession/public-key.ts';
import { readJson } from '#runtime/read-json.ts';

const timeoutMs = 10_000;

/** The address of a portal as people type it, without anything after its root; null when it is none. */
export const portalAddressOf = (typed: string): URL | null => {
  const text = typed.trim();
  const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return null;
  url.search = '';
  url.hash = '';
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
};

/** As it is written in `.env`. */
export const portalUrlText = (url: URL): string => url.href.replace(/\/$/, '');

/** Requests to a portal on this machine cross no network. */
const isOfThisMachine = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || isLoopback(hostname.replace(/^\[|\]$/g, ''));

/** The license key and its tokens would cross a network unencrypted. */
export const isPlain = (url: URL): boolean => url.protocol === 'http:' && !isOfThisMachine(url);

/**
 * Fetches the key that a portal signs with, for a person to compare. Nothing trusts it before that.
 * @param asked with a pasted key, which the portal then must publish
 */
export const lookUpPortal = async (asked: DesktopInput<'firstRun.lookUpPortal'>): Promise<PortalReport> => {
  const address = portalAddressOf(asked.url);
  if (!address) return { outcome: 'no-address', detail: 'The address must begin with https:// or http://.' };
  if (isPlain(address) && !asked.isPlainConfirmed)
    return { outcome: 'plain', detail: `The connection to ${address.host} would not be encrypted.` };
  const url = portalUrlText(address);
  const where = new URL(`${url}${licensesHttp.jwks.path}`);
  const found = await exchange({ url: where, timeoutMs }).catch((error: unknown) =>
    explainFailure(error, where),
  );
  if (typeof found === 'string') return { outcome: 'unreachable', detail: found };
  const published = found.status === 200 ? await keysOf(found.text) : [];
  // A portal also publishes its next key: the one before it signs.
  const signing = published.at(-2) ?? published.at(-1);
  const chosen = asked.publicKey === '' ? signing : published.find(({ text }) => text === asked.publicKey);
  if (!signing)
    return {
      outcome: 'no-portal',
      detail: `${where.host} is not a license portal: it publishes no key (HTTP ${found.status}).`,
    };
  if (!chosen) return { outcome: 'other-key', detail: `${where.host} publishes other keys.` };
  return { outcome: 'found', url, publicKey: chosen.text, fingerprint: keyFingerprint(chosen.kid) };
};

/** The ID of a key is computed, not trusted. */
const keysOf = async (answer: string): Promise<readonly { text: string; kid: string }[]> => {
  const { keys = [] } = readJson(jwks, answer) ?? {};
  const read = await Promise.all(
    keys.map(async ({ x }) => ({ text: x, kid: (await readPublicKey(x).catch(() => null))?.kid })),
  );
  return read.flatMap(({ text, kid }) => (kid === undefined ? [] : [{ text, kid }]));
};
