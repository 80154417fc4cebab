import { get, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { desktopOrigin } from '#contracts/identity/tickets.ts';
import { createApp } from '../http/routes.ts';
import { createCookies } from './cookies.ts';
import { isCrossOrigin, isSameOrigin } from './same-origin.ts';

const cookies = createCookies({ sameSite: 'strict', isSecure: (request) => request.secure });

let server: Server;
let host: string;
beforeEach(async () => {
  const app = createApp(['loopback']);
  app.get('/set', (_request, response) => {
    cookies.set(response, 'session', 'cse_1', 60_000);
    response.end();
  });
  app.get('/clear', (_request, response) => {
    cookies.clear(response, 'session');
    response.end();
  });
  app.get('/read', (request, response) => {
    response.json({ session: cookies.read(request, 'session') });
  });
  app.get('/origin', (request, response) => {
    const atPublicUrl = isSameOrigin(request, 'https://shop.example/');
    response.json([isSameOrigin(request), isCrossOrigin(request), atPublicUrl]);
  });
  server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

const ask = (path: string, headers: Record<string, string> = {}) =>
  fetch(`http://${host}${path}`, { headers });
const bySecure = { 'X-Forwarded-Proto': 'https' };

// Guarantee: no page script reads one of our cookies, no other site makes the browser send it, and over TLS no other host can set it.
test('attributes of a cookie', async () => {
  const plain = (await ask('/set')).headers.get('Set-Cookie');
  expect(plain).toMatch(/^session=cse_1; Max-Age=60; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Strict$/);
  const secure = (await ask('/set', bySecure)).headers.get('Set-Cookie');
  expect(secure).toMatch(
    /^__Host-session=cse_1; Max-Age=60; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Strict$/,
  );
  expect((await ask('/clear', bySecure)).headers.get('Set-Cookie')).toMatch(
    /^__Host-session=; Path=\/; Expires=Thu, 01 Jan 1970/,
  );
});

// Guarantee: a cookie set over plain HTTP never counts on a secure page, nor the reverse; an empty cookie counts as none; a value
// is read back unchanged.
test.each([
  ['session=a', {}, 'a'],
  ['other=1;session=a', {}, 'a'],
  ['__Host-session=a', {}, null],
  ['session=a', bySecure, null],
  ['__Host-session=a', bySecure, 'a'],
  ['session=a; session=b', {}, 'a'],
  ['session=a%20b%3B', {}, 'a b;'],
  ['session=a%', {}, 'a%'],
  ['session=', {}, null],
  ['xsession=a', {}, null],
])('of %s with %o is read %s', async (cookie, headers, session) => {
  expect(await (await ask('/read', { ...headers, Cookie: cookie })).json()).toEqual({ session });
});

// Guarantee: only a browser that names our own page as the origin counts as same-origin; a program sends no origin and is neither.
test.each<[Record<string, string>, readonly [boolean, boolean, boolean]]>([
  [{}, [false, false, false]],
  [{ 'Sec-Fetch-Site': 'same-origin' }, [true, false, true]],
  [{ 'Sec-Fetch-Site': 'same-site' }, [false, true, false]],
  [{ 'Sec-Fetch-Site': 'none' }, [false, true, false]],
  [{ 'Sec-Fetch-Site': 'cross-site' }, [false, true, false]],
  // The browser itself compares: a proxy may have changed Host, and `no-referrer` hides the origin.
  [{ 'Sec-Fetch-Site': 'same-origin', Origin: 'https://panel.example.com' }, [true, false, true]],
  [{ 'Sec-Fetch-Site': 'same-origin', Origin: 'null' }, [true, false, true]],
  [{ 'Sec-Fetch-Site': 'none', Origin: 'http://OWN' }, [false, true, false]],
  [{ 'Sec-Fetch-Site': 'same-origin, cross-site', Origin: 'http://OWN' }, [false, true, false]],
  [{ Origin: 'http://OWN' }, [true, false, true]],
  [{ Referer: 'http://OWN/servers?x=1' }, [false, false, false]],
  [{ Referer: 'http://evil.example/http://OWN' }, [false, false, false]],
  [{ Origin: 'null', Referer: 'http://OWN/' }, [false, true, false]],
  [{ 'Sec-Fetch-Site': 'cross-site', Origin: 'http://OWN' }, [false, true, false]],
  [{ Origin: 'null' }, [false, true, false]],
  [{ Origin: 'ftp://OWN' }, [false, true, false]],
  [{ Origin: 'http://OWN.evil.example' }, [false, true, false]],
  [{ Origin: 'https://shop.example' }, [false, true, true]],
  [{ Origin: 'https://shop.example:444' }, [false, true, false]],
  [{ Origin: 'http://shop.example' }, [false, true, false]],
  [{ Origin: desktopOrigin }, [false, false, false]],
  [{ Host: 'Panel.Example.com:443', Origin: 'https://panel.example.com' }, [true, false, true]],
  [{ Host: 'panel.example.com:80', Origin: 'http://panel.example.com' }, [true, false, true]],
  [{ Host: 'panel.example.com:80', Origin: 'https://panel.example.com' }, [false, true, false]],
  [{ Host: 'panel.example.com', Origin: 'https://panel.example.com:8443' }, [false, true, false]],
  [{ Host: 'panel.example.com.', Origin: 'https://panel.example.com' }, [true, false, true]],
  [{ Host: 'münchen.example', Origin: 'https://xn--mnchen-3ya.example' }, [true, false, true]],
  [{ Host: '[::1]:80', Origin: 'http://[::1]' }, [true, false, true]],
  [{ Host: '[0:0::1]:3000', Origin: 'http://[::1]:3000' }, [true, false, true]],
  [{ Host: 'a.example, a.example', Origin: 'https://a.example' }, [true, false, true]],
  [{ Host: 'a.example, b.example', Origin: 'https://b.example' }, [false, true, false]],
  [{ Host: 'x@a.example', Origin: 'https://a.example' }, [false, true, false]],
  [{ Host: '', Origin: 'https://a.example' }, [false, true, false]],
  [{ 'X-Forwarded-Host': 'a.example', Origin: 'https://a.example' }, [true, false, true]],
  [{ 'X-Forwarded-Host': 'a.example, inner', Origin: 'https://a.example' }, [true, false, true]],
  [
    { Forwarded: 'for=192.0.2.1;host="a.example:8443"', Origin: 'https://a.example:8443' },
    [true, false, true],
  ],
  [{ Host: 'a.example', 'X-Forwarded-Port': '8443', Origin: 'https://a.example:8443' }, [true, false, true]],
  [{ 'X-Forwarded-Proto': 'https', Origin: 'https://OWN' }, [true, false, true]],
])('%o', async (headers, [same, cross, atPublicUrl]) => {
  const sent = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value.replace('OWN', host)]),
  );
  // fetch does not let its caller set these headers.
  const answer = await new Promise<string>((resolve, reject) => {
    get(`http://${host}/origin`, { headers: sent }, async (response) =>
      resolve((await response.setEncoding('utf8').toArray()).join('')),
    ).once('error', reject);
  });
  expect(JSON.parse(answer)).toEqual([same, cross, atPublicUrl]);
});
