import { expect, test } from 'vitest';
import { Secret } from '#runtime/secret.ts';
import { findShopSignatureFault, isTebexAddress } from './webhook-signature.ts';

const secret = new Secret('a secret of a Tebex store');
const body = Buffer.from('{"id":"1","type":"validation.webhook"}');
/** Computed by `openssl`: the SHA-256 of the body as hex, and the HMAC of that text. */
const header = '85932dc926516add4fd25fc9b7c673eb9112020733e321a425ea8d3538f750e8';
const isSigned = (shown: string, bytes: Uint8Array = body, secrets = [secret]) =>
  findShopSignatureFault('tebex', secrets, { header: shown, body: bytes }, new Date()) === null;

// Guarantee: Tebex's signature matches only the body together with one of the secrets.
test('the signature of Tebex', () => {
  expect(isSigned(header)).toBe(true);
  expect(isSigned(header.toUpperCase())).toBe(true);
  expect(isSigned(header, body, [new Secret('another one'), secret])).toBe(true);
  expect(isSigned(header, body, [])).toBe(false);
  expect(isSigned(header, body, [new Secret('another one')])).toBe(false);
  expect(isSigned(header, Buffer.from(`${body.toString()} `))).toBe(false);
  for (const shown of ['', header.slice(1), `${header}00`, 'z'.repeat(64), '0'.repeat(64)])
    expect(isSigned(shown), shown).toBe(false);
});

test('the addresses of Tebex', () => {
  const written = ['18.209.80.3', '54.87.231.232', '::ffff:18.209.80.3', '::FFFF:12d1:5003'];
  const withPort = ['18.209.80.3:51234', '[::ffff:18.209.80.3]:51234', '"18.209.80.3:51234"'];
  expect([...written, ...withPort].filter((address) => !isTebexAddress(address))).toEqual([]);
  const others = [
    '18.209.80.4',
    '127.0.0.1',
    '',
    '::1',
    '18.209.80.33',
    '18.209.80.3.evil.example',
    '18.209.80.3:x:1',
  ];
  expect(others.filter(isTebexAddress)).toEqual([]);
});
