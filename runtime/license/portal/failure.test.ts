import { expect, test } from 'vitest';
import { explainFailure } from './failure.ts';

const url = new URL('https://portal.example:8443/x');

const fetchFailure = (code: string) =>
  new TypeError('fetch failed', { cause: Object.assign(new Error('why'), { code }) });

// Guarantee: people learn what blocks the way to the portal.
test.each([
  ['ENOTFOUND', 'could not be resolved'],
  ['EAI_AGAIN', 'could not be resolved'],
  ['ECONNREFUSED', 'Nothing answers at portal.example:8443'],
  ['EHOSTUNREACH', 'Nothing answers'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'certificate'],
  ['CERT_HAS_EXPIRED', 'certificate'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'certificate'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'No secure connection'],
  ['UND_ERR_CONNECT_TIMEOUT', 'No connection to portal.example:8443 within 10 s'],
  ['ECONNRESET', 'broke (ECONNRESET)'],
])('%s', (code, words) => {
  expect(explainFailure(fetchFailure(code), url, 10_000)).toContain(words);
});

test('several addresses tried', () => {
  const cause = new AggregateError([Object.assign(new Error('no'), { code: 'ENETUNREACH' })]);
  expect(explainFailure(new TypeError('fetch failed', { cause }), url, 10_000)).toContain('ENETUNREACH');
});

test('anything else', () => {
  expect(explainFailure('what', url, 10_000)).toBe('The connection to portal.example:8443 broke.');
});
