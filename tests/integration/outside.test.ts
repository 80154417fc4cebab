import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { openTestProxy, openTlsSite } from '#harness/outside-servers.ts';
import { privateAuthority } from '#harness/private-authority.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { systemEnv } from '#runtime/system-env.ts';

const run = promisify(execFile);
const program = resolve(import.meta.dirname, 'testing/reach-outside-main.ts');

const reached = {
  portal: 200,
  lookUp: 'no-portal',
  discord: 'token-wrong',
  mods: { ok: true },
  file: 200,
  // Nothing signed came.
  update: 'forged',
};

// Guarantee: portal, Discord, sources and downloads of mods and updates accept a server whose private authority is in the system's
// store alone, directly and through the proxy of a company (electron/electron#48272, #11741).
test('everything outside', async () => {
  await using folder = await temporaryFolder('outside');
  const company = privateAuthority('Example Corp TLS Inspection');
  const certificate = company.issue(['localhost', 'site.example']);
  await using server = await openTlsSite(certificate, [], ({ url = '' }, response) => {
    response.writeHead(url.includes('/users/') ? 401 : 200, { 'Content-Type': 'application/json' });
    response.end('{"ok":true}');
  });
  await using proxy = await openTestProxy(() => server.port);
  const root = join(folder.path, 'root.pem');
  await writeFile(root, company.cert);
  const ask = async (origin: string, way: string, env = {}) => {
    const { stdout } = await run(process.execPath, [program, origin, way], {
      env: { ...systemEnv(), ...env },
      timeout: 50_000,
    });
    return JSON.parse(stdout);
  };
  const [direct, proxied] = await Promise.all([
    ask(`https://localhost:${server.port}`, '', { SSL_CERT_FILE: root }),
    ask('https://site.example', `http://me:pw@127.0.0.1:${proxy.port}`, { SSL_CERT_FILE: root }),
  ]);
  expect(direct).toEqual(reached);
  expect(proxied).toEqual(reached);
  expect(proxy.heads.every((head) => head.startsWith('CONNECT site.example:443 '))).toBe(true);
});
