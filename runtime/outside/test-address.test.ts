import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { AddressTest, OutsideAddressKind } from '#contracts/operations/outside-addresses.ts';
import { openTestProxy } from '#harness/outside-servers.ts';
import { freePort } from '#harness/ports.ts';
import { privateAuthority } from '#harness/private-authority.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { startHttpsServer } from '../../tests/simulators/https-server.ts';
import { systemEnv } from '../system-env.ts';

const run = promisify(execFile);

interface Asked {
  readonly kind: OutsideAddressKind;
  readonly url: string;
  readonly proxy?: string;
  readonly machineProxy?: string;
  readonly unused?: string;
}

// Guarantee: for each address people learn how it was reached, who vouches for its certificate and how the clocks differ, or what
// stands in the way and what to do; never a password.
test('each address, and what stands in its way', async () => {
  await using opened = new AsyncDisposableStack();
  const folder = opened.use(await temporaryFolder('addresses'));
  const company = privateAuthority('Example Company Root');
  const own = privateAuthority('Root in a file');
  const antivirus = privateAuthority('Antivirus Personal Root');
  const systemStore = join(folder.path, 'system.pem');
  const trustedCaFile = join(folder.path, 'own.pem');
  await writeFile(systemStore, company.cert);
  await writeFile(trustedCaFile, own.cert);
  const hourMs = 3_600_000;
  const serve = async (authority = company, hosts: readonly [string, ...string[]] = ['localhost']) =>
    opened.use(
      await startHttpsServer({
        authority,
        hosts,
        dates: { from: new Date(Date.now() - 3 * hourMs), until: new Date(Date.now() + 3 * hourMs) },
        answer(request, response) {
          const [, status = '200', what = ''] = (request.url ?? '').split('/');
          if (what === 'late') response.setHeader('Date', new Date(Date.now() - hourMs).toUTCString());
          if (what === 'undated') response.sendDate = false;
          if (what === 'elsewhere') response.setHeader('Location', 'https://sign-in.example/');
          response.setHeader('Content-Type', what === 'page' ? 'text/html' : 'application/json');
          response.writeHead(Number(status) || 200);
          response.end(what === 'page' ? '<html>Sign in' : '{"keys":[]}');
        },
        upgrade(request, socket) {
          const accept = createHash('sha1')
            .update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
            .digest('base64');
          socket.end(
            `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
          );
        },
      }),
    );
  const [site, ownSite, foreignSite, portal] = await Promise.all([
    serve(),
    serve(own),
    serve(antivirus),
    serve(company, ['portal.example.test']),
  ]);
  const old = opened.use(
    await startHttpsServer({
      authority: company,
      dates: { from: new Date(Date.now() - 48 * hourMs), until: new Date(Date.now() - 24 * hourMs) },
      answer: (_request, response) => void response.end(),
    }),
  );
  const intercepted = await serve(antivirus, ['portal.example.test']);
  const toPortal = (head: string) =>
    head.startsWith('CONNECT portal.example.test:443 ') ? portal.port : 'HTTP/1.1 502 No\r\n\r\n';
  const wanting = (scheme: string) =>
    `HTTP/1.0 407 Proxy Authentication Required\r\nProxy-Authenticate: ${scheme}\r\n\r\n`;
  const credentials = Buffer.from('CORP\\jdoe:p@ss-word').toString('base64');
  const open = async (...given: Parameters<typeof openTestProxy>) =>
    opened.use(await openTestProxy(...given));
  const plain = await open(toPortal);
  const basic = await open((head) =>
    head.includes(`: Basic ${credentials}\r\n`) ? toPortal(head) : wanting('Basic realm="proxy"'),
  );
  const ntlm = await open(() => wanting('NTLM'));
  const filter = await open(() => intercepted.port);
  const page = await open(() => 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html>Please sign in');
  const blocked = await open(() => 'HTTP/1.1 403 No\r\n\r\n');
  const nowhere = await freePort();
  const far = 'https://portal.example.test/';
  const shown = (proxy: { readonly port: number }) => `127.0.0.1:${proxy.port}`;
  const contains = (text: string) => expect.stringContaining(text);
  const systemRoot = { name: 'Example Company Root', source: 'system' };
  const kind = 'license-portal';
  const cases: readonly (readonly [Asked, object])[] = [
    [
      { kind, url: `${site.url}/` },
      { address: site.url, fault: null, proxy: null, signedBy: systemRoot, clockAheadS: expect.any(Number) },
    ],
    [
      { kind, url: `${ownSite.url}/` },
      { fault: null, signedBy: { name: 'Root in a file', source: 'own-file' } },
    ],
    [
      { kind, url: `${site.url}/200/undated` },
      { fault: null, clockAheadS: null },
    ],
    [
      { kind, url: `${foreignSite.url}/` },
      { fault: contains('Antivirus Personal Root'), signedBy: null },
    ],
    [{ kind, url: `${old.url}/` }, { fault: contains('expired on') }],
    [
      { kind, url: `https://127.0.0.1:${site.port}/` },
      { fault: contains('shows the certificate of localhost') },
    ],
    [{ kind, url: `${site.url}/200/page` }, { fault: contains('A web page came') }],
    [{ kind, url: `${site.url}/302/elsewhere` }, { fault: contains('A web page came') }],
    [{ kind, url: `${site.url}/511/page` }, { fault: contains('A web page came') }],
    [{ kind, url: `${site.url}/503` }, { fault: contains('reports a fault (HTTP 503)') }],
    [{ kind, url: `${site.url}/404` }, { fault: contains('not what Castellan looks for there (HTTP 404)') }],
    // Without a key, this source refuses everyone: it is reached.
    [{ kind: 'curseforge', url: `${site.url}/403/page` }, { fault: null }],
    [
      { kind: 'discord-gateway', url: `wss://localhost:${site.port}/` },
      { fault: null, signedBy: systemRoot },
    ],
    [{ kind, url: `https://localhost:${nowhere}/` }, { fault: contains('Nothing accepts connections') }],
    [
      { kind, url: far },
      { fault: expect.any(String), proxy: null },
    ],

    [
      { kind, url: far, proxy: shown(plain) },
      { fault: null, proxy: shown(plain), signedBy: systemRoot },
    ],
    [
      { kind: 'discord-gateway', url: 'wss://portal.example.test/', proxy: shown(plain) },
      { fault: null, proxy: shown(plain) },
    ],
    [
      { kind, url: far, proxy: `http://CORP\\jdoe:p@ss-word@${shown(basic)}` },
      { fault: null, proxy: shown(basic) },
    ],
    [
      { kind, url: far, proxy: `http://jdoe:p@ss-word@${shown(basic)}` },
      { fault: contains('does not accept the name and the password (407)'), proxy: shown(basic) },
    ],
    [{ kind, url: far, proxy: shown(basic) }, { fault: contains('asks for a name and a password (407)') }],
    [{ kind, url: far, proxy: shown(ntlm) }, { fault: contains('sign-in by NTLM (407)') }],
    [{ kind, url: far, proxy: shown(filter) }, { fault: contains('Antivirus Personal Root') }],
    [{ kind, url: far, proxy: shown(page) }, { fault: contains('answers with a web page') }],
    [{ kind, url: far, proxy: shown(blocked) }, { fault: contains('(HTTP 403)') }],
    [
      { kind, url: far, machineProxy: shown(blocked) },
      { passedOver: contains('(HTTP 403)'), proxy: null, fault: expect.any(String) },
    ],
    [
      { kind, url: far, machineProxy: shown(filter) },
      { passedOver: contains('Antivirus Personal Root'), proxy: null, fault: expect.any(String) },
    ],
    [
      { kind, url: far, machineProxy: shown(plain) },
      { passedOver: null, proxy: shown(plain), fault: null },
    ],
    [
      { kind, url: far, unused: 'socks5://me:p@ss-word@127.0.0.1:1' },
      { passedOver: contains('HTTPS_PROXY is not used: Castellan does not speak socks5'), proxy: null },
    ],
    [
      { kind, url: `${site.url}/`, unused: 'socks5://127.0.0.1:1' },
      { passedOver: null, fault: null },
    ],
    [
      { kind: 'proxy', url: `http://${shown(plain)}/`, proxy: `http://jdoe:p@ss-word@${shown(plain)}` },
      { address: shown(plain), fault: null },
    ],
    [
      { kind: 'proxy', url: `http://127.0.0.1:${nowhere}/`, proxy: `127.0.0.1:${nowhere}` },
      { fault: contains('ECONNREFUSED') },
    ],
  ];
  const late: Asked = { kind, url: `${site.url}/200/late` };
  const program = new URL('testing/test-addresses.program.ts', import.meta.url).pathname;
  const question = JSON.stringify({ trustedCaFile, asked: [...cases.map(([asked]) => asked), late] });
  const env = { ...systemEnv(), SSL_CERT_FILE: systemStore };
  const { stdout } = await run(process.execPath, [program, question], { env });
  const answers: readonly AddressTest[] = JSON.parse(stdout);
  expect(answers.slice(0, -1)).toMatchObject(cases.map(([, answer]) => answer));
  expect(Math.abs((answers.at(-1)?.clockAheadS ?? 0) - 3600)).toBeLessThan(120);
  expect(stdout).not.toContain('p@ss-word');
});
