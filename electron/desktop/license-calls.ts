import { isIPv6 } from 'node:net';
import type { LicenseProxy } from '#contracts/desktop-license.ts';
import { editEnvFile } from '#runtime/env-file.ts';
import type { LicenseClient } from '#runtime/license/license-client.ts';
import { StartupError } from '#runtime/program.ts';
import { Secret } from '#runtime/secret.ts';
import { stackEnvPath } from '#runtime/stack-config.ts';
import type { Stack } from '../stack/stack.ts';
import type { DesktopHandlers } from './ipc-registrar.ts';

/** The proxy on the way to the portal, as it is used now. */
export interface PortalRoute {
  proxy: Secret | undefined;
}

export type LicenseHandlers = Pick<DesktopHandlers, Extract<keyof DesktopHandlers, `license.${string}`>>;

/** What the license wizard asks for. */
export const licenseCalls = ({
  home,
  license,
  portalRoute,
  stack,
  openOutside,
  platform = process.platform,
}: {
  readonly home: string;
  readonly license: Pick<LicenseClient, 'status' | 'activate' | 'checkNow'>;
  readonly portalRoute: PortalRoute;
  readonly stack: Pick<Stack, 'status' | 'restart'>;
  /** Hands an address to the system. */
  readonly openOutside: (url: string) => Promise<void>;
  readonly platform?: NodeJS.Platform;
}): LicenseHandlers => ({
  'license.status': () => license.status(),
  'license.activate': ({ key }) => license.activate(key),
  'license.check': () => license.checkNow(),
  async 'license.open'({ page }) {
    const { customerAreaUrl } = license.status();
    const url = page === 'clock' ? clockSettings(platform) : webAddress(customerAreaUrl);
    if (url === null) return { isOpened: false };
    await openOutside(url);
    return { isOpened: true };
  },
  'license.proxy': () => shownProxy(portalRoute.proxy),
  async 'license.changeProxy'({ url }) {
    const proxy = url === '' ? undefined : new Secret(readProxy(url));
    await editEnvFile(stackEnvPath(home), { LICENSE_PROXY: proxy?.reveal() ?? null });
    portalRoute.proxy = proxy;
    // The API reads its settings when it starts; a stack that the user has stopped is not started for this.
    if (!['stopped', 'stopping'].includes(stack.status().state)) await stack.restart('api');
    return shownProxy(proxy);
  },
});

const clockSettings = (platform: NodeJS.Platform): string | null =>
  platform === 'win32' ? 'ms-settings:dateandtime' : null;

/** The address in `.env` is handed to the system as a web page, or not at all. */
const webAddress = (text = ''): string | null => {
  const url = URL.parse(text);
  return url && /^https?:$/.test(url.protocol) ? url.href : null;
};

/**
 * Turns a proxy as people type it into an address; characters that need quotes in `.env` are percent-encoded.
 * @throws {StartupError} when it is not one
 */
export const readProxy = (typed: string): string => {
  const named = isIPv6(typed) ? `[${typed}]` : typed;
  const text = /^[a-z]+:\/\//i.test(named) ? named : `http://${named}`;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search || url.hash)
    throw new StartupError('Enter the address of the proxy, such as http://proxy.example:8080.');
  const encode = (part: string) =>
    (isEncoded(part) ? part : part.replaceAll('%', '%25')).replace(
      /[^\w.%-]/g,
      (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
    );
  const { username, password, protocol, host } = url;
  const who = username ? `${encode(username)}${password ? `:${encode(password)}` : ''}@` : '';
  return `${protocol}//${who}${host}`;
};

/** A percent sign in a password that was typed literally does not start a code. */
const isEncoded = (part: string): boolean => {
  try {
    decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
};

export const shownProxy = (proxy: Secret | undefined): LicenseProxy => {
  if (!proxy) return { url: null, hasPassword: false };
  const url = new URL(proxy.reveal());
  const hasPassword = url.password !== '';
  url.password = '';
  return { url: url.href.replace(/\/$/, ''), hasPassword };
};
