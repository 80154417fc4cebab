import type { LicenseProxy } from '#contracts/desktop/desktop-license.ts';
import { editEnvFile } from '#runtime/env-file.ts';
import type { LicenseClient } from '#runtime/license/license-client.ts';
import { outside, setUpOutside } from '#runtime/outside/outside.ts';
import { proxyText, readProxyAddress } from '#runtime/outside/proxy-address.ts';
import { StartupError } from '#runtime/program.ts';
import { Secret } from '#runtime/secret.ts';
import { stackEnvPath } from '#runtime/stack-config.ts';
import type { Stack } from '../stack/stack.ts';
import { isStopped } from '../supervisor/stack-state.ts';
import type { DesktopHandlers } from './ipc-registrar.ts';

/** The proxy to the portal alone, as it is used now. */
export interface PortalRoute {
  proxy: Secret | undefined;
}

type LicenseHandlers = Pick<DesktopHandlers, Extract<keyof DesktopHandlers, `license.${string}`>>;

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
  'license.proxy': () => shownProxy(portalRoute.proxy ?? outside().settings.proxy),
  async 'license.changeProxy'({ url }) {
    const proxy = url === '' ? undefined : readProxy(url);
    // One that led to the portal alone, as older versions wrote it, would win over this one.
    await editEnvFile(stackEnvPath(home), { HTTPS_PROXY: proxy?.reveal() ?? null, LICENSE_PROXY: null });
    portalRoute.proxy = undefined;
    setUpOutside({ ...outside().settings, proxy, unused: [] });
    // API and bot read their settings when they start; a stack that the user has stopped is not started for this.
    if (!isStopped(stack.status().state))
      for (const name of ['api', 'bot'] as const) await stack.restart(name);
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

/** A proxy as people type it, as it stands in `.env`. @throws {StartupError} when it is none */
export const readProxy = (typed: string): Secret => {
  const address = readProxyAddress(typed);
  if (!address) throw new StartupError('Enter the address of the proxy, such as http://proxy.example:8080.');
  return proxyText(address);
};

const shownProxy = (proxy: Secret | undefined): LicenseProxy => {
  const address = proxy && readProxyAddress(proxy.reveal());
  if (!address) return { url: null, hasPassword: false };
  const shown = proxyText({ ...address, password: new Secret('') }).reveal();
  return { url: shown, hasPassword: address.password.reveal() !== '' };
};
