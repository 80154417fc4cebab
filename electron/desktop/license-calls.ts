import { isIPv6 } from 'node:net';
import type { ActivationReport, LicenseProxy } from '#contracts/desktop-license.ts';
import { editEnvFile } from '#runtime/env-file.ts';
import type { Activation } from '#runtime/license/activation.ts';
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

export interface LicenseCallOptions {
  readonly home: string;
  readonly license: Pick<LicenseClient, 'status' | 'activate' | 'checkNow'>;
  readonly portalRoute: PortalRoute;
  readonly stack: Pick<Stack, 'status' | 'restart'>;
}

export type LicenseHandlers = Pick<DesktopHandlers, Extract<keyof DesktopHandlers, `license.${string}`>>;

/** What the license wizard asks for. */
export const licenseCalls = ({ home, license, portalRoute, stack }: LicenseCallOptions): LicenseHandlers => ({
  'license.status': () => license.status(),
  'license.activate': async ({ key }) => reportOf(await license.activate(key)),
  'license.check': () => license.checkNow(),
  'license.proxy': () => shownProxy(portalRoute.proxy),
  async 'license.changeProxy'({ url }) {
    const proxy = url === '' ? undefined : new Secret(readProxy(url));
    await editEnvFile(stackEnvPath(home), { LICENSE_PROXY: proxy?.reveal() ?? null });
    portalRoute.proxy = proxy;
    // It reads its settings when it starts; what somebody has stopped is not started over this.
    if (!['stopped', 'stopping'].includes(stack.status().state)) await stack.restart('api');
    return shownProxy(proxy);
  },
});

/**
 * A proxy as people type it, as an address; what would need quotes in `.env` is percent-encoded.
 * @throws {StartupError} when it is none
 */
export const readProxy = (typed: string): string => {
  const named = isIPv6(typed) ? `[${typed}]` : typed;
  const text = /^[a-z]+:\/\//i.test(named) ? named : `http://${named}`;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search || url.hash)
    throw new StartupError('A proxy has an address such as http://proxy.example:8080.');
  const encode = (part: string) =>
    (isEncoded(part) ? part : part.replaceAll('%', '%25')).replace(
      /[^\w.%-]/g,
      (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
    );
  const { username, password, protocol, host } = url;
  const who = username ? `${encode(username)}${password ? `:${encode(password)}` : ''}@` : '';
  return `${protocol}//${who}${host}`;
};

/** A percent sign of a password that was typed as it is does not begin a code. */
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

export const reportOf = (activation: Activation): ActivationReport => {
  if (activation.outcome === 'activated') return activation;
  return {
    outcome: activation.outcome,
    code: activation.outcome === 'refused' ? activation.code : null,
    detail: activation.detail,
    retryAfterSeconds: activation.outcome === 'rate-limited' ? activation.retryAfterSeconds : null,
  };
};
