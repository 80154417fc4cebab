import { expect, test } from 'vitest';
import { createLog } from '#runtime/log.ts';
import { Secret } from '#runtime/secret.ts';
import { chooseTransport } from './choose-transport.ts';

// Guarantee: a file of authorities that cannot be used is named at the start, and keeps the portal from nothing; so is a portal that
// sends no mail.
test.each([
  ['smtps://me:pass-word@mail.example', '/nowhere/root.pem', ['/nowhere/root.pem does not exist']],
  ['smtps://me:pass-word@mail.example', undefined, []],
  [null, '/nowhere/root.pem', ['/nowhere/root.pem does not exist', 'SMTP_URL is not set']],
  [null, undefined, ['SMTP_URL is not set']],
])('%s with %s', (url, trustedCaFile, warnings) => {
  const lines: string[] = [];
  const log = createLog({ component: 'portal', destination: { write: (line) => void lines.push(line) } });
  const smtpUrl = url === null ? null : new Secret(url);
  expect(chooseTransport({ smtpUrl, home: '/nowhere', trustedCaFile }, log)).toHaveProperty('send');
  expect(lines).toEqual(warnings.map((words) => expect.stringContaining(words)));
});
