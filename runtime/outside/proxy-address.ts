import { isIP } from 'node:net';
import { outsideReasons } from '#contracts/kernel/outside-reasons.ts';
import { Secret } from '../secret.ts';

/** An HTTP proxy, read from a setting. */
export interface ProxyAddress {
  /** Whether the proxy itself is asked over TLS. */
  readonly isEncrypted: boolean;
  /** An IPv6 address has no brackets here. */
  readonly host: string;
  readonly port: number;
  /** Such as `CORP\jdoe`; empty: the proxy asks for nothing. */
  readonly user: string;
  readonly password: Secret;
}

const shape = /^(?:([a-z][a-z\d+.-]*):\/\/)?(?:(.*)@)?(\[[^\]]+\]|[^:@/\\\s?#]+)(?::(\d{1,5}))?\/?$/i;

/** A percent sign that was typed literally does not start a code. */
const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

/**
 * Reads the address of a proxy as people and programs write it: without a scheme; with the name of a Windows domain
 * (`http://CORP\jdoe:pw@proxy:8080`, which `URL` would read as the host `corp`); with a password that holds `@`, `/` or `#`; with
 * any of them percent-encoded.
 * @returns null when it is none, or one that speaks another protocol, such as SOCKS
 */
export const readProxyAddress = (typed: string): ProxyAddress | null => {
  const text = typed.trim();
  const [, scheme = 'http', who = '', named = '', port] =
    shape.exec(isIP(text) === 6 ? `[${text}]` : text) ?? [];
  const protocol = scheme.toLowerCase();
  const url = URL.parse(`http://${named}`);
  if (!/^https?$/.test(protocol) || !url || /\p{Cc}/u.test(text)) return null;
  const colon = who.indexOf(':');
  const number = port === undefined ? (protocol === 'https' ? 443 : 80) : Number(port);
  if (number < 1 || number > 65_535) return null;
  return {
    isEncrypted: protocol === 'https',
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: number,
    user: decoded(colon < 0 ? who : who.slice(0, colon)),
    password: new Secret(colon < 0 ? '' : decoded(who.slice(colon + 1))),
  };
};

/** A proxy that is named somewhere and cannot be used; what leads outside goes on as if it were not named. */
export interface UnusedProxy {
  /** Such as HTTPS_PROXY. */
  readonly setting: string;
  readonly value: Secret;
}

/** Why it is not used, without any of its value but the protocol. */
export const unusedProxyText = ({ setting, value }: UnusedProxy): string => {
  const [, scheme = 'http'] = /^\s*([a-z][a-z\d+.-]{1,19}):\/\//i.exec(value.reveal()) ?? [];
  return /^https?$/i.test(scheme)
    ? outsideReasons['proxy-unreadable'](setting)
    : outsideReasons['proxy-unspoken'](setting, scheme.toLowerCase());
};

/** Such as `proxy.example:8080`: for people, without a name or a password. */
export const shownProxy = ({ host, port }: ProxyAddress): string =>
  `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;

const encoded = (part: string): string =>
  encodeURIComponent(part).replace(/[!'()*~]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`);

/** The address in one spelling that needs no quotes in `.env`, and that every program reads alike. */
export const proxyText = (proxy: ProxyAddress): Secret => {
  const password = proxy.password.reveal();
  const who = proxy.user === '' ? '' : `${encoded(proxy.user)}${password ? `:${encoded(password)}` : ''}@`;
  return new Secret(`http${proxy.isEncrypted ? 's' : ''}://${who}${shownProxy(proxy)}`);
};

/**
 * The parts of a typed proxy address that logs must hide: its name and password, in every form in which a program may repeat them. Also of one that cannot be read, or that speaks another protocol.
 */
export const proxySecrets = (typed: string): readonly Secret[] => {
  const [, who] = /^\s*(?:[a-z][a-z\d+.-]*:\/\/)?(.*)@/is.exec(typed) ?? [];
  if (!who) return [];
  const [, user = '', password = ''] = /^([^:]*):?(.*)$/s.exec(who) ?? [];
  const sent = Buffer.from(`${decoded(user)}:${decoded(password)}`).toString('base64');
  const read = readProxyAddress(typed);
  return [
    ...[typed.trim(), password, decoded(password), encoded(decoded(password)), sent].map(
      (text) => new Secret(text),
    ),
    ...(read ? [proxyText(read)] : []),
  ];
};
