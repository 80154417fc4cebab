import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';

/** An IPv4 address that a listener for both families shows as `::ffff:192.0.2.1`. */
const unmapped = (address: string): string => address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');

/**
 * An address as proxies write it, without quotes, brackets and port: IIS's ARR and Azure's gateways append the port, RFC 7239
 * puts IPv6 into brackets and quotes. Text that names no address (`unknown`, `_hidden`) is returned trimmed.
 */
export const bareAddress = (text: string): string => {
  const plain = text
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .trim();
  if (isIP(plain) !== 0) return unmapped(plain);
  const [, bracketed, other] = /^(?:\[([^\]]*)\]|(.*?))(?::[\w.-]+)?$/.exec(plain) ?? [];
  const address = bracketed ?? other ?? '';
  return isIP(address) === 0 ? plain : unmapped(address);
};

/** The elements of a header that proxies extend by commas. */
const listOf = (header: string | string[] | undefined): readonly string[] =>
  String(header ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** Splits where no quotes are open. */
const splitUnquoted = (text: string, separator: string): readonly string[] => {
  const parts: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '"') isQuoted = !isQuoted;
    else if (text[at] === '\\' && isQuoted) at += 1;
    else if (text[at] === separator && !isQuoted) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)];
};

type ForwardedElement = Readonly<Partial<Record<'for' | 'proto' | 'host', string>>>;

/** RFC 7239: `for="[2001:db8::1]:4711";proto=https;host=panel.example.com, for=192.0.2.1`, the client first. */
const readForwarded = (header: string): readonly ForwardedElement[] =>
  splitUnquoted(header, ',').map((element) =>
    Object.fromEntries(
      splitUnquoted(element, ';').map((pair) => {
        const at = pair.indexOf('=');
        const value = pair.slice(at + 1).trim();
        return [
          pair.slice(0, at).trim().toLowerCase(),
          value.replace(/^"(.*)"$/, '$1').replace(/\\(.)/g, '$1'),
        ];
      }),
    ),
  );

/** https://developer.mozilla.org/docs/Web/HTTP/Reference/Headers/X-Forwarded-Proto; ingress-nginx; CloudFront. */
const schemeHeaders = [
  'x-forwarded-scheme',
  'x-forwarded-protocol',
  'x-url-scheme',
  'x-scheme',
  'cloudfront-forwarded-proto',
];

/** What proxies send in place of X-Forwarded-Proto when visitors use TLS. */
const isMarkedAsTls = (headers: IncomingHttpHeaders): boolean =>
  // IIS's ARR describes the certificate, and sends the header only over TLS.
  String(headers['x-arr-ssl'] ?? '') !== '' ||
  schemeHeaders.some((name) => /^(?:https|ssl)$/i.test(String(headers[name] ?? ''))) ||
  [headers['x-forwarded-ssl'], headers['front-end-https']].some((value) => /^on$/i.test(String(value ?? '')));

const schemes: Readonly<Record<string, string>> = { wss: 'https', ws: 'http' };

/**
 * Rewrites what proxies say of their client into the one form that Express reads: X-Forwarded-For with bare addresses, a single
 * X-Forwarded-Proto of `http` or `https`, X-Forwarded-Host. `Forwarded` and the headers of IIS and Azure count only where the usual
 * one is missing. Nothing is believed here: whether the sender is a trusted proxy is decided by those who read these headers.
 */
export const normalizeForwardedHeaders = (headers: IncomingHttpHeaders): void => {
  const forwarded = headers.forwarded === undefined ? [] : readForwarded(headers.forwarded);
  const given = listOf(headers['x-forwarded-for']);
  const addresses = given.length > 0 ? given : forwarded.flatMap((element) => element.for ?? []);
  if (addresses.length > 0) headers['x-forwarded-for'] = addresses.map(bareAddress).join(', ');

  const [scheme = forwarded[0]?.proto ?? (isMarkedAsTls(headers) ? 'https' : undefined)] = listOf(
    headers['x-forwarded-proto'],
  );
  const lower = scheme?.toLowerCase();
  // Traefik names the scheme of a WebSocket.
  if (lower !== undefined) headers['x-forwarded-proto'] = schemes[lower] ?? lower;

  const host = headers['x-forwarded-host'] ?? forwarded[0]?.host ?? headers['x-original-host'];
  if (host !== undefined) headers['x-forwarded-host'] = host;
};
