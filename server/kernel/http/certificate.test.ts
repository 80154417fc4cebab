// @module-tag openssl
import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { privateAuthority } from '#harness/private-authority.ts';
import { type TemporaryFolder, temporaryFolder } from '#harness/temporary-folder.ts';
import { StartupError } from '#runtime/program.ts';
import {
  certificateTroubles,
  followCertificate,
  inspectCertificate,
} from '../../operations/health/certificate-health.ts';
import { readCertificate } from './certificate.ts';

let folder: TemporaryFolder;
const at = (name: string) => join(folder.path, name);
const pem = (name: string) => readFileSync(at(name), 'utf8');
const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder.path, stdio: 'pipe' });

beforeAll(async () => {
  folder = await temporaryFolder('certificates');
  const ec = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  openssl(
    'req',
    '-x509',
    ...ec,
    '-keyout',
    'root.key',
    '-out',
    'root.pem',
    '-days',
    '30',
    '-subj',
    '/CN=Root of a test',
  );
  openssl('req', ...ec, '-keyout', 'middle.key', '-out', 'middle.csr', '-subj', '/CN=Middle of a test');
  await writeFile(at('ca.ext'), 'basicConstraints=critical,CA:TRUE\n');
  openssl(
    'x509',
    '-req',
    '-in',
    'middle.csr',
    '-CA',
    'root.pem',
    '-CAkey',
    'root.key',
    '-CAcreateserial',
    '-days',
    '30',
    '-extfile',
    'ca.ext',
    '-out',
    'middle.pem',
  );
  openssl('req', ...ec, '-keyout', 'own.key', '-out', 'own.csr', '-subj', '/CN=panel.example.com');
  await writeFile(at('own.ext'), 'subjectAltName=DNS:panel.example.com,IP:192.0.2.7\n');
  openssl(
    'x509',
    '-req',
    '-in',
    'own.csr',
    '-CA',
    'middle.pem',
    '-CAkey',
    'middle.key',
    '-CAcreateserial',
    '-days',
    '30',
    '-extfile',
    'own.ext',
    '-out',
    'own.pem',
  );
  openssl('x509', '-in', 'own.pem', '-outform', 'DER', '-out', 'own.cer');
  openssl('pkey', '-in', 'own.key', '-outform', 'DER', '-out', 'own.key.der');
  openssl('ec', '-in', 'own.key', '-out', 'own.sec1.pem');
  openssl('ec', '-in', 'own.key', '-aes128', '-passout', 'pass:hunter22', '-out', 'own.old-locked.pem');
  openssl('pkcs8', '-topk8', '-in', 'own.key', '-passout', 'pass:hunter22', '-out', 'own.locked.pem');
  openssl(
    'pkcs12',
    '-export',
    '-inkey',
    'own.key',
    '-in',
    'own.pem',
    '-passout',
    'pass:hunter22',
    '-out',
    'own.pfx',
  );
  openssl(
    'pkcs12',
    '-export',
    '-inkey',
    'own.key',
    '-in',
    'own.pem',
    '-passout',
    'pass:',
    '-out',
    'open.pfx',
  );
  openssl('crl2pkcs7', '-nocrl', '-certfile', 'own.pem', '-out', 'own.p7b');
  openssl('crl2pkcs7', '-nocrl', '-certfile', 'own.pem', '-outform', 'DER', '-out', 'own.der.p7b');
  openssl('pkey', '-in', 'own.key', '-pubout', '-out', 'own.pub');
});
afterAll(() => folder[Symbol.asyncDispose]());

const readAs = async (cert: string | Buffer, key: string | Buffer) => {
  const files = { certFile: at('in.cert'), keyFile: at('in.key') };
  await writeFile(files.certFile, cert);
  await writeFile(files.keyFile, key);
  return readCertificate(files);
};

