import { expect, test } from 'vitest';
import { proxyText, readProxyAddress, shownProxy } from './proxy-address.ts';

// Guarantee: a proxy is read as people write it, and its address can be written back for every program.
test.each([
  ['http://proxy.example:8080', '', '', 'http://proxy.example:8080'],
  ['proxy.example', '', '', 'http://proxy.example:80'],
  ['PROXY:3128/', '', '', 'http://proxy:3128'],
  ['https://proxy.example', '', '', 'https://proxy.example:443'],
  ['http://CORP\\jdoe:pw@proxy:8080', 'CORP\\jdoe', 'pw', 'http://CORP%5Cjdoe:pw@proxy:8080'],
  ['CORP%5Cjdoe:pw@proxy:8080', 'CORP\\jdoe', 'pw', 'http://CORP%5Cjdoe:pw@proxy:8080'],
  ['jdoe@corp.example:pw@proxy:8080', 'jdoe@corp.example', 'pw', 'http://jdoe%40corp.example:pw@proxy:8080'],
  [
    'http://me:a:b@c/d#e?f%@proxy:8080',
    'me',
    'a:b@c/d#e?f%',
    'http://me:a%3Ab%40c%2Fd%23e%3Ff%25@proxy:8080',
  ],
  ['http://me:p%C3%A4ss@proxy:8080', 'me', 'päss', 'http://me:p%C3%A4ss@proxy:8080'],
  ['http://me@proxy:8080', 'me', '', 'http://me@proxy:8080'],
  ['::1', '', '', 'http://[::1]:80'],
  ['http://me:pw@[2001:db8::1]:3128', 'me', 'pw', 'http://me:pw@[2001:db8::1]:3128'],
  ['http://пример.example:80', '', '', 'http://xn--e1afmkfd.example:80'],
])('%s', (typed, user, password, text) => {
  const read = readProxyAddress(` ${typed} `);
  if (!read) throw new Error('not read');
  expect([read.user, read.password.reveal()]).toEqual([user, password]);
  expect(proxyText(read).reveal()).toBe(text);
  expect(readProxyAddress(text)).toEqual(read);
  expect(shownProxy(read)).toBe(text.replace(/^https?:\/\/(?:.*@)?/, ''));
});

test.each([
  '',
  'http://',
  'socks5://proxy:1080',
  'http://proxy:0',
  'http://proxy:99999',
  'http://a b:80',
  'http://proxy:8080/path',
  'http://me:p\nw@proxy:80',
  '@',
  ':8080',
])('no proxy: %j', (typed) => expect(readProxyAddress(typed)).toBeNull());
