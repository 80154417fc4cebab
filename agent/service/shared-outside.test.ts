import { expect, test } from 'vitest';
import { nothingSet } from '#runtime/outside/outside.ts';
import { Secret } from '#runtime/secret.ts';
import { shareOutside } from './shared-outside.ts';

const proxy = (name: string) => new Secret(`http://me:pass-word@${name}.example:8080`);

// Guarantee: each setting is that of the first server that has it, whatever the order in which servers came; what differs is named,
// without its value.
test('servers with settings of their own', () => {
  const { settings, ignored } = shareOutside(
    new Map([
      ['c', { ...nothingSet, proxy: proxy('three'), noProxy: 'lan.example' }],
      ['a', { ...nothingSet, trustedCaFile: '/root.pem' }],
      ['d', { ...nothingSet, proxy: proxy('two'), trustedCaFile: '/root.pem' }],
      ['b', { ...nothingSet, proxy: proxy('two') }],
    ]),
  );
  expect(settings.proxy?.reveal()).toContain('two.example');
  expect(settings).toMatchObject({ noProxy: 'lan.example', trustedCaFile: '/root.pem' });
  expect(ignored).toEqual([expect.stringMatching(/^outside\.proxy of the server "c" .* that of "b"/)]);
  expect(ignored.join()).not.toMatch(/pass-word|example:/);
});

test('servers without settings', () => {
  expect(shareOutside(new Map([['a', nothingSet]]))).toEqual({ settings: nothingSet, ignored: [] });
});
