import { createHash, createHmac, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, test } from 'vitest';
import {
  enrolmentAnswer,
  enrolmentExchange,
  enrolmentMinutes,
  enrolmentRequest,
} from '#contracts/servers/agent-enrolment.ts';
import { deriveSharedSecret, importExchangeKey } from '#runtime/auth/key-exchange.ts';
import { Secret } from '#runtime/secret.ts';
import { toAgentKey } from '../configuration/agent-key.ts';
import { askEnrolment } from './ask-enrolment.ts';

interface Example {
  readonly code: string;
  readonly privateKeySeedHex: string;
  readonly agentExchangePrivateHex: string;
  readonly apiExchangePrivateHex: string;
  readonly agentText: string;
  readonly apiText: string;
  readonly saltHex: string;
  readonly secret: string;
}

let page: string;
let example: Example;
let request: Record<string, unknown>;
let answer: Record<string, unknown>;
beforeAll(async () => {
  page = await readFile(join(import.meta.dirname, '../PROTOCOL.md'), 'utf8');
  const block = (kind: string) => new RegExp(`^\`\`\`${kind}\n(.*?)^\`\`\`$`, 'ms').exec(page)?.[1] ?? '';
  example = JSON.parse(block('json enrolment-example'));
  const [, path, asked = '', answered = ''] =
    /^POST (\S+)\n(.+)\n\n200\n(.+)\n$/.exec(block('http enrolment')) ?? [];
  expect(path).toBe(enrolmentExchange.path);
  [request, answer] = [JSON.parse(asked), JSON.parse(answered)];
});

/** PKCS #8 of a key of either curve is this prefix and the key's bytes. */
const keyOf = (curve: '70' | '6e', hex: string) =>
  createPrivateKey({
    key: Buffer.from(`302e020100300506032b65${curve}04220420${hex}`, 'hex'),
    format: 'der',
    type: 'pkcs8',
  });
const exchangeKeyOf = (hex: string) =>
  importExchangeKey(keyOf('6e', hex).export({ type: 'pkcs8', format: 'pem' }).toString());

// Guarantee: the page's example follows the protocol, and was made as its table says: its text alone leads to the same values.
test('the worked example', () => {
  expect(enrolmentRequest.parse(request)).toEqual(request);
  expect(enrolmentAnswer.parse(answer)).toEqual(answer);
  const partsOf = (parts: readonly unknown[]) =>
    parts.map((part) => (part === null ? '-' : `${Buffer.byteLength(String(part))}:${String(part)}`));
  const { mac, signature, ...asked } = request;
  const names = ['v', 'enrolment', 'exchangeKey', 'agentKey', 'nonce', 'game', 'agentVersion', 'platform'];
  expect(Object.keys(asked)).toEqual(names);
  const agentParts = partsOf(names.map((name) => asked[name]));
  expect(['castellan-enrol-agent-v1', ...agentParts].join('\n')).toBe(example.agentText);
  const { exchangeKey, serverId, serverName, game, proof } = answer;
  const apiParts = partsOf([exchangeKey, serverId, serverName, game]);
  expect(['castellan-enrol-api-v1', ...agentParts, ...apiParts].join('\n')).toBe(example.apiText);
  const hmac = (said: string) => createHmac('sha256', example.code).update(said).digest('base64url');
  expect([mac, proof]).toEqual([hmac(example.agentText), hmac(example.apiText)]);
  const key = keyOf('70', example.privateKeySeedHex);
  expect(createPublicKey(key).export({ format: 'jwk' }).x).toBe(request.agentKey);
  expect(sign(null, Buffer.from(example.agentText), key).toString('base64url')).toBe(signature);
  const salt = createHash('sha256').update(example.apiText).digest();
  expect(salt.toString('hex')).toBe(example.saltHex);
  const info = 'castellan-agent-secret-v1';
  const ofAgent = { own: exchangeKeyOf(example.agentExchangePrivateHex), other: String(exchangeKey) };
  const ofApi = { own: exchangeKeyOf(example.apiExchangePrivateHex), other: String(request.exchangeKey) };
  for (const side of [ofAgent, ofApi])
    expect(deriveSharedSecret({ ...side, salt, info })).toBe(example.secret);
  for (const code of ['REFUSED', 'ENDED', 'USED']) expect(page).toContain(`\`AGENT_ENROLMENT_${code}\``);
  expect(page).toContain(`${enrolmentMinutes} minutes`);
});

// Guarantee: the agent sends what the page shows, accepts its answer, and derives its secret; with another proof, or a key of
// zeros, it derives none.
test('the agent of the page', async () => {
  const heard: unknown[] = [];
  const answers: unknown[] = [answer, { ...answer, proof: 'A'.repeat(43) }];
  const zeros = { ...answer, exchangeKey: 'A'.repeat(43) };
  const ofZeros = example.apiText.replace(String(answer.exchangeKey), zeros.exchangeKey);
  answers.push({
    ...zeros,
    proof: createHmac('sha256', example.code).update(ofZeros).digest('base64url'),
  });
  const server = createServer(async (incoming, outgoing) => {
    heard.push(JSON.parse(await text(incoming)));
    outgoing.end(JSON.stringify(answers.shift()));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { mac: _, signature: __, ...asked } = enrolmentRequest.parse(request);
  const ask = () =>
    askEnrolment({
      apiUrl: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
      pins: [],
      code: new Secret(example.code),
      draft: {
        asked,
        exchangeKey: exchangeKeyOf(example.agentExchangePrivateHex),
        agentKey: toAgentKey(keyOf('70', example.privateKeySeedHex)),
        isNew: true,
        delete: () => Promise.resolve(),
      },
      onRetry: () => undefined,
    });
  try {
    const enrolled = await ask();
    expect('secret' in enrolled && enrolled.secret.reveal()).toBe(example.secret);
    for (const _wrong of ['a proof', 'a key']) expect(await ask()).toMatchObject({ isFinal: false });
    expect(heard).toEqual([request, request, request]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
