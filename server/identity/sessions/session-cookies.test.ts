import express from 'express';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Listener, listen } from '#runtime/http/listen.ts';
import { clearCookie, nameCookiesFor, readCookie, setCookie } from './session-cookies.ts';

const start = (instanceId: string): Promise<Listener> => {
  const app = express();
  nameCookiesFor(app, instanceId);
  app.get('/read', (request, response) => void response.json(readCookie(request, 'session')));
  app.get('/set', (request, response) => {
    setCookie(request, 'session', instanceId);
    response.end();
  });
  app.get('/clear', (request, response) => {
    clearCookie(request, 'session');
    response.end();
  });
  return listen({ handler: app, host: '127.0.0.1', port: 0 });
};

let [one, other]: Listener[] = [];
beforeAll(async () => {
  [one, other] = await Promise.all([start('one'), start('other')]);
});
afterAll(() => Promise.all([one, other].map(async (listener) => listener?.[Symbol.asyncDispose]())));

/** As a browser keeps them for one host, whatever the port. */
const browser = () => {
  const kept = new Map<string, string>([['theirs', 'x=y']]);
  return {
    kept,
    async ask(listener: Listener | undefined, path: string): Promise<string> {
      const Cookie = [...kept].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await fetch(`http://127.0.0.1:${listener?.port}${path}`, { headers: { Cookie } });
      for (const line of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (value === '') kept.delete(name);
        else kept.set(name, value);
      }
      return answer.text();
    },
  };
};

// Guarantee: ports of one host share their cookies, and still two installations there do not end each other's sessions.
test('two installations on one host', async () => {
  const { ask } = browser();
  await ask(one, '/set');
  await ask(other, '/set');
  expect([await ask(one, '/read'), await ask(other, '/read')]).toEqual(['"one"', '"other"']);
  await ask(other, '/clear');
  expect([await ask(one, '/read'), await ask(other, '/read')]).toEqual(['"one"', 'null']);
});

// Guarantee: who signed in to an earlier version stays signed in, and signing out, or in again, ends that, too.
test.each(['/clear', '/set'])('an earlier name, then %s', async (path) => {
  const { kept, ask } = browser();
  kept.set('castellan_session', 'former');
  expect(await ask(one, '/read')).toBe('"former"');
  await ask(one, path);
  expect(kept.has('castellan_session')).toBe(false);
  expect(await ask(one, '/read')).toBe(path === '/set' ? '"one"' : 'null');
});
