import { once } from 'node:events';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { Secret } from '#runtime/secret.ts';
import { agentHome } from '../configuration/agent-home.ts';
import { askEnrolment } from './ask-enrolment.ts';
import { openEnrolmentDraft } from './enrolment-draft.ts';
import { demandWritableHome } from './install-enrolment.ts';

const enrolment = 'abcdefghijklmnopqrstuvwx';

/** An API that gives these answers one after the other; null cuts the connection. */
const apiThatSays = async (answers: readonly ({ status: number; code: string } | null)[]) => {
  let asked = 0;
  const server = createServer((request, response) => {
    const answer = answers[Math.min(asked, answers.length - 1)];
    asked += 1;
    request.resume().on('end', () => {
      if (!answer) return request.socket.destroy();
      response.writeHead(answer.status, { 'Content-Type': 'application/problem+json' });
      return response.end(JSON.stringify({ type: 'about:blank', title: 'x', ...answer }));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    apiUrl: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};

// Guarantee: if a request may have been accepted, only an explicit rejection ends the draft; else any refusal does.
test.each([
  {
    name: 'a lost answer, then no database',
    says: [null, { status: 503, code: 'DATABASE_UNAVAILABLE' }],
    isFinal: false,
  },
  {
    name: 'a lost answer, then a throttle',
    says: [null, { status: 429, code: 'AGENT_THROTTLED' }],
    isFinal: false,
  },
  {
    name: 'no database, then a wrong code',
    says: [
      { status: 503, code: 'DATABASE_UNAVAILABLE' },
      { status: 401, code: 'AGENT_ENROLMENT_REFUSED' },
    ],
    isFinal: false,
  },
  {
    name: 'a lost answer, then used',
    says: [null, { status: 409, code: 'AGENT_ENROLMENT_USED' }],
    isFinal: true,
  },
  { name: 'a wrong code at once', says: [{ status: 401, code: 'AGENT_ENROLMENT_REFUSED' }], isFinal: true },
])('$name', async ({ says, isFinal }) => {
  await using home = await temporaryFolder('draft');
  await using api = await apiThatSays(says);
  const draft = await openEnrolmentDraft(home.path, enrolment);
  const code = new Secret('A'.repeat(22));
  const asked = askEnrolment({
    apiUrl: api.apiUrl,
    pins: [],
    code,
    draft,
    onRetry: () => undefined,
    retryMs: 1,
  });
  expect(await asked).toMatchObject({ isFinal });
});

// Guarantee: two runs of one command line have the same keys, and a run deletes no draft but the one that it knows.
test('two runs of one line', async () => {
  await using home = await temporaryFolder('draft');
  const drafts = await Promise.all([1, 2, 3].map(() => openEnrolmentDraft(home.path, enrolment)));
  expect(new Set(drafts.map(({ asked }) => asked.nonce)).size).toBe(1);
  expect(drafts.filter(({ isNew }) => isNew).length).toBe(1);
  const path = join(home.path, 'enrolling', `${enrolment}.json`);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  await drafts[0]?.delete();
  const next = await openEnrolmentDraft(home.path, enrolment);
  await drafts[1]?.delete();
  expect(JSON.parse(await readFile(path, 'utf8')).asked.nonce).toBe(next.asked.nonce);
  await next.delete();
  expect(await readdir(home.path)).toEqual([]);
});

// Guarantee: the data folder is closed to other accounts before it holds any key.
test('a closed home', async () => {
  await using folder = await temporaryFolder('draft');
  const home = join(folder.path, 'home');
  const found: string[][] = [];
  await openEnrolmentDraft(home, enrolment, async (closed) => void found.push(await readdir(closed)));
  expect(found).toEqual([[]]);
  for (const closed of [home, join(home, 'enrolling')]) expect((await stat(closed)).mode & 0o777).toBe(0o700);
  const refused = join(folder.path, 'refused');
  await expect(
    openEnrolmentDraft(refused, enrolment, () => Promise.reject(new Error('no'))),
  ).rejects.toThrow();
  expect(await readdir(refused)).toEqual([]);
});

// Guarantee: a data folder that cannot be written is detected before the code is used, and the check leaves nothing behind.
test('a home that cannot be written', async () => {
  await using folder = await temporaryFolder('draft');
  await demandWritableHome(agentHome(folder.path, {}));
  expect(await readdir(folder.path)).toEqual([]);
  const file = join(folder.path, 'file');
  await writeFile(file, '');
  await expect(demandWritableHome(agentHome(file, {}))).rejects.toThrow('The code was not used');
});
