import { expect, test } from 'vitest';
import { agentTemplate, asArgument, isLoopback } from './agent-template.ts';

// Guarantee: the template has every value that an agent must be told, and no secret.
test('the template', () => {
  const text = agentTemplate({
    server: { id: 'the-id', game: 'minecraft', port: 25575 },
    apiUrl: 'https://panel.example.org',
    secret: 'fill in',
    password: 'fill in too',
  });
  expect(JSON.parse(text)).toEqual({
    apiUrl: 'https://panel.example.org',
    useWebSocket: true,
    serverId: 'the-id',
    secret: 'fill in',
    game: 'minecraft',
    console: { host: '127.0.0.1', port: 25575, password: 'fill in too' },
  });
});

// Guarantee: an address that only works here is known as such.
test.each([
  ['http://127.0.0.1:3000', true],
  ['http://localhost:3000', true],
  ['http://[::1]:3000', true],
  ['https://panel.example.org', false],
  ['http://192.168.0.4', false],
])('%s', (address, isHere) => {
  expect(isLoopback(address)).toBe(isHere);
});

// Guarantee: a name that a shell would read as more than a name never stands in a command to copy.
test.each([
  ['The Island', '"The Island"'],
  ['Ilha é nossa', '"Ilha é nossa"'],
  ['$(reboot)', 'the-id'],
  ['a"; rm -rf /', 'the-id'],
  ['-x', 'the-id'],
  ['%PATH%', 'the-id'],
])('%s', (name, argument) => {
  expect(asArgument({ id: 'the-id', name })).toBe(argument);
});
