import { expect, test } from 'vitest';
import { networkChanges, networkVariables } from './network-settings.ts';

const database = 'postgresql://castellan:a-password@127.0.0.1:5440/castellan?connection_limit=20';
const present = networkVariables({ API_HOST: '127.0.0.1', API_PORT: '3001', DATABASE_URL: database });
const same = { apiPort: 3001, postgresPort: 5440, isOpen: false };

// Guarantee: what stays the same is not written; each change names the old value.
test('what has to be written', () => {
  expect(networkChanges(present, same)).toEqual({ changes: {}, before: {} });
  expect(networkChanges(networkVariables({ DATABASE_URL: database }), same)).toEqual({
    changes: {},
    before: {},
  });
  expect(networkChanges(present, { apiPort: 4001, postgresPort: 5441, isOpen: true })).toEqual({
    changes: { API_HOST: '0.0.0.0', API_PORT: '4001', DATABASE_URL: database.replace('5440', '5441') },
    before: { API_HOST: '127.0.0.1', API_PORT: '3001', DATABASE_URL: database },
  });
});

// Guarantee: an address that a person wrote outlasts a change of something else; a bot that was told the old port is told the
// new one, and one that uses another address is left alone.
test('what a person wrote', () => {
  const own = { ...present, API_HOST: '192.168.1.5' };
  expect(networkChanges(own, { ...same, apiPort: 4001, isOpen: true }).changes).toEqual({ API_PORT: '4001' });
  expect(networkChanges(own, same).changes).toEqual({ API_HOST: '127.0.0.1' });
  expect(networkChanges({ ...present, API_HOST: '::1' }, same).changes).toEqual({});
  const told = (API_URL: string) =>
    networkChanges({ ...present, API_URL }, { ...same, apiPort: 4001 }).changes;
  expect(told('http://127.0.0.1:3001')).toMatchObject({ API_URL: 'http://127.0.0.1:4001' });
  expect(told('https://api.example/castellan')).toEqual({ API_PORT: '4001' });
  const bare = { ...present, DATABASE_URL: 'postgresql://a:b@localhost/castellan' };
  expect(networkChanges(bare, { ...same, postgresPort: 5432 }).changes).toEqual({});
  expect(networkChanges(bare, { ...same, postgresPort: 5441 }).changes).toEqual({
    DATABASE_URL: 'postgresql://a:b@localhost:5441/castellan',
  });
});
