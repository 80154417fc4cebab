import { expect, test } from 'vitest';
import {
  type Foreign,
  foreign,
  foreignServerForThisFile,
  page,
} from '../../kit/api/testing/foreign-server.ts';
import { problemWords } from '../../kit/language/problem-words.ts';
import { uploadMod } from './use-upload.ts';

const server = foreignServerForThisFile();

/** Uploads through a proxy that takes no more than so many bytes at once. @returns the sizes of the parts that arrived */
const uploadThrough = async (most: number, refusal: Foreign, bytes: number): Promise<readonly number[]> => {
  const taken: number[] = [];
  let received = 0;
  const upload = () => ({ id: 'u1', name: 'a.jar', bytes, received, sha1: null, content: null });
  server.answer = (request, body, response) => {
    if (body.length > most) return foreign(refusal)(request, body, response);
    if (request.method === 'PUT') {
      taken.push(body.length);
      received += body.length;
    }
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(upload()));
  };
  const file = new File([new Uint8Array(bytes)], 'a.jar');
  await uploadMod('s1', file, new AbortController().signal, () => undefined);
  return taken;
};

// Guarantee: an upload gets through a proxy that takes less than our parts, whole, and each byte once.
test.each<[string, number, Foreign]>([
  ['nginx as installed', 1024 * 1024, [413, 'text/html', page('413')]],
  ['a small limit', 100_000, [413, 'text/html', page('413')]],
  ['IIS', 700_000, [404, 'text/html', page('404')]],
])('an upload through %s', async (_who, most, refusal) => {
  const bytes = 3 * 1024 * 1024 + 17;
  const taken = await uploadThrough(most, refusal, bytes);
  expect(taken.reduce((sum, size) => sum + size, 0)).toBe(bytes);
  expect(Math.max(...taken)).toBeLessThanOrEqual(most);
});

test('an upload that the proxy takes in no size', async () => {
  const error = await uploadThrough(20_000, [413, 'text/html', page('413')], 300_000).catch(
    (thrown) => thrown,
  );
  expect(problemWords(error, 'en').title).toBe('Too large for the proxy');
});
