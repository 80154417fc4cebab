import { execFile } from 'node:child_process';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { makeInstaller } from '../package/installer.ts';
import { hasSignature } from '../package/remove-signature.ts';
import { openCodeSigner } from './sign-code.ts';
import { signReleaseOf } from './sign-release.ts';

const run = promisify(execFile);
const password = 'a "pass" wörd';

interface Certificate {
  readonly key: string;
  readonly certificate: string;
}

const makeCertificate = async (folder: string, name: string, usage: string): Promise<Certificate> => {
  const made = { key: join(folder, `${name}.key`), certificate: join(folder, `${name}.crt`) };
  const subject = ['-subj', `/CN=${name}`, '-addext', `extendedKeyUsage=${usage}`, '-days', '2'];
  const out = ['-keyout', made.key, '-out', made.certificate];
  await run('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...out, ...subject]);
  return made;
};

const makeKeyFile = async (
  folder: string,
): Promise<{ readonly file: string; readonly certificate: string }> => {
  const { key, certificate } = await makeCertificate(folder, 'signer', 'codeSigning');
  const file = join(folder, 'signer.pfx');
  const secret = join(folder, 'password');
  await writeFile(secret, password);
  const what = ['-inkey', key, '-in', certificate, '-out', file, '-passout', `file:${secret}`];
  await run('openssl', ['pkcs12', '-export', ...what]);
  return { file, certificate };
};

const makeProgram = async (folder: string): Promise<string> => {
  const appFolder = join(folder, 'app');
  await mkdir(join(appFolder, 'resources', 'programs'), { recursive: true });
  await writeFile(join(appFolder, 'Castellan.exe'), 'as much as is asked for');
  const file = join(folder, 'out', 'Castellan-Setup-1.2.3.exe');
  await makeInstaller({ appFolder, file, version: '1.2.3', isPacked: false });
  return file;
};

const verify = (file: string, certificate: string, ...more: readonly string[]) =>
  run('osslsigncode', ['verify', '-CAfile', certificate, ...more, '-in', file]);

/** An RFC 3161 time-stamp server, by openssl. */
const openTimestampServer = async (folder: string) => {
  const { key, certificate } = await makeCertificate(folder, 'clock', 'critical,timeStamping');
  const config = join(folder, 'clock.cnf');
  const settings = {
    serial: join(folder, 'serial'),
    signer_cert: certificate,
    signer_key: key,
    certs: certificate,
    signer_digest: 'sha256',
    default_policy: '1.2.3.4.1',
    digests: 'sha256',
    ess_cert_id_chain: 'no',
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`);
  await writeFile(config, `[tsa]\ndefault_tsa = clock\n[clock]\n${lines.join('')}`);
  const server = createServer(async (request, response) => {
    const query = join(folder, 'query');
    await writeFile(query, await buffer(request));
    const reply = ['ts', '-reply', '-config', config, '-queryfile', query];
    const { stdout } = await run('openssl', reply, { encoding: 'buffer' });
    response.setHeader('Content-Type', 'application/timestamp-reply').end(stdout);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    certificate,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};

// Guarantee: a signed program verifies, with its time-stamp; a changed byte is detected; the release's hash is that of the
// signed file; the password is in no argument.
test('a signed installer', { tags: 'signing', timeout: 120_000 }, async () => {
  await using folder = await temporaryFolder('signing');
  const { file: CASTELLAN_SIGN_PFX, certificate } = await makeKeyFile(folder.path);
  await using clock = await openTimestampServer(folder.path);
  const program = await makeProgram(folder.path);
  expect(hasSignature(await readFile(program))).toBe(false);

  // Wraps the real program and records its calls.
  const calls = join(folder.path, 'calls');
  const wrapper = join(folder.path, 'bin', 'osslsigncode');
  await mkdir(join(folder.path, 'bin'));
  const { stdout: real } = await run('sh', ['-c', 'command -v osslsigncode']);
  await writeFile(wrapper, `#!/bin/sh\nprintf '%s\\n' "$@" >>'${calls}'\nexec ${real.trim()} "$@"\n`);
  await chmod(wrapper, 0o755);
  const path = process.env.PATH;
  process.env.PATH = `${join(folder.path, 'bin')}:${path}`;
  try {
    const passwordFile = join(folder.path, 'password');
    await writeFile(passwordFile, `${password}\n`);
    const signer = await openCodeSigner({
      CASTELLAN_SIGN_PFX,
      CASTELLAN_SIGN_PASSWORD_FILE: passwordFile,
      CASTELLAN_SIGN_TIMESTAMP_URL: clock.url,
    });
    await signer?.sign(program);
  } finally {
    process.env.PATH = path;
  }
  const called = await readFile(calls, 'utf8');
  expect(called).toContain(clock.url);
  expect(called).not.toContain(password);

  const signed = await readFile(program);
  expect(hasSignature(signed)).toBe(true);
  const { stdout } = await verify(program, certificate, '-TSA-CAfile', clock.certificate);
  expect(stdout).toContain('Signature verification: ok');
  expect(stdout).toContain('Timestamp Server Signature verification: ok');

  const { privateKey } = generateKeyPairSync('ed25519');
  const { files } = await signReleaseOf({
    folder: join(folder.path, 'out'),
    version: '1.2.3',
    follows: '1.0.0',
    notes: 'Signed.',
    releasedAt: new Date(),
    expiresAt: new Date(Date.now() + 86_400_000),
    keys: [privateKey],
    out: join(folder.path, 'release'),
  });
  expect(files.map(({ sha512 }) => sha512)).toEqual([createHash('sha512').update(signed).digest('base64')]);

  const changed = Buffer.from(signed);
  changed[2000] = (changed[2000] ?? 0) ^ 1;
  const tampered = join(folder.path, 'tampered.exe');
  await writeFile(tampered, changed);
  await expect(verify(tampered, certificate)).rejects.toThrow('osslsigncode');
});

// Guarantee: without a key nothing is signed, and an incomplete key is refused, naming what is missing.
test('what the environment names', async () => {
  expect(await openCodeSigner({})).toBeNull();
  await expect(openCodeSigner({ CASTELLAN_SIGN_PASSWORD: 'x' })).rejects.toThrow('CASTELLAN_SIGN_PFX');
  const CASTELLAN_SIGN_PFX = 'key.pfx';
  await expect(openCodeSigner({ CASTELLAN_SIGN_PFX })).rejects.toThrow('CASTELLAN_SIGN_PASSWORD_FILE');
  await expect(openCodeSigner({ CASTELLAN_SIGN_PFX, CASTELLAN_SIGN_PASSWORD: 'x' })).rejects.toThrow(
    'CASTELLAN_SIGN_TIMESTAMP_URL',
  );
});

// Guarantee: a wrong password is reported, and leaves the program unchanged.
test('a wrong password', { tags: 'signing' }, async () => {
  await using folder = await temporaryFolder('signing');
  const { file: CASTELLAN_SIGN_PFX } = await makeKeyFile(folder.path);
  const program = await makeProgram(folder.path);
  const before = await readFile(program);
  const signer = await openCodeSigner({
    CASTELLAN_SIGN_PFX,
    CASTELLAN_SIGN_PASSWORD: 'another one',
    CASTELLAN_SIGN_TIMESTAMP_URL: 'none',
  });
  await expect(signer?.sign(program)).rejects.toThrow('osslsigncode');
  expect((await readFile(program)).equals(before)).toBe(true);
});
