import { expect, test } from 'vitest';
import { isApiAddress } from '../../kit/api/own-address.ts';
import { agentConfig, configCommand, isLoopbackAddress } from './agent-config.ts';

const server = { id: 'abc123', game: 'minecraft', port: 25_575, name: 'A' } as const;

test('the template is JSON, whatever stands in it', () => {
  const text = agentConfig({ server, apiUrl: 'https://a.example', secret: '"<', password: '\\' });
  expect(JSON.parse(text)).toEqual({
    apiUrl: 'https://a.example',
    useWebSocket: true,
    serverId: 'abc123',
    secret: '"<',
    game: 'minecraft',
    console: { host: '127.0.0.1', port: 25_575, password: '\\' },
  });
});

test.each([
  ['https://panel.example.org', true],
  ['http://192.168.1.5:3000/', true],
  ['ftp://panel.example.org', false],
  ['panel.example.org', false],
  ['https://me:secret@panel.example.org', false],
  ['https://panel.example.org/?a', false],
  ['', false],
])('%s as the address: %s', (text, fits) => expect(isApiAddress(text)).toBe(fits));

test.each([
  ['http://127.0.0.1:3000', true],
  ['http://localhost', true],
  ['http://[::1]:80', true],
  ['http://192.168.1.5', false],
  ['http://localhost.example', false],
  ['', false],
])('%s only reaches this machine: %s', (text, loopback) => expect(isLoopbackAddress(text)).toBe(loopback));

// Guarantee: a server's name can add nothing to the command that is copied into a shell.
test.each([
  ['Fjordland 2', '"Fjordland 2"'],
  ['Ilha do São João', '"Ilha do São João"'],
  ['$(reboot)', 'abc123'],
  ['a" && b', 'abc123'],
  ['%PATH%', 'abc123'],
  ['-x', 'abc123'],
  ['`a`', 'abc123'],
  ['!!', 'abc123'],
])('%s is named %s', (name, named) => {
  expect(configCommand({ ...server, name }, 'http://127.0.0.1')).toBe(`castellan agent config ${named}`);
});

test('the address goes along when other machines can use it', () => {
  expect(configCommand(server, 'https://panel.example.org/')).toBe(
    'castellan agent config "A" --api-url https://panel.example.org',
  );
  expect(configCommand(server, 'no address; reboot')).toBe('castellan agent config "A"');
});
