import { expect, test } from 'vitest';
import { AnswerTooLargeError, ShownToProxyError } from './exchange.ts';
import { explainFailure } from './failure.ts';

const url = new URL('https://portal.example:8443/x');

// Guarantee: people learn what blocks the way to the portal.
test.each([
  [
    Object.assign(new Error('x'), { code: 'ECONNREFUSED' }),
    'Nothing accepts connections at portal.example:8443',
  ],
  [new AnswerTooLargeError(), 'its answer has no end'],
  [new ShownToProxyError(), 'a proxy would see the license'],
  ['what', 'The connection to portal.example:8443 broke'],
])('%s', async (error, words) => {
  expect(await explainFailure(error, url)).toContain(words);
});