// Guarantee: certificates work as people have them: exported by Windows, in a chain of any order, in files that are swapped or one,
// with what editors and mails put around them (caddyserver/caddy#3592, certbot's and win-acme's files, ACM's and CAs' downloads).
describe('read', () => {
  test.each<[string, () => readonly [string | Buffer, string | Buffer]]>([
    ['PEM', () => [pem('own.pem'), pem('own.key')]],
    [
      'the chain in the right order',
      () => [pem('own.pem') + pem('middle.pem') + pem('root.pem'), pem('own.key')],
    ],
    ['the chain upside down', () => [pem('root.pem') + pem('middle.pem') + pem('own.pem'), pem('own.key')]],
    ['the issuer first', () => [pem('middle.pem') + pem('own.pem'), pem('own.key')]],
    ['a certificate twice', () => [pem('own.pem') + pem('middle.pem') + pem('own.pem'), pem('own.key')]],
    ['DER', () => [readFileSync(at('own.cer')), pem('own.key')]],
    ['a key in DER', () => [pem('own.pem'), readFileSync(at('own.key.der'))]],
    [
      'a key of the older form, below its parameters',
      () => [
        pem('own.pem'),
        `-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n${pem('own.sec1.pem')}`,
      ],
    ],
    ['both swapped', () => [pem('own.key'), pem('own.pem')]],
    ['both in each', () => [pem('own.key') + pem('own.pem'), pem('own.key') + pem('own.pem')]],
    [
      'lines of Windows',
      () => [pem('own.pem').replaceAll('\n', '\r\n'), pem('own.key').replaceAll('\n', '\r\n')],
    ],
    ['a mark before all', () => [`\uFEFF${pem('own.pem')}`, `\uFEFF${pem('own.key')}`]],
    ['UTF-16', () => [Buffer.from(`\uFEFF${pem('own.pem')}`, 'utf16le'), pem('own.key')]],
    [
      'text around it',
      () => [`Bag Attributes\n    friendlyName: f\xfcr mich\n${pem('own.pem')}\n-- \nyours`, pem('own.key')],
    ],
    ['text in another encoding', () => [Buffer.from(`f\xfcr\n${pem('own.pem')}`, 'latin1'), pem('own.key')]],
    ['all in one line', () => [pem('own.pem').replaceAll('\n', ' '), pem('own.key')]],
    ['the key among other keys', () => [pem('own.pem'), pem('root.key') + pem('own.key')]],
  ])('%s', async (_what, files) => {
    const [cert, key] = files();
    const read = await readAs(cert, key);
    const names = [...read.cert.matchAll(/-----BEGIN[\s\S]+?-----END CERTIFICATE-----/g)].map(
      ([each]) => new X509Certificate(each).subject,
    );
    expect(['CN=panel.example.com', 'CN=Middle of a test', 'CN=Root of a test']).toEqual(
      expect.arrayContaining(names),
    );
    expect(names[0]).toBe('CN=panel.example.com');
    expect(names.indexOf('CN=Middle of a test')).toBeLessThan(2);
    expect(new Set(names).size).toBe(names.length);
    expect(read.chain[0].subject).toBe('CN=panel.example.com');
  });
});

const dayMs = 86_400_000;
const past = { from: new Date(Date.now() - 90 * dayMs), until: new Date(Date.now() - 2 * dayMs) };

// Guarantee: of an old and a renewed certificate in one file, that which is valid is used, in whatever order they stand, and nothing
// that has no part in it is sent to clients.
test('renewed beside what it replaces', async () => {
  const authority = privateAuthority('Example Root');
  const between = authority.delegate('Between');
  const renewed = between.issue(['panel.example.com']);
  const old = between.issue(['panel.example.com'], { ...past, key: renewed.key });
  const ended = between.issue(['panel.example.com'], past);
  const stranger = privateAuthority('Another Root');
  const files: readonly (readonly [readonly { readonly cert: string }[], string])[] = [
    [[old, between, renewed], renewed.key],
    [[renewed, old, between, stranger], renewed.key],
    [[stranger, authority.delegate('Between'), old, renewed, between], renewed.key],
    // A renewal with a new key that added to both files.
    [[ended, between, renewed], ended.key + renewed.key],
  ];
  for (const [certificates, keys] of files) {
    const { chain, key } = await readAs(certificates.map(({ cert }) => cert).join(''), keys);
    expect(chain.map((each) => each.toString())).toEqual([renewed.cert, between.cert]);
    expect(key).toBe(renewed.key);
  }
});

// Guarantee: with several that are valid for one key, the one that was issued last is used; with several keys, the first; and what has
// ended is better than nothing.
test('which of several', async () => {
  const authority = privateAuthority('Example Root');
  const later = authority.issue(['panel.example.com'], { from: new Date(Date.now() - 3_600_000) });
  const earlier = authority.issue(['panel.example.com'], { key: later.key });
  const other = authority.issue(['other.example.com'], { from: new Date(Date.now() - 60_000) });
  const ended = authority.issue(['panel.example.com'], past);
  const used = async (certificates: readonly { readonly cert: string }[], keys: string) =>
    (await readAs(certificates.map(({ cert }) => cert).join(''), keys)).chain[0].toString();
  expect(await used([earlier, later], later.key)).toBe(later.cert);
  expect(await used([earlier, later, other], other.key + later.key)).toBe(later.cert);
  expect(await used([ended], ended.key)).toBe(ended.cert);
});

