import { X509Certificate } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import tls from 'node:tls';
import { expect, onTestFinished, test, vi } from 'vitest';
import { privateAuthority } from '#harness/private-authority.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { authoritiesFault, readAuthorities, trustAuthorities } from './trusted-authorities.ts';

const root = privateAuthority('Example Corp Root');
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
  ['OpenSSL’s own form', root.cert.replaceAll(' CERTIFICATE', ' TRUSTED CERTIFICATE')],
  ['PEM beside its key', root.key + root.cert],
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
  ['a certificate without its end', root.cert.slice(0, -30), 'damaged'],
  ['a second one without its end', root.cert + between.cert.slice(0, -30), 'damaged'],
  ['a damaged certificate', root.cert.replace(/\n(.{20}).*\n/, '\n$1\n'), 'damaged'],
  ['a PFX', Buffer.from('308209c70201033082098d06092a864886f70d010701', 'hex'), 'PFX'],
  ['a PKCS #7 bundle in DER', Buffer.from('3082034406092a864886f70d010702a08203353082', 'hex'), '.p7b'],
  ['a key store of Java', Buffer.from('feedfeed00000002', 'hex'), 'keytool'],
  ['no root', between.cert, 'export the root'],
] as const)('%s', (_what, content, words) => {
  expect(read(content)).toEqual({ fault: expect.stringContaining(words) });
});

test('a file that is not there, or is a folder', () => {
  expect(authoritiesFault('/nowhere/root.pem')).toBe('does not exist');
  expect(authoritiesFault(import.meta.dirname)).toMatch(/cannot be read \(E/);
});

// Guarantee: where Node cannot read the system's store (nodejs/node#61636), everything else is trusted as before, and this is said;
// a file that is no longer set is no longer trusted.
test('a store of the system that cannot be read', async () => {
  await using folder = await temporaryFolder('store');
  const file = join(folder.path, 'root.pem');
  await writeFile(file, root.cert);
  const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  const read = tls.getCACertificates;
  const store = vi.spyOn(tls, 'getCACertificates').mockImplementation((type) => {
    if (type === 'system') throw new Error('X509 to PEM conversion');
    return read(type);
  });
  onTestFinished(() => {
    store.mockRestore();
    warned.mockRestore();
  });
  const trusted = () => read('default').map((pem) => pem.trim());
  trustAuthorities(file);
  expect(trusted()).toContain(root.cert.trim());
  expect(trusted().length).toBeGreaterThan(100);
  expect(String(warned.mock.calls)).toContain('TRUSTED_CA_FILE');
  trustAuthorities(undefined);
  expect(trusted()).not.toContain(root.cert.trim());
});
