import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { auditHttp } from '#contracts/kernel/audit.ts';
import { listen } from '#runtime/http/listen.ts';
import { answerProblems, nameRequests } from '#runtime/http/problems.ts';
import { createApp } from '#runtime/http/routes.ts';
import { silentLog, testOwner } from '../testing/feature-api.ts';
import { createAccessChanges } from './access-changes.ts';
import type { Actor } from './actor.ts';
import { createApiRoutes } from './authorize.ts';
import { createEndWithRights } from './end-with-rights.ts';

// Guarantee: a download that is under way ends when its caller loses the right to it, or may no longer sign in; one whose caller
// keeps the right goes on to its end.
test.each<[string, Actor | null, boolean]>([
  ['loses the right', { ...testOwner, permissions: new Set(['store.read']) }, false],
  ['may no longer sign in', null, false],
  ['loses another right', { ...testOwner, permissions: new Set(['audit.read']) }, true],
])('a download whose caller %s', async (_name, renewed, goesOn) => {
  const changes = createAccessChanges();
  const checked = Promise.withResolvers<void>();
  const app = createApp(false);
  app.use(nameRequests);
  const routes = createApiRoutes(app, {
    authorize: () => testOwner,
    watchDownload: createEndWithRights({
      changes,
      async refresh() {
        checked.resolve();
        return renewed;
      },
    }),
  });
  const content = new Readable({ read: () => undefined });
  content.push('first\n');
  routes.on(auditHttp.exportCsv, () => content);
  app.use(answerProblems(silentLog));
  await using api = await listen({ handler: app, host: '127.0.0.1', port: 0 });
  const request = get({ port: api.port, path: auditHttp.exportCsv.path });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let text = '';
  const ended = new Promise<boolean>((resolve) => {
    response.on('data', (chunk: Buffer) => {
      if (text === '') changes.announce();
      text += chunk.toString();
    });
    response.on('error', () => undefined);
    response.on('close', () => resolve(response.complete));
  });
  await checked.promise;
  if (goesOn) {
    content.push('last\n');
    content.push(null);
  }
  expect(await ended).toBe(goesOn);
  expect(text).toBe(goesOn ? 'first\nlast\n' : 'first\n');
});