// Guarantee: what cannot be used is named by its setting, file and kind, with what to do, and nothing of a key.
describe('refused', () => {
  test.each<[string, () => readonly [string | Buffer, string | Buffer], RegExp]>([
    [
      'PFX',
      () => [readFileSync(at('own.pfx')), pem('own.key')],
      /^TLS_CERT_FILE: \S+in\.cert is a PFX file.*openssl pkcs12 -in \S+in\.cert.*win-acme/,
    ],
    [
      'PFX without a password',
      () => [pem('own.pem'), readFileSync(at('open.pfx'))],
      /^TLS_KEY_FILE: \S+in\.key is a PFX file/,
    ],
    ['PKCS#7', () => [pem('own.p7b'), pem('own.key')], /^TLS_CERT_FILE: .*PKCS#7.*openssl pkcs7/],
    ['PKCS#7 in DER', () => [readFileSync(at('own.der.p7b')), pem('own.key')], /^TLS_CERT_FILE: .*PKCS#7/],
    [
      'an encrypted key',
      () => [pem('own.pem'), pem('own.locked.pem')],
      /^TLS_KEY_FILE: .*encrypted with a password.*openssl pkey/,
    ],
    [
      'an encrypted key of the older form',
      () => [pem('own.pem'), pem('own.old-locked.pem')],
      /^TLS_KEY_FILE: .*encrypted with a password/,
    ],
    [
      'the key of another certificate',
      () => [pem('own.pem'), pem('root.key')],
      /^TLS_KEY_FILE: the key in \S+ belongs to none .*panel\.example\.com/,
    ],
    ['a request', () => [pem('own.csr'), pem('own.key')], /^TLS_CERT_FILE: .*\(CSR\)/],
    ['a public key', () => [pem('own.pem'), pem('own.pub')], /^TLS_KEY_FILE: .*public key/],
    [
      'the certificate twice',
      () => [pem('own.pem'), pem('own.pem')],
      /^TLS_KEY_FILE: \S+ holds no private key/,
    ],
    ['the key twice', () => [pem('own.key'), pem('own.key')], /^TLS_CERT_FILE: \S+ holds no certificate/],
    [
      'half a certificate',
      () => [pem('own.pem').slice(0, 200), pem('own.key')],
      /^TLS_CERT_FILE: .*copied in part/,
    ],
    [
      'a certificate with a hole',
      () => [pem('own.pem').replace(/\n.{64}\n/, '\n'), pem('own.key')],
      /^TLS_CERT_FILE: .*damaged/,
    ],
    ['nothing', () => ['', pem('own.key')], /^TLS_CERT_FILE: \S+ is empty/],
    ['another file', () => [pem('own.pem'), '<html>'], /^TLS_KEY_FILE: \S+ holds neither/],
  ])('%s', async (_what, files, words) => {
    const [cert, key] = files();
    const error = await readAs(cert, key).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(StartupError);
    expect(error.message).toMatch(words);
    expect(error.message).not.toMatch(/hunter22|BEGIN|M[IH][A-Za-z0-9+/]{20}/);
  });
});

// Guarantee: the command that helps works as it is shown, whatever the path.
test('a path with a space and signs of a pattern', async () => {
  const certFile = at('Let’s $& Encrypt.pfx');
  await copyFile(at('own.pfx'), certFile);
  await expect(readCertificate({ certFile, keyFile: at('own.key') })).rejects.toThrow(
    `openssl pkcs12 -in "${certFile}" -out certificate.pem`,
  );
});

// Guarantee: health says before a certificate ends that it will, and afterwards that it has; in time also for one that lives for
// days only; a clock behind it, a name that it lacks and files that a renewal has damaged are said, too.
test('what health says', async () => {
  const own = new X509Certificate(pem('own.pem'));
  const [fromMs, toMs] = [own.validFromDate.getTime(), own.validToDate.getTime()];
  const said = (nowMs: number, host: string | null = null) => certificateTroubles(own, nowMs, host).join(' ');
  expect(said(fromMs)).toBe('');
  expect(said(toMs - 8 * dayMs)).toBe('');
  expect(said(toMs - 6.5 * dayMs)).toContain('expires in 6 days');
  expect(said(toMs - dayMs)).toContain('expires in 24 h');
  expect(said(toMs - 60_000)).toContain('expires in 1 h');
  expect(said(toMs)).toContain(`expired on ${own.validToDate.toISOString().slice(0, 10)}`);
  expect(said(fromMs - 1000)).toContain("or correct this computer's clock");
  expect(said(fromMs, 'panel.example.com') + said(fromMs, '192.0.2.7')).toBe('');
  expect(said(fromMs, 'other.example.com')).toContain('not valid for other.example.com');
  const files = { certFile: at('own.pem'), keyFile: at('root.key') };
  expect((await inspectCertificate(files, fromMs, null)).join()).toMatch(
    /cannot be used: TLS_KEY_FILE: the key/,
  );
  expect(await inspectCertificate({ ...files, keyFile: at('own.key') }, fromMs, null)).toEqual([]);
});

// Guarantee: health does not wait for the name of the public address, which a database knows that may be gone or silent.
test.each<[string, () => Promise<string | null>]>([
  ['fails', () => Promise.reject(new Error('no database'))],
  ['does not answer', () => Promise.withResolvers<string | null>().promise],
])('a database that %s', async (_what, publicHost) => {
  const files = { certFile: at('own.pem'), keyFile: at('root.key') };
  const troubles = followCertificate(files, publicHost, 20);
  await expect.poll(async () => (await troubles()).join()).toMatch(/cannot be used: TLS_KEY_FILE/);
});
