import express from 'express';
import { expect, test } from 'vitest';
import { listen } from '#runtime/http/listen.ts';
import { createPageCookies } from './page-cookies.ts';

// Guarantee: portals on two ports of one host, which share their cookies (OctoPrint/OctoPrint#1479), do not end each other's
// sessions. Where the public address names no port, the names are those of earlier versions, so that everyone stays signed in.
test('two portals on one host', async () => {
  const app = express();
  const portals = ['https://example.com', 'https://example.com:8443', 'https://example.com:9443', null];
  for (const [index, publicUrl] of portals.entries()) {
    const cookies = createPageCookies(publicUrl);
    app.get(`/${index}/set`, (_request, response) => {
      cookies.set(response, 'session', String(index));
      response.end();
    });
    app.get(`/${index}/read`, (request, response) => void response.json(cookies.read(request, 'session')));
  }
  await using listener = await listen({ handler: app, host: '127.0.0.1', port: 0 });
  const ask = (path: string, headers = {}) => fetch(`http://127.0.0.1:${listener.port}${path}`, { headers });
  const lines: string[] = [];
  for (const index of portals.keys())
    lines.push(
      ...(await ask(`/${index}/set`)).headers.getSetCookie().map((line) => line.split(';', 1)[0] ?? ''),
    );
  expect(lines).toEqual(['__Host-session=0', '__Host-session_8443=1', '__Host-session_9443=2', 'session=3']);
  for (const index of portals.keys())
    expect(await (await ask(`/${index}/read`, { Cookie: lines.join('; ') })).json()).toBe(String(index));
});
