import { expect, test } from 'vitest';
import { isLocalAddress } from './own-address.ts';

test.each([
  ['http://localhost:3000', true],
  ['http://127.0.0.1', true],
  ['http://10.1.2.3:80', true],
  ['https://172.31.0.1', true],
  ['https://192.168.178.20', true],
  ['https://100.64.0.9', true],
  ['http://[::1]:3000', true],
  ['http://[fd12:3456::1]', true],
  ['http://[fe80::1]', true],
  ['http://game-pc:3000', true],
  ['http://game-pc.local', true],
  ['https://panel.example.com', false],
  ['https://172.32.0.1', false],
  ['https://100.128.0.1', false],
  ['http://[2a01:4f8::1]', false],
  ['https://10.example.com', false],
  ['not an address', false],
])('%s is only in its own network: %s', (text, local) => expect(isLocalAddress(text)).toBe(local));
