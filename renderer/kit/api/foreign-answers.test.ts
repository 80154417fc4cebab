import { expect, test, vi } from 'vitest';
import { sessionsHttp } from '#contracts/identity/sessions.ts';
import { languages } from '#contracts/kernel/language.ts';
import { problemWords } from '../language/problem-words.ts';
import { failureVerdict } from '../work/work-run.ts';
import { ApiAway, isPassing } from './api-problem.ts';
import { callOnce } from './call.ts';
import { type Foreign, foreign, foreignServerForThisFile, page } from './testing/foreign-server.ts';

const server = foreignServerForThisFile();

// Guarantee: what a proxy refuses is said to be the proxy's refusal, with its cause; only what may be the API's absence is called so.
test.each<[string, Foreign, RegExp, string]>([
  [
    'nginx, too large',
    [413, 'text/html', page('413 Request Entity Too Large'), { Server: 'nginx/1.22.1' }],
    /too large \(413, nginx\/1\.22\.1\)/,
    'failed',
  ],
  [
    'Cloudflare, too large',
    [413, 'text/html', page('413'), { Server: 'cloudflare' }],
    /too large \(413, cloudflare\)/,
    'failed',
  ],
  [
    'Cloudflare, challenge',
    [403, 'text/html; charset=UTF-8', page('Just a moment...'), { Server: 'cloudflare' }],
    /refused this \(403, cloudflare\)/,
    'again, halt',
  ],
  [
    'a password of the proxy',
    [401, 'text/html', page('401 Authorization Required')],
    /refused this \(401\)/,
    'again, halt',
  ],
  [
    'IIS, another application',
    [404, 'text/html', page('404 - File or directory not found.'), { Server: 'Microsoft-IIS/10.0' }],
    /does not pass this address on \(404, Microsoft-IIS\/10\.0\)/,
    'again, halt',
  ],
  [
    'Traefik, no router',
    [404, 'text/plain; charset=utf-8', '404 page not found\n'],
    /does not pass this address on/,
    'again, halt',
  ],
  [
    'nginx, limit_req',
    [429, 'text/html', page('429 Too Many Requests'), { 'Retry-After': '7' }],
    /limits requests/,
    'again, wait',
  ],
  [
    'HAProxy, body too slow',
    [408, 'text/html', page('408 Request Time-out')],
    /stopped waiting/,
    'again, halt',
  ],
  [
    'a method that is not let through',
    [405, 'text/html', page('405 Not Allowed')],
    /refused this \(405\)/,
    'again, halt',
  ],
  ['Kong', [403, 'application/json', '{"message":"Forbidden"}'], /refused this \(403\)/, 'again, halt'],
  ['a page to sign in at', [200, 'text/html', page('Sign in')], /page of its own/, 'again, halt'],
  ['Envoy, too large', [413, 'text/plain', 'Payload Too Large'], /too large \(413\)/, 'failed'],
  [
    'AWS API Gateway, too large',
    [413, 'application/json', '{"message":"Request Too Long"}'],
    /too large \(413\)/,
    'failed',
  ],
  [
    'ngrok, a page before the first visit',
    [200, 'text/html', page('You are about to visit'), { Server: 'ngrok' }],
    /page of its own/,
    'again, halt',
  ],
  [
    'Cloudflare, too many cookies',
    [431, 'text/html', page('431'), { Server: 'cloudflare' }],
    /headers are too long \(431, cloudflare\)/,
    'again, halt',
  ],
  ['nothing at all', [403, '', ''], /refused this \(403\)/, 'again, halt'],
])('%s', async (_who, answered, text, verdict) => {
  server.answer = foreign(answered);
  const error = await callOnce(sessionsHttp.signOut, {}).catch((thrown: unknown) => thrown);
  const said = problemWords(error, 'en');
  expect(said.text).toMatch(text);
  if (answered[3]?.['Retry-After'] !== undefined) expect(said.remedy).toBe('Wait 7 s, then try again.');
  for (const language of languages) expect(problemWords(error, language).text).toContain(`(${answered[0]}`);
  expect(failureVerdict(error).kind).toBe(verdict);
  expect(isPassing(error)).toBe([408, 429].includes(answered[0]));
});

test.each<Foreign>([
  [500, 'text/html', page('500')],
  [502, 'text/html', page('502 Bad Gateway')],
  [503, 'text/plain', 'upstream connect error or disconnect/reset before headers'],
  [504, 'text/html', page('504 Gateway Time-out')],
  [520, 'text/html', page('Web server is returning an unknown error')],
  [524, 'text/html', page('A timeout occurred')],
  [530, 'text/html', page('1033')],
])('the API may be away: %j', async (...answered) => {
  server.answer = foreign(answered as unknown as Foreign);
  const error = await callOnce(sessionsHttp.signOut, {}).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ApiAway);
  expect(isPassing(error)).toBe(true);
});

// Guarantee: a panel that a proxy serves below a path says so, whatever answers its calls at the root.
test.each<Foreign>([
  [404, 'text/html', page('404 Not Found')],
  [200, 'text/html', page('Welcome to our site')],
  [200, 'application/json', '["another"]'],
])('below a path: %j', async (...answered) => {
  vi.stubGlobal('location', { pathname: '/castellan/' });
  server.answer = foreign(answered as unknown as Foreign);
  const error = await callOnce(sessionsHttp.signOut, {}).catch((thrown: unknown) => thrown);
  for (const language of languages)
    expect(problemWords(error, language).text).toMatch(/below a path|abaixo de um caminho/);
  vi.stubGlobal('location', { pathname: '/index.html' });
  expect(problemWords(error, 'en').text).not.toMatch(/below a path/);
  vi.unstubAllGlobals();
});
