import { join } from 'node:path';
import * as z from 'zod';
import { writeFileAtomically } from '../atomic-write.ts';
import { readJsonFile } from '../read-json.ts';
import { type InternetSettings, readInternetSettings } from '../windows/internet-settings.ts';

/** The proxy that this computer's own settings name, in the form of HTTPS_PROXY and NO_PROXY. */
const systemProxy = z.object({
  /** Empty: addresses are reached directly. */
  proxy: z.string(),
  noProxy: z.string(),
  /** What could not be followed; null: nothing. */
  unread: z.enum(['script', 'detection', 'socks']).nullable(),
});
export type SystemProxy = z.infer<typeof systemProxy>;

export const noSystemProxy: SystemProxy = { proxy: '', noProxy: '', unread: null };

/** Asks the system which proxies lead to an address, in the form of a PAC script's answer: `PROXY one:8080; DIRECT`. */
export type ResolveProxy = (url: string) => Promise<string>;

/** @returns in their order, '' for directly; nothing when there are only proxies of a kind that is not spoken here */
const usableWays = (answer: string): readonly string[] => {
  if (answer.trim() === '') return [''];
  return answer.split(';').flatMap((way) => {
    const [, kind = '', host = ''] = /^\s*([a-z\d]+)\s*(\S*)/i.exec(way) ?? [];
    if (/^direct$/i.test(kind)) return [''];
    if (/^(?:proxy|http)$/i.test(kind)) return [host];
    return /^https$/i.test(kind) ? [`https://${host}`] : [];
  });
};

/**
 * What the system says about each address, scripts and detection included, as one proxy and exceptions from it. Where addresses have
 * different proxies, that of the most leads to all of them.
 * @param known the proxy so far, which stays as long as an answer names it: a script that spreads its load answers differently each time
 */
export const resolveSystemProxy = async (
  resolve: ResolveProxy,
  urls: readonly URL[],
  known = '',
): Promise<SystemProxy> => {
  const answers = await Promise.all(
    urls.map(async ({ protocol, host, hostname }) => {
      const asked = `${protocol.replace(/^ws/, 'http')}//${host}/`;
      const ways = usableWays(await resolve(asked));
      // After a direct way, a proxy is there for when that fails.
      const isKnown = known !== '' && ways[0] !== '' && ways.includes(known);
      return { hostname, proxy: isKnown ? known : (ways[0] ?? null) };
    }),
  );
  const counts = new Map<string, number>();
  for (const { proxy } of answers) if (proxy) counts.set(proxy, (counts.get(proxy) ?? 0) + 1);
  const [most = ''] = [...counts.keys()].sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0));
  const proxy = counts.has(known) ? known : most;
  const direct = answers.flatMap((answer) => (answer.proxy === '' ? [answer.hostname] : []));
  return {
    proxy,
    noProxy: proxy === '' ? '' : [...new Set(direct)].join(','),
    unread: proxy === '' && answers.some((answer) => answer.proxy === null) ? 'socks' : null,
  };
};

const fileOf = (home: string): string => join(home, 'system-proxy.json');

/** For programs that cannot ask the system themselves, such as services. */
export const storeSystemProxy = (home: string, found: SystemProxy): Promise<void> =>
  writeFileAtomically(fileOf(home), `${JSON.stringify(found, null, 2)}\n`, 0o600);

/** What the desktop last found; null when it has never looked, or may not be read. */
export const storedSystemProxy = (home: string): Promise<SystemProxy | null> =>
  readJsonFile(systemProxy, fileOf(home));

const ofWindows = ({ proxy, bypass, automatic }: InternetSettings): SystemProxy => ({
  proxy,
  noProxy: bypass,
  unread: proxy === '' ? automatic : null,
});

/**
 * The proxy of this computer, for a process that is no desktop: what the desktop has found, else what Windows' settings of this
 * account or of the machine name.
 */
export const findSystemProxy = async (
  home: string,
  windowsSettings: () => Promise<InternetSettings | null> = async () =>
    process.platform === 'win32' ? readInternetSettings() : null,
): Promise<SystemProxy> => {
  const stored = await storedSystemProxy(home);
  if (stored) return stored;
  const settings = await windowsSettings();
  return settings ? ofWindows(settings) : noSystemProxy;
};
