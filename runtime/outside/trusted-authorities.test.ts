import { X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { createAuthority } from '#harness/authority.ts';
import { authoritiesFault, readAuthorities } from './trusted-authorities.ts';

const root = createAuthority('Example Corp Root');
const between = root.delegate('Between CA');
const der = new X509Certificate(root.cert).raw;
const read = (content: string | Buffer) => readAuthorities(Buffer.from(content));

// Guarantee: what Windows, antiviruses and companies hand out is read; what cannot be used is named, never passed over.
test.each([
  ['PEM', root.cert],
  ['PEM with a text before', `subject=CN = Example\r\n${root.cert.replaceAll('\n', '\r\n')}`],
  ['PEM with a byte order mark', `\uFEFF${root.cert}`],
  ['PEM in UTF-16', Buffer.from(`\uFEFF${root.cert}`, 'utf16le')],
  ['DER', der],
] as const)('a root in %s', (_form, content) => {
  expect(read(content)).toEqual({ certificates: [root.cert] });
});

test('a root beside others', () => {
  expect(read(between.cert + root.cert)).toEqual({ certificates: [between.cert, root.cert] });
});

test.each([
  ['nothing', '', 'holds no certificate'],
  ['a web page', '<!doctype html>', 'holds no certificate'],
  ['a key', root.key, 'private key'],
  ['a PKCS #7 bundle', '-----BEGIN PKCS7-----\nMIIB\n-----END PKCS7-----\n', '.p7b'],
  ['a request', '-----BEGIN CERTIFICATE REQUEST-----\nMIIB\n-----END CERTIFICATE REQUEST-----\n', 'request'],
  ['OpenSSL’s form', '-----BEGIN TRUSTED CERTIFICATE-----\nMIIB\n', 'own form'],
  ['a damaged certificate', root.cert.replace(/\n(.{20}).*\n/, '\n$1\n'), 'damaged'],
  ['a PFX', Buffer.concat([der.subarray(0, 40), Buffer.alloc(40)]), 'PFX'],
  ['no root', between.cert, 'export the root'],
] as const)('%s', (_what, content, words) => {
  expect(read(content)).toEqual({ fault: expect.stringContaining(words) });
});

test('a file that is not there, or is a folder', () => {
  expect(authoritiesFault('/nowhere/root.pem')).toBe('does not exist');
  expect(authoritiesFault(import.meta.dirname)).toMatch(/cannot be read \(E/);
});
