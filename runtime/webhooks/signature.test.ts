import { expect, test } from 'vitest';
import { Secret } from '../secret.ts';
import { isSignedBy } from './signature.ts';
import { signed } from './testing/signed.ts';

const now = new Date('2026-03-01T12:00:00Z');
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);
const webhookSecret = new Secret('whsec_0123456789abcdef0123456789');
const body = Buffer.from('{"id":1}');
const header = signed(body.toString(), now, webhookSecret);
const other = new Secret('another secret of enough length');
const isOk = (text: string, bytes: Uint8Array = body, at = now, secrets = [webhookSecret]) =>
  isSignedBy(secrets, text, bytes, at);

// Guarantee: one of several secrets is enough for an event to be accepted, and without any secret none is.
test('what is signed is taken', () => {
  expect(isOk(header)).toBe(true);
  expect(isOk(header, body, now, [other, webhookSecret])).toBe(true);
  expect(isOk(`t=${header.slice(2, 12)}, v1=${'0'.repeat(64)}, ${header.slice(13)}`)).toBe(true);
  expect(isOk(header.replace('v1', 'v0=ab,v1'))).toBe(true);
  expect(isOk(header, body, later(300))).toBe(true);
  expect(isOk(header, body, later(-300))).toBe(true);
});

test.each<[string, string, Uint8Array?, Date?]>([
  ['another secret', signed(body.toString(), now, other)],
  ['another body', header, Buffer.from('{"id":2}')],
  ['five minutes ago', header, body, later(301)],
  ['from the future', header, body, later(-301)],
  ['another time', header.replace(/t=\d+/, `t=${Math.floor(now.getTime() / 1000) + 1}`)],
  ['nothing', ''],
  ['no signature', header.split(',')[0] ?? ''],
  ['no time', header.split(',')[1] ?? ''],
  ['a negative time', header.replace('t=', 't=-')],
  ['a short signature', header.slice(0, -2)],
  ['an older scheme', header.replace('v1', 'v0')],
  ['a huge header', `${header},${'x=1,'.repeat(1000)}`],
  [
    'too many signatures',
    `t=${header.slice(2, 12)},${`v1=${'0'.repeat(64)},`.repeat(20)}${header.slice(13)}`,
  ],
])('%s is refused', (_what, text, bytes, at) => {
  expect(isOk(text, bytes, at)).toBe(false);
});

test('without a secret nothing is taken', () => {
  expect(isOk(header, body, now, [])).toBe(false);
});
