import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { inOwnNetwork } from '#harness/own-network.ts';
import { selfSigned } from '#harness/self-signed.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';

const program = fileURLToPath(new URL('testing/network-main.ts', import.meta.url));
const told = z.record(
  z.string(),
  z.object({
    outcome: z.string(),
    /** Ranges requested from each host. */
    open: z.array(z.string()),
    inner: z.array(z.string()),
    other: z.array(z.string()),
    lookUps: z.number(),
  }),
);

// Guarantee: over https a file arrives whole from public hosts with a valid certificate, and from no others: neither a redirect nor
// a name whose answer changes, between two look-ups or between two connections, leads to an internal address.
test('https, names and addresses', { tags: ['mount', 'iproute'], timeout: 90_000 }, async () => {
  await using folder = await temporaryFolder('mods');
  const trusted = selfSigned(undefined, '*.mods.example');
  const stranger = selfSigned(undefined, '*.mods.example');
  const printed = await inOwnNetwork([program, JSON.stringify({ folder: folder.path, trusted, stranger })], {
    addresses: ['93.184.216.34/32', '151.101.1.69/32', '10.0.0.7/32', '2606:2800:220:1::1/128'],
    authority: trusted.cert,
  });
  const { 'connections that drop': dropped, ...seen } = told.parse(JSON.parse(printed));
  const whole = { outcome: 'whole', inner: [], other: [] };
  const forbidden = { outcome: expect.stringContaining('forbidden-address: '), inner: [], other: [] };
  expect(seen).toEqual({
    'a public host': { ...whole, open: ['whole'], lookUps: 1 },
    'a certificate of nobody': {
      outcome: expect.stringContaining('is signed by itself (“*.mods.example”)'),
      open: [],
      inner: [],
      other: [],
      // Once more, to name who signed it.
      lookUps: 2,
    },
    'a certificate of another name': {
      outcome: expect.stringContaining('shows the certificate of *.mods.example'),
      open: [],
      inner: [],
      other: [],
      lookUps: 0,
    },
    'a private host': { ...forbidden, open: [], lookUps: 1 },
    'a private host as IPv6': { ...forbidden, open: [], lookUps: 1 },
    'a private host beside a public one': { ...whole, open: ['whole'], lookUps: 1 },
    'an answer that changes behind the first look': { ...whole, open: ['whole'], lookUps: 1 },
    'an answer that changes before the rest': { ...forbidden, open: ['whole'], lookUps: 2 },
    'a redirect to a private host': { ...forbidden, open: ['whole'], lookUps: 1 },
    'a redirect to a host that changes': { ...forbidden, open: ['whole'], lookUps: 1 },
    'a redirect to plain HTTP': { ...forbidden, open: ['whole'], lookUps: 1 },
    'a private host that its owner allows': { ...whole, inner: ['whole'], open: [], lookUps: 1 },
    'a wrong file': {
      outcome: expect.stringContaining('hash: '),
      inner: [],
      other: [],
      open: ['whole', 'whole'],
      lookUps: expect.any(Number),
    },
  });
  const [first, ...rest] = dropped?.open ?? [];
  expect({ ...dropped, first }).toMatchObject({ ...whole, first: 'whole', lookUps: rest.length + 1 });
  expect(rest.length).toBeGreaterThan(1);
  expect(rest.filter((range) => !/^bytes=[1-9]\d*-$/.test(range))).toEqual([]);
});
