import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { problemsPtBr } from '#contracts/kernel/problems-pt-br.ts';
import { eventually } from '#harness/eventually.ts';
import { refuseWith } from '#runtime/license/testing/fake-portal.ts';
import { install } from '#runtime/license/testing/installation.ts';
import { serveFirstRun } from './serve-first-run.ts';

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** As a browser on this machine asks; `fetch` sets no Host, Origin or Cookie. */
const ask = (
  url: URL,
  {
    method = 'GET',
    headers = {},
    body,
  }: { method?: string; headers?: OutgoingHttpHeaders; body?: string } = {},
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers, agent: false }, (response) => {
      text(response).then(
        (received) =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text: received }),
        reject,
      );
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });

const open = async () => {
  const installation = await install();
  const license = await installation.open({ scheduled: false });
  let link: string | null = null;
  const page = await serveFirstRun({ license, ownerLink: async () => link });
  const url = new URL(page.link);
  const entered = await ask(url);
  const cookie = String(entered.headers['set-cookie']).split(';')[0] ?? '';
  return {
    installation,
    page,
    url,
    entered,
    cookie,
    setLink: (next: string | null) => {
      link = next;
    },
    read: (headers: OutgoingHttpHeaders = {}) =>
      ask(new URL('/', url), { headers: { Cookie: cookie, ...headers } }),
    send: (key: string, headers: OutgoingHttpHeaders = {}) =>
      ask(new URL('/license', url), {
        method: 'POST',
        headers: {
          'Content-Type': 'application/x-www-form-urlencoded',
          Cookie: cookie,
          Origin: url.origin,
          ...headers,
        },
        body: new URLSearchParams({ key }).toString(),
      }),
    async [Symbol.asyncDispose]() {
      await page[Symbol.asyncDispose]();
      await installation[Symbol.asyncDispose]();
    },
  };
};

// Guarantee: the link leads from the key to the owner, says why a key is refused, and ends once there is an owner.
test('from the key to the owner', async () => {
  await using first = await open();
  const { installation, read, send, setLink, page } = first;
  setLink('http://127.0.0.1:3000/#/setup?token=csu_1');
  const { portal } = installation;
  expect(first.entered.status).toBe(303);
  expect((await read()).text).toContain('<label for="key">License key</label>');
  expect((await read({ 'Accept-Language': 'pt-BR,pt;q=0.9' })).text).toContain('Chave de licença');
  portal.activate = refuseWith('UNAUTHORIZED');
  expect((await send(installation.licenseKey)).status).toBe(303);
  expect((await read()).text).toContain('role="alert"');
  const portuguese = { 'Accept-Language': 'pt-BR,pt;q=0.9' };
  expect((await read(portuguese)).text).toContain(problemsPtBr.UNAUTHORIZED.meaning);
  expect((await send('<script>')).status).toBe(303);
  expect((await read()).text).not.toContain('<script>');
  expect((await read(portuguese)).text).toContain('Há um erro de digitação nesta chave.');
  portal.activate = () => ({ say: 'token' });
  const before = portal.asked.length;
  await Promise.all([send(installation.licenseKey), send(installation.licenseKey)]);
  expect(portal.asked.filter(({ path }) => path.includes('activate')).length).toBeLessThanOrEqual(before + 1);
  expect((await read()).text).toContain('href="http://127.0.0.1:3000/#/setup?token=csu_1"');
  await eventually(async () => {
    setLink(null);
    expect(await Promise.race([page.ended, Promise.resolve('open')])).toBe('done');
  });
});

// Guarantee: the link works once, for this machine's names and the page itself alone, and nothing of it is cached or passed on.
test('who else has the address', async () => {
  await using first = await open();
  const { url, read, send, installation } = first;
  expect((await ask(url)).status).toBe(403);
  expect((await ask(new URL('/?token=guessed', url))).status).toBe(403);
  expect((await ask(new URL('/', url))).status).toBe(403);
  expect((await read({ Host: 'evil.example' })).status).toBe(421);
  expect((await read({ Host: 'localhost:1' })).status).toBe(200);
  const key = installation.licenseKey;
  for (const [headers, status] of [
    [{ Origin: 'https://evil.example' }, 403],
    [{ Origin: undefined }, 403],
    [{ 'Sec-Fetch-Site': 'cross-site' }, 403],
    [{ Cookie: '' }, 403],
    [{ Host: 'evil.example' }, 421],
  ] as const) {
    const { Origin: origin, ...others } = { Origin: url.origin, ...headers };
    const answer = await send(key, {
      ...others,
      ...(origin === undefined ? { Origin: '' } : { Origin: origin }),
    });
    expect(answer.status, JSON.stringify(headers)).toBe(status);
  }
  expect((await send('x'.repeat(10_000))).status).toBe(413);
  expect((await ask(new URL('/other', url), { headers: { Cookie: first.cookie } })).status).toBe(404);
  expect(installation.portal.asked).toEqual([]);
  const { headers } = await read();
  expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
  expect(headers['content-security-policy']).toContain("default-src 'none'");
});

// Guarantee: after its time the link is gone, whatever was done with it.
test('a link that expires', async () => {
  await using installation = await install();
  const license = await installation.open({ scheduled: false });
  await using page = await serveFirstRun({ license, ownerLink: async () => null, lastsMs: 50 });
  expect(await page.ended).toBe('expired');
  await eventually(() => expect(ask(new URL(page.link))).rejects.toThrow());
});
